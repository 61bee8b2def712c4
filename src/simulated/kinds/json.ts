import { parseJson } from '../../parseJson.js';
import type { Instruction, InstructionKind } from '../instruction.js';
import type { Statement } from '../reading/statements.js';
import { namesIn, optionsIn } from '../reading/wording.js';
import type { JsonKey } from '../target/plan.js';

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
    kind: json.name,
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
    kind: json.name,
    slot: 'format',
    vague: false,
    sentence: 'Never answer in JSON; write plain prose.',
    opposite: 'Answer only with a JSON object.',
    follow: (plan) => ({ ...plan, json: undefined }),
    heldBy: ({ answer }) => parseJson(answer) === undefined,
  };
}
