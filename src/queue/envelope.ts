import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseJson } from '../parseJson.js';

/** `claim`: which worker took a job; `loss`: what it says of one that came to nothing. */
const kinds = ['job', 'result', 'blob', 'worker', 'lane', 'claim', 'loss'] as const;

/**
 * What goes through Redis goes in an envelope: encrypted, and with a MAC over its label and content that only those can
 * make who were given the secret. The label says what it is, whose, and until when; it holds no text.
 */
export interface Label {
  readonly kind: (typeof kinds)[number];
  /** Of the job, the worker, the lane or the content: an envelope that lies elsewhere is refused. */
  readonly id: string;
  /** Empty for what belongs to no run. */
  readonly runId: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Why an envelope is not opened. */
export const unopened = ['unsigned', 'altered', 'misplaced', 'expired'] as const;
export type UnopenedReason = (typeof unopened)[number];

export type OpenedEnvelope =
  | { readonly kind: 'opened'; readonly label: Label; readonly content: Buffer }
  | { readonly kind: 'refused'; readonly why: UnopenedReason };

/** Where the envelope was found: its label has to say the same. */
export interface FoundAt extends Pick<Label, 'kind' | 'id'> {
  /** Of any run where it is missing. */
  readonly runId?: string | undefined;
  readonly now: number;
}

export interface Envelopes {
  seal(label: Label, content: string | Uint8Array): string;
  open(sealed: unknown, at: FoundAt): OpenedEnvelope;
  /** The address of content, which tells nobody without the secret what it is. */
  addressOf(content: Uint8Array): string;
}

const version = 'w1';
const ivBytes = 12;
const tagBytes = 16;
/** Clocks of two machines may differ by as much. */
const clockSkewMs = 60_000;

/** Envelopes of everybody who was given this secret. */
export function envelopesOf(secret: string): Envelopes {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, 'whetstone-queue', `${version} ${purpose}`, 32));
  const signing = derive('sign');
  const addressing = derive('address');
  const macOf = (text: string): Buffer => createHmac('sha256', signing).update(text).digest();
  // A key for each run, so that no key ever encrypts more than one run's texts.
  const keys = new Map<string, Buffer>();
  const keyOf = (runId: string): Buffer => {
    const key = keys.get(runId) ?? derive(`encrypt ${runId}`);
    if (keys.size >= keysRemembered) keys.clear();
    keys.set(runId, key);
    return key;
  };
  return {
    seal(label, content) {
      const { kind, id, runId, expiresAt } = label;
      const head = Buffer.from(JSON.stringify([kind, id, runId, expiresAt])).toString('base64url');
      const signed = `${version}.${head}.${encrypt(keyOf(runId), head, content)}`;
      return `${signed}.${macOf(signed).toString('base64url')}`;
    },
    open(sealed, at) {
      const parts = typeof sealed === 'string' ? partsOf(sealed) : undefined;
      if (parts === undefined) return refused('unsigned');
      const { signed, head, body, mac } = parts;
      const label = isSame(Buffer.from(mac, 'base64url'), macOf(signed)) ? readHead(head) : undefined;
      if (label === undefined) return refused('altered');
      if (!lies(label, at)) return refused('misplaced');
      if (label.expiresAt + clockSkewMs < at.now) return refused('expired');
      const content = decrypt(keyOf(label.runId), head, body);
      return content === undefined ? refused('altered') : { kind: 'opened', label, content };
    },
    addressOf: (content) => createHmac('sha256', addressing).update(content).digest('hex'),
  };
}

const keysRemembered = 64;

function refused(why: UnopenedReason): OpenedEnvelope {
  return { kind: 'refused', why };
}

function partsOf(sealed: string): Readonly<Record<'signed' | 'head' | 'body' | 'mac', string>> | undefined {
  const parts = sealed.split('.');
  const [form, head = '', body = '', mac = ''] = parts;
  const isWhole = parts.length === 4 && form === version && mac !== '';
  return isWhole ? { signed: sealed.slice(0, sealed.lastIndexOf('.')), head, body, mac } : undefined;
}

function lies(label: Label, { kind, id, runId }: FoundAt): boolean {
  return label.kind === kind && label.id === id && (runId === undefined || label.runId === runId);
}

function isSame(given: Buffer, right: Buffer): boolean {
  return given.length === right.length && timingSafeEqual(given, right);
}

/** When an envelope says that it expires, in milliseconds since 1970, though its MAC is not of this secret; 0 where it says nothing. */
export function saidExpiry(sealed: string): number {
  const [, head = ''] = sealed.split('.');
  const read = parseJson(Buffer.from(head, 'base64url').toString('utf8'));
  return Array.isArray(read) && typeof read[3] === 'number' ? read[3] : 0;
}

/** The MAC was right: whoever wrote it has the secret, and may all the same be of another version. */
function readHead(head: string): Label | undefined {
  const read: unknown = JSON.parse(Buffer.from(head, 'base64url').toString('utf8'));
  if (!Array.isArray(read) || read.length !== 4) return undefined;
  const [kind, id, runId, expiresAt] = read.map(String);
  const known = kinds.find((each) => each === kind);
  if (known === undefined || id === undefined || runId === undefined || !Number.isFinite(Number(expiresAt)))
    return undefined;
  return { kind: known, id, runId, expiresAt: Number(expiresAt) };
}

function encrypt(key: Buffer, head: string, content: string | Uint8Array): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(head));
  const text = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
}

function decrypt(key: Buffer, head: string, body: string): Buffer | undefined {
  const bytes = Buffer.from(body, 'base64url');
  if (bytes.length < ivBytes + tagBytes) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(head));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}
