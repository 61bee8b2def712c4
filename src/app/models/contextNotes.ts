import { leastRoom, roomFor, usualAnswer } from '../../models/local/wholePrompts.js';
import type { LanguageModel, ModelRole } from '../../ports/languageModel.js';
import { grouped } from '../../wording/amounts.js';
import { shownName, type RoleModels } from './runModels.js';

/** About how many tokens the longest prompt of each role has. */
export type LongestPrompts = Readonly<Record<ModelRole, number>>;

/**
 * What a person should know before a run on a server whose context is shorter than what the run will send: some servers
 * cut the rest without a word. Only servers that people run themselves are asked, and say so.
 */
export async function contextNotes(models: RoleModels, longest: LongestPrompts): Promise<readonly string[]> {
  const roles = ['target', 'optimizer', 'judge'] as const;
  const asked = new Map<string, { readonly model: LanguageModel; readonly role: ModelRole }>();
  for (const role of roles) {
    const model = models[role];
    const known = asked.get(shownName(model));
    if (known === undefined || longest[role] > longest[known.role]) asked.set(shownName(model), { model, role });
  }
  const notes = [...asked.values()].map(({ model, role }) => contextNote(model, role, longest[role]));
  return (await Promise.all(notes)).flat();
}

/** Whether one of them is served by somebody who may say how long its context is. */
export function saysContext(models: RoleModels): boolean {
  return Object.values(models).some(({ served }) => served !== undefined);
}

async function contextNote(model: LanguageModel, role: ModelRole, prompt: number): Promise<readonly string[]> {
  const served = await model.served?.(new AbortController().signal);
  const context = served?.contextTokens;
  if (served === undefined || context === undefined || prompt + leastRoom <= context) return [];
  const [name, tokens, asked] = [shownName(model), grouped(context), grouped(prompt)];
  const has = served.isSure
    ? `${name} is served with a context of ${tokens} tokens.`
    : `${name} is not loaded yet; usually it is served with a context of ${tokens} tokens.`;
  const room = roomFor(prompt, usualAnswer);
  const most = served.mostContextTokens ?? Infinity;
  const cure =
    room > most
      ? `The model itself has no more than ${grouped(most)}: shorten the skill or the tasks, or choose another model.`
      : served.longerContext(room);
  return [
    [
      has,
      `As ${role} it is asked up to about ${asked} here, and needs room for its answer.`,
      beyond(served.cutsSilently),
      cure,
    ].join(' '),
  ];
}

function beyond(cutsSilently: boolean): string {
  return cutsSilently
    ? 'Its server cuts the rest without a word: such an answer counts for nothing, and after two of them the run ends.'
    : 'Its server refuses longer ones: such an attempt fails.';
}
