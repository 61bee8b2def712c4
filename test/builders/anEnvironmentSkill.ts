import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine } from './commandLine.js';

/** A skill whose tasks are attempted in an environment of its own. */
interface EnvironmentSkill {
  /** As it stands under `environments` in `evals/whetstone.json`, with the name `post`. */
  readonly declared: Readonly<Record<string, unknown>>;
  /** The files of the skill's folder beside its own: path -> text. */
  readonly files: Readonly<Record<string, string>>;
  readonly tasks?: number;
  readonly skill?: string;
  /** Where programs run; see `worldSandbox`. */
  readonly programs?: 'sandbox' | 'bare' | undefined;
}

/** A skill in a workspace of its own, and what trains or evaluates it there. */
export interface EnvironmentShell extends CommandLine {
  readonly skillFolder: string;
  /** `evaluate --json --allow-programs`, as what each task came to. */
  scores(...words: readonly string[]): Promise<readonly TaskScore[]>;
}

interface TaskScore {
  readonly id: string;
  readonly hard: number | null;
  readonly invalid?: string;
}

export function anEnvironmentSkill({
  declared,
  files,
  tasks = 1,
  skill,
  programs,
}: EnvironmentSkill): EnvironmentShell {
  const shell = aCommandLine({ programs });
  const skillFolder = path.join(shell.folder, 'letters');
  const ids = Array.from({ length: tasks }, (_, index) => `t${index}`);
  const evals = ids.map((id, index) => ({ id, prompt: `Write letter number ${index} about ${topics[index % 7]}.` }));
  const whetstone = {
    format: 'whetstone.tasks',
    version: 1,
    environments: { post: declared },
    tasks: Object.fromEntries(ids.map((id) => [id, { environment: 'post' }])),
  };
  const all = {
    'SKILL.md': `---\nname: letters\ndescription: Writes letters.\n---\n\n# Letters\n\n${skill ?? 'Write a letter.'}\n`,
    'evals/evals.json': JSON.stringify({ evals }),
    'evals/whetstone.json': JSON.stringify(whetstone),
    ...files,
  };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(skillFolder, file)), { recursive: true });
    writeFileSync(path.join(skillFolder, file), text);
  }
  return {
    ...shell,
    skillFolder,
    async scores(...words) {
      const done = await shell.run('evaluate', skillFolder, '--json', '--allow-programs', ...words);
      const result: { tasks: readonly TaskScore[] } = JSON.parse(done.out);
      return result.tasks;
    },
  };
}

const topics = ['lamps', 'a refund', 'the hotline', 'a broken glass', 'billing', 'late post', 'missing screws'];
