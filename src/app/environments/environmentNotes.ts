import type { RunOptions } from '../../engine/runOptions.js';
import type { OpenSkill } from '../openSkill.js';
import type { SkillTasks } from '../tasks/skillTasks.js';
import { isMarkdown, unseenFiles } from './unseenFiles.js';

const readOnly = new Set(['chat', 'tools']);

/** What a person should know before a run about how its tasks are attempted: what the target does not see, what is not counted. */
export async function environmentNotes(
  skill: Pick<OpenSkill, 'text' | 'folder'>,
  { read, result: { split } }: SkillTasks,
  { inlineReferences }: Pick<RunOptions, 'inlineReferences'>,
): Promise<readonly string[]> {
  const used = new Set([...split.training, ...split.heldOut, ...split.sealed].map((task) => task.environment));
  const programs = [...read.environments].filter(([name]) => used.has(name));
  return [
    ...([...used].some((name) => readOnly.has(name)) ? await unseenNote(skill, inlineReferences) : []),
    ...programs.map(([name, { command, arguments: words }]) => {
      const line = [command, ...words].join(' ');
      return `The tasks in “${name}” are attempted by the program “${line}”. What it spends is not counted here.`;
    }),
  ];
}

async function unseenNote(
  skill: Pick<OpenSkill, 'text' | 'folder'>,
  inlineReferences: boolean,
): Promise<readonly string[]> {
  const unseen = (await unseenFiles(skill)).filter((file) => !(inlineReferences && isMarkdown(file)));
  if (unseen.length === 0) return [];
  const advice = unseen.some(isMarkdown) ? ' Set “inlineReferences” to show it the Markdown files.' : '';
  const more = unseen.length - mostNamed;
  const names = more > 0 ? [...unseen.slice(0, mostNamed), `and ${more} more`] : unseen;
  return [`The model cannot see the files that the skill points to: ${names.join(', ')}.${advice}`];
}

const mostNamed = 12; // what a person reads before a run
