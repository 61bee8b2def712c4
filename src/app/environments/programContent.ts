import path from 'node:path';
import type { FixtureFiles } from '../../ports/files.js';
import { sha256 } from '../../hash.js';
import type { ProgramDeclaration } from '../../tasks/readers/whetstoneFile.js';

/**
 * Everything that a declared program is, by hash: the files of its folder, and those that its command names by an
 * absolute path. What the person allows is what runs; any other byte is asked about again.
 */
export async function programContent(
  { command, arguments: words, folder }: ProgramDeclaration,
  { files, skillFolder }: { readonly files: FixtureFiles; readonly skillFolder: string },
  signal: AbortSignal,
): Promise<string> {
  const inFolder = folder === undefined ? [] : await files.list(path.join(skillFolder, folder), signal);
  const named = [command, ...words].filter((word) => path.isAbsolute(word));
  const hashes = await Promise.all(
    [...inFolder, ...named].map(async (file) => {
      const bytes = await files.read(file, signal).catch(() => undefined); // a folder, or not ours to read
      return bytes === undefined ? `${file} -` : `${file} ${sha256(bytes)}`;
    }),
  );
  return hashes.join('\n');
}
