import { parseJson } from '../../parseJson.js';
import type { Instruction, InstructionKind } from '../instruction.js';
import type { Statement } from '../reading/statements.js';
import { denies, namesIn, optionsIn } from '../reading/wording.js';
import type { JsonKey } from '../target/plan.js';

const verb =
  /\b(?:wrap|wraps|wrapped|put|puts|enclose|enclosed|surround|surrounded|place|placed|inside|within|between|in|use|uses|around|contains?|include|includes|deliver|return|go|goes)\b/;
const tagPattern = /<([a-z][\w-]*)>/i;
const namedTag =
  /\b(?:xml |html )?tags? (?:named |called )?⟦(\d+)⟧|⟦(\d+)⟧ tags?\b|\b(?:in|with) (?:an? )?(?:xml )?tags? (?:named |called )([a-z][\w-]*)/;
const short =
  /\b(?:final answer|final verdict|conclusion|verdict|result only|short answer|final result|one-line answer)\b/;

/** `Wrap the answer in <answer> tags`: around all of it, or around a last short answer where “the final answer” is meant. */
export const tags: InstructionKind = {
  name: 'tags',
  followed: 'The answer stands between the tags; “the final answer” adds a short last one between them.',
  otherwise: 'No tag is written.',
  phrasings: [
    'Wrap the answer in <answer> tags.',
    'Put the final answer between <result> and </result>.',
    'Enclose what you write in `<report>` tags.',
    'The answer contains “<summary>”.',
    'Place everything inside <reply></reply>.',
    'Use <output> tags around the whole answer.',
    'Surround the text with an XML tag named “note”.',
  ],
  read: (statement) => {
    const name = tagIn(statement);
    if (name === undefined || !verb.test(statement.plain)) return [];
    return denies(statement.plain) ? [untagged(name)] : [tagged(name, !short.test(statement.plain))];
  },
};

function tagIn({ plain, raw, quotes }: Statement): string | undefined {
  const bare = tagPattern.exec(raw)?.[1];
  if (bare !== undefined) return bare;
  const marks = [...plain.matchAll(/⟦(\d+)⟧/g)].map((match) => quotes[Number(match[1])] ?? '');
  const quoted = marks
    .map((quote) => /^<([a-z][\w-]*)>(?:.*<\/\1>)?$/i.exec(quote)?.[1])
    .find((name) => name !== undefined);
  if (quoted !== undefined) return quoted;
  const match = namedTag.exec(plain);
  return match === null ? undefined : (match[3] ?? quotes[Number(match[1] ?? match[2])]);
}

function tagged(name: string, whole: boolean): Instruction {
  return {
    slot: `tag ${name}`,
    sentence: whole
      ? `Wrap the whole answer in <${name}> tags.`
      : `Put the final answer between <${name}> and </${name}>.`,
    opposite: `Do not use <${name}> tags.`,
    follow: (plan) => ({ ...plan, tags: [...plan.tags.filter((tag) => tag.name !== name), { name, whole }] }),
    heldBy: ({ answer }) => isBetween(answer, `<${name}>`, `</${name}>`),
  };
}

/** Whether anything but blanks stands between the first and the last of them. */
function isBetween(text: string, open: string, close: string): boolean {
  const start = text.indexOf(open);
  const end = text.lastIndexOf(close);
  return start >= 0 && end > start && text.slice(start + open.length, end).trim() !== '';
}

function untagged(name: string): Instruction {
  return {
    slot: `tag ${name}`,
    sentence: `Do not use <${name}> tags.`,
    opposite: `Wrap the whole answer in <${name}> tags.`,
    follow: (plan) => ({ ...plan, tags: plan.tags.filter((tag) => tag.name !== name) }),
    heldBy: ({ answer }) => !answer.includes(`<${name}>`),
  };
}

const asks =
  /\b(?:answer|answers|reply|replies|respond|responds|response|responses|return|returns|output|outputs|produce|produces|format|formatted|emit|emits|write|give|deliver|print|provide|is|are|be|send|express|only)\b[^.]*\bjson\b/;
const denied = /\b(?:do(?:es)? not|never|no|avoid|without|instead of|rather than|not)\b[^.,;]*\bjson\b/;
const prose = /\b(?:answer|reply|respond|write|use)\b[^.]*\b(?:in |as |plain )(?:running )?(?:prose|plain text)\b/;
const keyList =
  /\b(?:keys?|fields?|properties|property|members?|attributes?)(?: named| called| are| is)?:? (.+)$|\bjson(?: object)?(?:: an? \w+)?(?: with| of| having| that has| containing)? ((?:exactly )?⟦.+)$/;

