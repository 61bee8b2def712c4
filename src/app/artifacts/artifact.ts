import type { RunOptions } from '../../engine/runOptions.js';
import type { SplitTasks } from '../../tasks/task.js';
import type { TextStore } from '../../ports/stores.js';
import type { OpenSkill } from '../openSkill.js';

/** One file that a run leaves: text as it stands, anything else as JSON. */
export interface Artifact {
  /** Relative to the folder of the run. */
  readonly file: string;
  readonly content: unknown;
}

/** What artifacts are made from, beside what the run wrote down. */
export interface ArtifactSources {
  readonly skill: OpenSkill;
  readonly tasks: SplitTasks;
  readonly texts: Pick<TextStore, 'get'>;
  readonly options: RunOptions;
}

/** A text that the run names by hash. The original is never stored as one: it is the skill itself. */
export async function textAt(
  { skill, texts }: Pick<ArtifactSources, 'skill' | 'texts'>,
  hash: string | undefined,
): Promise<string | undefined> {
  if (hash === undefined) return undefined;
  return hash === skill.hash ? skill.text : texts.get(hash);
}

export function skillName(version: number): string {
  return `skills/skill_v${String(version).padStart(4, '0')}.md`;
}
