import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PromptOverrides } from '../prompts/renderPrompt.js';
import { unlessMissing } from '../storage/fileErrors.js';
import type { OpenSkill } from './openSkill.js';

/** The person's own versions of our prompts, read afresh for every run. */
export async function promptOverridesOf({ places }: OpenSkill): Promise<PromptOverrides> {
  const folder = path.join(places.sharedState, 'prompts');
  const names = (await unlessMissing(readdir(folder))) ?? [];
  const files = names.filter((name) => name.endsWith('.md')).sort();
  const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
  return new Map(
    files.map((name, index) => [
      name.slice(0, -'.md'.length),
      { path: `.whetstone/prompts/${name}`, text: texts[index] ?? '' },
    ]),
  );
}
