import { UserError } from '../errors.js';

/** A table of the most tasks with the most passes that are decided is smaller; whoever gives more gave the wrong thing. */
export const mostGivenBytes = 32 * 1024 * 1024;

/** The text that a program or a person gives on standard input. What is too long is not read to its end. */
export async function givenText(parts: AsyncIterable<Uint8Array | string>): Promise<string> {
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const part of parts) {
    const piece = Buffer.from(part);
    bytes += piece.length;
    if (bytes > mostGivenBytes)
      throw new UserError('usage', 'There is more than 32 MB on standard input.', 'Give less: a sample will do.');
    read.push(piece);
  }
  return Buffer.concat(read).toString('utf8');
}
