import { configPlaceAt, type ConfigPlace } from './configPlace.js';
import { optionReference, type OptionEntry } from './optionReference.js';

/** What can be written at a place of `.whetstone/config.yaml`. */
export interface ConfigCompletion {
  readonly label: string;
  readonly insert: string;
  readonly about: string;
  readonly kind: 'part' | 'option' | 'value';
  /** Where what it replaces begins. */
  readonly start: number;
}

/** What an option is, for the place where it is named. */
export interface ConfigHover {
  readonly start: number;
  readonly end: number;
  /** Markdown. */
  readonly text: string;
}

/** What can be written at an offset; `skills` are the paths of the skills of the workspace. */
export function configCompletions(
  text: string,
  offset: number,
  skills: readonly string[],
): readonly ConfigCompletion[] {
  const place = configPlaceAt(text, offset);
  if (place === undefined) return [];
  return place.value === undefined ? namesFor(place, skills) : valuesFor(place, offset);
}

/** What the option under an offset is; undefined where none is named there. */
export function configHover(text: string, offset: number): ConfigHover | undefined {
  const place = configPlaceAt(text, offset);
  if (place === undefined || place.value !== undefined || place.key === '') return undefined;
  const name = [...optionPath(place), place.key].join('.');
  const entry = optionReference().find((each) => each.name === name);
  const end = place.keyStart + place.key.length;
  return entry === undefined || offset > end ? undefined : { start: place.keyStart, end, text: hoverText(entry) };
}

/** The part of the path that names options: a skill's own options are the same. */
function optionPath({ above }: ConfigPlace): readonly string[] {
  return above[0] === 'skills' ? above.slice(2) : above;
}

function namesFor(place: ConfigPlace, skills: readonly string[]): readonly ConfigCompletion[] {
  const { above, keyStart: start } = place;
  if (above.length === 1 && above[0] === 'skills')
    return skills.map((label) => ({ label, insert: `${label}:`, about: '', kind: 'part', start }));
  const path = optionPath(place);
  const entries = optionReference();
  const [part] = path;
  const below = entries.filter(({ name }) => part !== undefined && name.startsWith(`${part}.`));
  if (path.length === 1) return below.map((entry) => named(entry, entry.name.slice(`${part}.`.length), start));
  if (path.length > 1) return [];
  const groups = [...new Set(entries.map(({ name }) => name.split('.')[0] ?? ''))].filter(
    (group) => !entries.some(({ name }) => name === group),
  );
  const parts = [...groups, ...(above.length === 0 ? ['skills', '_base_'] : [])];
  return [
    ...parts.map((label) => ({ label, insert: `${label}:`, about: '', kind: 'part' as const, start })),
    ...entries.map((entry) => named(entry, entry.name, start)),
  ];
}

function named(entry: OptionEntry, label: string, start: number): ConfigCompletion {
  return { label, insert: `${label}: `, about: hoverText(entry), kind: 'option', start };
}

function valuesFor(place: ConfigPlace, offset: number): readonly ConfigCompletion[] {
  const name = [...optionPath(place), place.key].join('.');
  const entry = optionReference().find((each) => each.name === name);
  if (entry === undefined) return [];
  const values = [...entry.values, ...(entry.usual === undefined ? [] : [entry.usual])];
  const start = offset - (place.value?.length ?? 0);
  return [...new Set(values)].map((label) => ({ label, insert: label, about: entry.about, kind: 'value', start }));
}

function hoverText({ name, about, takes, usual, presets }: OptionEntry): string {
  const otherwise = presets.map(([preset, value]) => `\`${preset}\`: ${value}`);
  const lines = [
    `**${name}**`,
    about,
    `Takes ${takes}.`,
    ...(usual === undefined
      ? []
      : [`Usually \`${usual}\`${otherwise.length === 0 ? '' : ` (${otherwise.join(', ')})`}.`]),
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}
