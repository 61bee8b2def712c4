import { readFile, realpath, stat } from 'node:fs/promises';
import { UserError, type UserErrorCode } from '../errors.js';
import { unlessMissing } from '../storage/files/fileErrors.js';
import { isInside } from '../isInside.js';

/** A benchmark of ten thousand tasks has a few megabytes; more than this is not what the person meant to give. */
const mostBytes = 64 * 1024 * 1024;

/**
 * The text of a file that a person wrote, or undefined where there is none. Refuses what is not UTF-8: read loosely, a
 * file in another encoding would come in with its letters replaced, and nobody would notice.
 */
export async function readText(file: string, code: UserErrorCode, most = mostBytes): Promise<string | undefined> {
  const found = await unlessMissing(stat(file));
  if (found === undefined) return undefined;
  if (!found.isFile()) throw new UserError(code, `${file} is not a file.`, 'Give the path of a file.');
  if (found.size > most) {
    throw new UserError(
      code,
      `${file} is over ${most / 1024 / 1024} MB.`,
      'Split it, or remove what it need not hold.',
    );
  }
  const bytes = await unlessMissing(readFile(file));
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new UserError(code, `${file} is not UTF-8 text.`, 'Save it as UTF-8, then try again.', { cause: error });
  }
}

/** The same for a file that a clone may have brought: one that a link leads out of the real path `within` is not read. */
export async function readTextInside(
  within: string,
  file: string,
  code: UserErrorCode,
  most = mostBytes,
): Promise<string | undefined> {
  const real = await unlessMissing(realpath(file));
  if (real === undefined || isInside(within, real)) return readText(file, code, most);
  throw new UserError(
    'leads-outside',
    `${file} is a link that leads out of ${within}, so it is not read.`,
    'Put the file itself there, in place of the link.',
  );
}
