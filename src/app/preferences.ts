import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../errors.js';
import { allow, isAllowed, type ConsentRequest } from '../storage/state/consents.js';
import { unlessMissing } from '../storage/files/fileErrors.js';
import { isInside } from '../isInside.js';
import type { OpenSkill } from './openSkill.js';
import { readText } from './readText.js';
import type { PreferencesToAllow, World } from './world.js';

/** What is said about preferences on the way to a run. The person's own need nobody's leave. */
export interface SaidPreferences {
  /** Of two of them the first counts; `.whetstone/preferences.md` is said beside it. */
  readonly ranked: readonly (PreferencesToAllow | { readonly own: string })[];
  readonly beside: PreferencesToAllow | undefined;
}

/** The preferences that a run says to the optimizer, and those of the workspace that it may not say yet. */
export interface HeldPreferences {
  readonly text: string;
  readonly unallowed: readonly PreferencesToAllow[];
  /** What the text would be if all of them were allowed. */
  readonly asWritten: string;
}

/** Leaves out what the workspace wishes in the person's name and they were not shown yet: a clone brings it along. */
export async function holdPreferences(
  { store }: OpenSkill,
  { ranked, beside }: SaidPreferences,
): Promise<HeldPreferences> {
  const isHeld = async (each: SaidPreferences['ranked'][number]): Promise<boolean> =>
    !('own' in each) && each.text.trim() !== '' && !(await isAllowed(store, consentTo(each)));
  const [strongest] = ranked;
  const wanted = [strongest, beside].filter((each) => each !== undefined);
  const held = new Set<SaidPreferences['ranked'][number]>();
  for (const each of [...ranked, ...wanted]) if (await isHeld(each)) held.add(each);
  const first = ranked.find((each) => !held.has(each));
  return {
    text: together([first, beside].filter((each) => each !== undefined && !held.has(each))),
    unallowed: wanted.flatMap((each) => (held.has(each) && !('own' in each) ? [each] : [])),
    asWritten: together(wanted),
  };
}

/** Shows the person each text that is new to them; a yes is remembered for exactly that text, a no ends the run. */
export async function showNewPreferences(
  world: World,
  { store }: OpenSkill,
  unallowed: readonly PreferencesToAllow[],
  signal: AbortSignal,
): Promise<void> {
  for (const preferences of unallowed) {
    if ((await world.allowsPreferences?.(preferences, signal)) !== true) throw notAllowed(preferences);
    await allow(store, consentTo(preferences), signal);
  }
}

/** `.whetstone/preferences.md`, where it is a file of the workspace; a link that leads out of it is not followed. */
export async function writtenPreferences({
  places,
}: OpenSkill): Promise<{ readonly preferences: PreferencesToAllow | undefined; readonly notes: readonly string[] }> {
  const file = path.join(places.sharedState, 'preferences.md');
  const real = await unlessMissing(realpath(file));
  if (real === undefined) return { preferences: undefined, notes: [] };
  if (!isInside(await realpath(places.root ?? places.sharedState), real))
    return {
      preferences: undefined,
      notes: [`${shown} is a link that leads out of the workspace, so it is not read.`],
    };
  const text = await readText(real, 'options-malformed');
  return { preferences: text === undefined ? undefined : { source: shown, text }, notes: [] };
}

/** What a night says that runs without them. */
export function leftOutNotes(unallowed: readonly PreferencesToAllow[]): readonly string[] {
  return unallowed.map(
    ({ source }) => `The preferences in ${source} were left out: you have not allowed that text yet.`,
  );
}

const shown = '.whetstone/preferences.md';

function together(said: readonly (SaidPreferences['ranked'][number] | undefined)[]): string {
  return said
    .map((each) => (each === undefined ? '' : 'own' in each ? each.own : each.text).trim())
    .filter((text) => text !== '')
    .join('\n\n');
}

function consentTo({ text }: PreferencesToAllow): ConsentRequest {
  return { what: 'preferences', content: text };
}

function notAllowed({ source }: PreferencesToAllow): UserError {
  return new UserError(
    'preferences-not-allowed',
    `The preferences in ${source} are said to the optimizer in your name, and you have not allowed that text yet.`,
    'Look at it, then allow it (on the command line with --allow-preferences), or delete it.',
  );
}
