import { stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../errors.js';
import type { FixtureFiles } from '../ports/files.js';
import type { OpenSkill } from './openSkill.js';

/** As much as fixtures may have: with more than this the skill itself gets lost. */
const mostReferenceBytes = 64 * 1024;

/** Files beside the skill that its text points to: in `chat` the model reads the skill alone. */
export async function unseenFiles({ text, folder }: Pick<OpenSkill, 'text' | 'folder'>): Promise<readonly string[]> {
  const named = new Set(
    [...text.matchAll(/(?:^|[\s("'`[<])(?:\.\/)?((?:scripts|references|assets)\/[\w./-]*\w)/gm)].map(
      (match) => match[1] ?? '',
    ),
  );
  const found = await Promise.all(
    [...named].map(async (name) =>
      (await stat(path.join(folder, name)).catch(() => undefined))?.isFile() === true ? name : undefined,
    ),
  );
  return found.filter((name) => name !== undefined).sort();
}

/** True for what can be inlined: the rest is for an agent with a file system. */
export function isMarkdown(file: string): boolean {
  return /\.(?:md|markdown)$/iu.test(file);
}

/** The Markdown files that the skill points to, as texts, for a target that is to read them along with the skill. */
export async function referenceTexts(
  skill: Pick<OpenSkill, 'text' | 'folder'>,
  files: FixtureFiles,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  let bytes = 0;
  for (const name of (await unseenFiles(skill)).filter(isMarkdown)) {
    const content = (await files.read(path.join(skill.folder, name), signal)) ?? new Uint8Array();
    bytes += content.byteLength;
    texts.set(name, new TextDecoder().decode(content));
  }
  if (bytes <= mostReferenceBytes) return texts;
  throw new UserError(
    'options-malformed',
    `The Markdown files that the skill points to are over 64 KB together: ${[...texts.keys()].join(', ')}.`,
    'Turn the option inlineReferences off, or make the files shorter.',
  );
}
