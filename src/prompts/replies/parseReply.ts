import * as z from 'zod';
import type { ModelReply } from '../../ports/languageModel.js';
import { readLooseJson } from './looseJson.js';

/** `cut`: the reply ended before its value did. What is parsed then holds whole entries alone. */
export type ParsedReply<T> =
  | { readonly kind: 'parsed'; readonly value: T; readonly cut?: true }
  | { readonly kind: 'malformed'; readonly reason: string; readonly cut?: true };

/**
 * The JSON value that a model was asked for, whatever it wrote around it: the whole text, else its first fenced
 * value, else its first balanced one; several objects in a row are a list where a list is wanted; each as it stands, then as models write it. What the schema refuses is malformed.
 * Of one that was cut, half an entry of a list is never read. Time grows with the length of the text.
 */
export function parseReply<T>(
  text: string,
  schema: z.ZodType<T>,
  finish: ModelReply['finish'] = 'stop',
): ParsedReply<T> {
  if (text.length > longestReply) return { kind: 'malformed', reason: 'the reply is far longer than was asked for' };
  const candidates = candidatesOf(text);
  if (finish !== 'length') return firstRead(candidates, schema, false);
  const whole = firstWhole(candidates, schema);
  if (whole !== undefined) return whole;
  const read = firstRead(candidates, schema, true);
  return read.kind === 'parsed' ? { ...read, cut: true } : { kind: 'malformed', reason: cutReason(text), cut: true };
}

function firstRead<T>(candidates: readonly string[], schema: z.ZodType<T>, isKnownCut: boolean): ParsedReply<T> {
  let reason = 'the reply holds no JSON';
  for (const candidate of candidates) {
    const read = readValue(candidate, isKnownCut);
    if (read === undefined) continue;
    const parsed = schema.safeParse(read.value);
    if (parsed.success) return { kind: 'parsed', value: parsed.data, ...(read.dropped ? { cut: true } : {}) };
    reason = reasonOf(parsed.error);
  }
  return { kind: 'malformed', reason };
}

/** A value that ends before the cut is whole, whatever else was to follow it. */
function firstWhole<T>(candidates: readonly string[], schema: z.ZodType<T>): ParsedReply<T> | undefined {
  for (const candidate of candidates) {
    const parsed = schema.safeParse(strictJson(candidate));
    if (parsed.success) return { kind: 'parsed', value: parsed.data };
  }
  return undefined;
}

function cutReason(text: string): string {
  return text.trim() === '' ? 'thinking used up all its room' : 'it was cut off at its length limit';
}

function readValue(
  text: string,
  isKnownCut: boolean,
): { readonly value: unknown; readonly dropped: boolean } | undefined {
  const strict = strictJson(text);
  if (strict !== undefined) return { value: strict, dropped: false };
  const loose = readLooseJson(text, isKnownCut);
  return loose?.value === undefined ? undefined : loose;
}

const longestReply = 500_000; // characters: no question allows an answer of more than a fraction of that
const mostIssues = 5; // a list of a million wrong entries is wrong for the same reason

function reasonOf({ issues }: z.ZodError): string {
  return z.prettifyError(new z.ZodError(issues.slice(0, mostIssues))).replaceAll(/\s+/gu, ' ');
}

function candidatesOf(reply: string): readonly string[] {
  const whole = reply.trim();
  const fenced = firstFenced(whole);
  const candidates = [
    ...[opensJson(whole) ? whole : undefined, fenced].flatMap((text) => [severalIn(text), text]),
    firstBalanced(whole),
  ];
  return [...new Set(candidates)].filter((candidate) => candidate !== undefined);
}

/** Several objects one after the other, as the list that they are; undefined where there is only one. */
function severalIn(text: string | undefined): string | undefined {
  const first = text?.startsWith('{') === true ? firstBalanced(text) : undefined;
  const rest = first === undefined ? '' : (text?.slice(first.length, first.length + furthestApart) ?? '');
  return /^\s*,?\s*\{/.test(rest) ? `[${text}]` : undefined;
}

const furthestApart = 100; // characters between two objects

/**
 * What stands in the first fence that holds JSON. A fence ends at a line of as many marks or more; one that has no end
 * is none. Each line is looked at a few times at most, however many fences a reply opens.
 */
function firstFenced(text: string): string | undefined {
  const lines = text.split('\n');
  const ends = lines.map((line) => marksIn(line, /^(`{3,})[ \t\r]*$/u));
  const longestAfter = longestEndAfter(ends);
  for (let at = 0; at < lines.length; at += 1) {
    const marks = marksIn(lines[at], /^(`{3,})[^`]*$/u);
    if (marks === 0 || marks > (longestAfter[at] ?? 0)) continue;
    const end = firstAfter(ends, at, marks);
    const inside = lines
      .slice(at + 1, end)
      .join('\n')
      .trim();
    if (opensJson(inside)) return inside;
    at = end;
  }
  return undefined;
}

function marksIn(line: string | undefined, pattern: RegExp): number {
  return line?.startsWith('```') === true ? (pattern.exec(line)?.[1]?.length ?? 0) : 0;
}

function firstAfter(ends: readonly number[], at: number, marks: number): number {
  let end = at + 1;
  while (end < ends.length && (ends[end] ?? 0) < marks) end += 1;
  return end;
}

/** For each line, the most marks of an end that comes after it. */
function longestEndAfter(ends: readonly number[]): readonly number[] {
  const longest = Array.from(ends, () => 0);
  for (let at = ends.length - 2; at >= 0; at -= 1) longest[at] = Math.max(longest[at + 1] ?? 0, ends[at + 1] ?? 0);
  return longest;
}

function opensJson(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[');
}

function strictJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined; // Not JSON this way: the next way, or the next candidate, may be.
  }
}

/** From the first brace to the one that closes it; to the end of the text where none does, for the repair to mend. */
function firstBalanced(text: string): string | undefined {
  const start = text.search(/[{[]/u);
  if (start < 0) return undefined;
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else depth += depthChange(character);
    if (!quoted && depth === 0) return text.slice(start, at + 1);
  }
  return text.slice(start);
}

function depthChange(character: string | undefined): number {
  if (character === '{' || character === '[') return 1;
  return character === '}' || character === ']' ? -1 : 0;
}
