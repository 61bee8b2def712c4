import { UserError } from '../../errors.js';
import { isBlank, countLines } from './lines.js';

const largestSkill = 1_048_576; // a quarter of a million tokens: no model reads a longer skill
const mostLines = 50_000;

/**
 * The text of a skill file, exactly: encoded as UTF-8 again it gives the same bytes, with byte order mark and line breaks.
 * Throws a {@link UserError} for what cannot be trained: too large, not UTF-8 text, empty. `path` is for the message.
 */
export function decodeSkill(bytes: Uint8Array, path: string): string {
  if (bytes.length > largestSkill) {
    const size = `${(bytes.length / largestSkill).toFixed(1)} MB`;
    throw new UserError(
      'skill-too-large',
      `${path} is ${size}; a skill can have at most 1 MB.`,
      'Move reference material into files beside it.',
    );
  }
  const text = decodeText(bytes, path);
  if (countLines(text) > mostLines) {
    throw new UserError(
      'skill-too-large',
      `${path} has ${countLines(text)} lines; a skill can have at most ${mostLines}.`,
      'Move reference material into files beside it.',
    );
  }
  if (isBlank(text)) {
    throw new UserError('skill-empty', `${path} is empty.`, 'Write what the skill should do, then optimize it.');
  }
  return text;
}

function decodeText(bytes: Uint8Array, path: string): string {
  if (startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff])) {
    throw new UserError('skill-not-text', `${path} is encoded as UTF-16.`, 'Save it with the encoding UTF-8.');
  }
  if (bytes.includes(0)) {
    throw new UserError('skill-not-text', `${path} is a binary file.`, 'Choose a Markdown file in UTF-8.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new UserError('skill-not-text', `${path} is not valid UTF-8 text.`, 'Save it with the encoding UTF-8.', {
      cause: error,
    });
  }
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}
