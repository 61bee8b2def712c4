import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, constants, copyFile, link, readFile, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { UserError } from '../../errors.js';
import { durableWrite, syncFolder } from '../files/durableWrite.js';
import { hasCode, unlessMissing } from '../files/fileErrors.js';

/** Proves what this user wrote here. The key itself never leaves this value: it can be neither logged nor stored. */
export interface StateKey {
  mac(text: string): string;
  verifies(text: string, mac: string): boolean;
  /** A text that only who holds the key can read again. The same text gives the same bytes. */
  encrypt(text: string): string;
  /** The text again; undefined where it was encrypted with another key, or changed since. */
  decrypt(encrypted: string): string | undefined;
}

const fileName = 'state.key';
const keyFile = z.object({
  format: z.literal('whetstone-state-key'),
  version: z.literal(1),
  key: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * The key of this user state, made at first use. Two processes that start at once end up with the same one. A key that
 * cannot be read is never replaced silently, because with a new one everything made before counts as made elsewhere.
 */
export async function openStateKey(userState: string): Promise<StateKey> {
  const file = path.join(userState, fileName);
  if ((await unlessMissing(stat(file))) === undefined) await createOnce(file);
  return keyFrom(await readKey(file));
}

/** The key where there is one already; else one that nothing was ever sealed with. For a look that leaves no trace. */
export async function findStateKey(userState: string): Promise<StateKey> {
  const file = path.join(userState, fileName);
  return (await unlessMissing(stat(file))) === undefined ? keyOfTheMoment() : keyFrom(await readKey(file));
}

/** Tells secrets apart while it lasts, and proves nothing. */
function keyOfTheMoment(): StateKey {
  return { ...keyFrom(randomBytes(32).toString('hex')), verifies: () => false };
}

/** A key of known bytes. */
export function keyFrom(hex: string): StateKey {
  const secret = Buffer.from(hex, 'hex');
  const digest = (text: string): Buffer => createHmac('sha256', secret).update(text).digest();
  return {
    mac: (text) => digest(text).toString('hex'),
    verifies: (text, mac) => {
      const given = Buffer.from(mac, 'hex');
      const right = digest(text);
      return given.length === right.length && timingSafeEqual(given, right);
    },
    ...cipherOf(digest('whetstone-secrets')),
  };
}

const nonceBytes = 12;
const tagBytes = 16;

/** The nonce is a keyed hash of the text: it repeats only where the text does, and then tells nothing but that. */
function cipherOf(key: Buffer): Pick<StateKey, 'encrypt' | 'decrypt'> {
  return {
    encrypt: (text) => {
      const nonce = createHmac('sha256', key).update(text).digest().subarray(0, nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    decrypt: (encrypted) => {
      const bytes = Buffer.from(encrypted, 'base64');
      if (bytes.length < nonceBytes + tagBytes) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString(
          'utf8',
        );
      } catch {
        return undefined; // another key, or bytes that somebody changed
      }
    },
  };
}

async function createOnce(file: string): Promise<void> {
  const body = { format: 'whetstone-state-key', version: 1, key: randomBytes(32).toString('hex') };
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await durableWrite(draft, `${JSON.stringify(body)}\n`, { mode: 0o600 });
  try {
    await placeUnlessThere(draft, file);
    await syncFolder(path.dirname(file));
  } finally {
    await unlink(draft);
  }
}

/** The whole file or nothing appears, and whoever was first wins. */
async function placeUnlessThere(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    // A file system without hard links.
    await copyFile(draft, file, constants.COPYFILE_EXCL).catch((copyError: unknown) => {
      if (!hasCode(copyError, 'EEXIST')) throw copyError;
    });
  }
}

async function readKey(file: string): Promise<string> {
  if (process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600);
  const text = await readFile(file, 'utf8');
  try {
    return keyFile.parse(JSON.parse(text)).key;
  } catch (error) {
    throw new UserError(
      'store-unusable',
      `The key in ${file} cannot be read.`,
      'Restore the file from a backup, or move it away: Whetstone makes a new one, and shows what it made before as made elsewhere.',
      { cause: error },
    );
  }
}