/** `Answer only with JSON`: the whole answer is one JSON object with the keys that were named. */
export const json: InstructionKind = {
  name: 'JSON',
  followed:
    'The whole answer is one JSON object. Keys may carry a type or choices in brackets: `count` (number), `level` (one of low, high). JSON replaces every other layout.',
  otherwise: 'The answer is prose.',
  phrasings: [
    'Answer only with JSON.',
    'Return a JSON object with the keys “title” and “tags”.',
    'The answer is valid JSON with the keys “cause”, “cure”.',
    'Respond in JSON format.',
    'Output a single JSON object and nothing else.',
    'Format every reply as JSON with these fields: summary, score (number), open (boolean).',
    'Produce JSON: `verdict` (one of pass, fail) and `reasons` (array).',
  ],
  read: (statement) => {
    const { plain } = statement;
    if (/\bjson\b/.test(plain) ? denied.test(plain) : prose.test(plain)) return [inProse()];
    return asks.test(plain) ? [asJson(keysIn(statement))] : [];
  },
};

function keysIn(statement: Statement): readonly JsonKey[] {
  const { plain, raw, quotes, items, example } = statement;
  if (example !== undefined) return keysOfExample(example);
  if (items.length > 0) return items.map((item) => keyOf(item, quotes));
  const match = keyList.exec(plain) ?? /json(?: object)?: (.+)$/.exec(plain);
  const list = match?.[1] ?? match?.[2];
  if (list === undefined) return [];
  const written = raw.slice(raw.length - list.length).replace(/[.]$/, '');
  return written
    .split(/(?:,\s*(?:and )?|\s+and\s+)(?![^(]*\))/)
    .map((part) => keyOf(part.replace(/^exactly\s+/, ''), quotes))
    .filter((key) => /^[\p{L}_$][\p{L}\p{N}_$ -]*$/u.test(key.name) && key.name.split(' ').length <= 3);
}

function keyOf(text: string, quotes: readonly string[]): JsonKey {
  const name = (namesIn(text, quotes)[0] ?? text)
    .replace(/\s*[(:].*$/s, '')
    .replaceAll(/[`"“”]/g, '')
    .trim();
  const note = /\(([^)]*)\)/.exec(text)?.[1] ?? /[:–—]\s*(.+)$/.exec(text)?.[1] ?? '';
  const typed = /^(?:string|number|integer|boolean|array|object|optional|list)\b/i.test(note);
  return { name, type: typeIn(note), options: typed ? [] : optionsIn(note) };
}

function typeIn(note: string): JsonKey['type'] {
  if (/\b(?:array|list|strings)\b/i.test(note)) return 'array';
  if (/\b(?:number|integer|int|float|count|score)\b/i.test(note)) return 'number';
  if (/\b(?:boolean|bool|true)\b/i.test(note)) return 'boolean';
  return /\bobject\b/i.test(note) ? 'object' : 'string';
}

function keysOfExample(example: string): readonly JsonKey[] {
  const value = parseJson(example);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).map(([name, shown]) => ({
    name,
    type: Array.isArray(shown) ? 'array' : typeOfValue(shown),
    options: typeof shown === 'string' && shown.includes('|') ? optionsIn(shown) : [],
  }));
}

function typeOfValue(value: unknown): JsonKey['type'] {
  const type = typeof value;
  return type === 'number' || type === 'boolean' || type === 'object' ? type : 'string';
}

function asJson(keys: readonly JsonKey[]): Instruction {
  const named = keys.map((key) => `“${key.name}”${noteOf(key)}`).join(', ');
  return {
    slot: 'format',
    vague: keys.length === 0,
    sentence: `Answer only with a JSON object${keys.length === 0 ? '' : ` with the keys ${named}`}.`,
    opposite: 'Never answer in JSON; write plain prose.',
    follow: (plan) => ({ ...plan, json: keys }),
    heldBy: ({ answer }) => {
      const value = parseJson(answer.replace(/^\s*<[\w-]+>([\s\S]*)<\/[\w-]+>\s*$/, '$1'));
      return typeof value === 'object' && value !== null && keys.every((key) => Object.hasOwn(value, key.name));
    },
  };
}

function noteOf(key: JsonKey): string {
  if (key.options.length > 0) return ` (one of ${key.options.join(', ')})`;
  return key.type === 'string' ? '' : ` (${key.type})`;
}

function inProse(): Instruction {
  return {
    slot: 'format',
    sentence: 'Never answer in JSON; write plain prose.',
    opposite: 'Answer only with a JSON object.',
    follow: (plan) => ({ ...plan, json: undefined }),
    heldBy: ({ answer }) => parseJson(answer) === undefined,
  };
}
