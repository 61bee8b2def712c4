import { UserError } from '../errors.js';
import { sha256 } from '../hash.js';

/** A prompt as it ships: prose with `{{placeholders}}`, each of which its typed twin promises to fill. */
export interface PromptTemplate<Placeholder extends string> {
  /** The file's name without `.md`; a person's own version has the same one. */
  readonly name: string;
  readonly text: string;
  readonly placeholders: readonly Placeholder[];
}

/**
 * What fills a placeholder. A string is data written by others and always goes into a fence; words are our own
 * and go in as they stand (they may hold fences already); undefined leaves nothing, not even its blank line.
 */
export type PromptValue = string | number | { readonly words: string } | undefined;

/** The person's own versions, by name; `path` is named in errors. */
export type PromptOverrides = ReadonlyMap<string, { readonly path: string; readonly text: string }>;

/** Where in the overrides the prompts of one environment stand. */
export function environmentPrefix(environment: string): string {
  return `environments/${environment}/`;
}

/** The overrides as they count for tasks in one environment: its own versions win over those for all. */
export function promptsIn(overrides: PromptOverrides, environment: string): PromptOverrides {
  const prefix = environmentPrefix(environment);
  const own = [...overrides].filter(([name]) => name.startsWith(prefix));
  return own.length === 0
    ? overrides
    : new Map([...overrides, ...own.map(([name, version]) => [name.slice(prefix.length), version] as const)]);
}

/** Fills a template in one pass, so that data which looks like a placeholder stays data. */
export function renderPrompt<Placeholder extends string>(
  template: PromptTemplate<Placeholder>,
  values: Readonly<Record<Placeholder, PromptValue>>,
  overrides: PromptOverrides,
): string {
  const { path, text } = overrides.get(template.name) ?? { path: `prompts/${template.name}.md`, text: template.text };
  const known: Readonly<Record<string, PromptValue>> = values;
  validatePrompt({ path, text }, template.placeholders);
  const empty = template.placeholders.filter((name) => isNothing(values[name]));
  return withoutLinesOf(text.replaceAll('\r\n', '\n'), empty)
    .replace(placeholder, (_whole, name: string) => rendered(name, known[name]))
    .trim();
}

/** Throws with file and line where a template lacks a placeholder of its twin, or holds one that nothing fills. */
export function validatePrompt(
  { path, text }: { readonly path: string; readonly text: string },
  placeholders: readonly string[],
): void {
  const list = placeholders.map((name) => `{{${name}}}`).join(', ');
  const present = new Set<string>();
  for (const { braces, at } of bracesIn(text)) {
    const name = new RegExp(placeholder.source, 'u').exec(braces)?.[1];
    if (name === undefined || !placeholders.includes(name)) {
      const what = `${path}, line ${lineAt(text, at)}: nothing fills “${braces}”.`;
      throw new UserError('prompt-malformed', what, `Remove it, or use one of: ${list}.`);
    }
    present.add(name);
  }
  const missing = placeholders.find((name) => !present.has(name));
  if (missing !== undefined) {
    const what = `${path}, line ${lineAt(text, text.length)}: the prompt ends without “{{${missing}}}”.`;
    throw new UserError('prompt-malformed', what, `Put {{${missing}}} where it belongs. The prompt needs: ${list}.`);
  }
}

const placeholder = /\{\{\s*([A-Za-z][A-Za-z0-9]*)\s*\}\}/gu;

/** What stands in double braces, each on one line. A pattern would look for the end of those that have none once for each. */
function* bracesIn(text: string): Generator<{ readonly braces: string; readonly at: number }> {
  let from = 0;
  for (const line of text.split('\n')) {
    for (let at = line.indexOf('{{'); at >= 0;) {
      const end = line.indexOf('}}', at + 2);
      if (end < 0) break;
      yield { braces: line.slice(at, end + 2), at: from + at };
      at = line.indexOf('{{', end + 2);
    }
    from += line.length + 1;
  }
}

function rendered(name: string, value: PromptValue): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? fence(name, value) : value.words;
}

function isNothing(value: PromptValue): boolean {
  return value === undefined || (typeof value === 'object' && value.words === '');
}

function withoutLinesOf(text: string, names: readonly string[]): string {
  return names.reduce(
    (rest, name) =>
      rest.replaceAll(new RegExp(`(?:^|\\n)[ \\t]*\\{\\{\\s*${name}\\s*\\}\\}[ \\t]*(?:\\n(?=\\n)|$)`, 'gu'), ''),
    text,
  );
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Text written by others, set so that nothing in it can end its fence: the fence is longer than any run of backticks inside. */
export function fence(label: string, data: string): string {
  const ticks = '`'.repeat(Math.max(minimumTicks, longestRunOfTicks(data) + 1));
  const lineEnd = data.endsWith('\n') ? '' : '\n';
  return `${ticks}${label}-${digestOf(data)}\n${data}${lineEnd}${ticks}`;
}

const minimumTicks = 3;
const digestLength = 12;

function longestRunOfTicks(data: string): number {
  let longest = 0;
  for (const [run] of data.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

// A name that the data would have to contain the hash of itself to guess, and that is the same in every run.
function digestOf(data: string): string {
  return sha256(data).slice(0, digestLength);
}
