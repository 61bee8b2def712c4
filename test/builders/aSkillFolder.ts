import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Files of a skill by their path in its folder; what is no text is written as JSON. */
export type SkillFiles = Readonly<Record<string, string | object>>;

/** Writes a skill named `greeter` with the files given, and gives its folder. */
export function aSkillFolder(workspace: string, files: SkillFiles = {}): string {
  const folder = path.join(workspace, 'skills', 'greeter');
  const skill = '---\nname: greeter\ndescription: Greets people.\n---\n\n# Greeter\n\nSay hello to people.\n';
  const all: SkillFiles = { 'SKILL.md': skill, ...files };
  for (const [name, content] of Object.entries(all)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    const raw = typeof content === 'string' || content instanceof Uint8Array ? content : undefined;
    writeFileSync(file, raw ?? `${JSON.stringify(content, undefined, 2)}\n`);
  }
  return folder;
}

/** `evals.json` and `whetstone.json` of a skill, as they are now. */
export function taskFilesIn(folder: string): { readonly evals: string; readonly whetstone: string } {
  const read = (name: string): string => readFileSync(path.join(folder, 'evals', name), 'utf8');
  return { evals: read('evals.json'), whetstone: read('whetstone.json') };
}

/** A whetstone.json with these tasks, and whatever else it holds. */
export function aWhetstoneFile(tasks: Readonly<Record<string, unknown>>, rest: object = {}): object {
  return { format: 'whetstone.tasks', version: 1, tasks, ...rest };
}
