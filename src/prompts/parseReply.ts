import * as z from 'zod';
import { readLooseJson } from './looseJson.js';

export type ParsedReply<T> =
  | { readonly kind: 'parsed'; readonly value: T }
  | { readonly kind: 'malformed'; readonly reason: string };

/**
 * The JSON value that a model was asked for, whatever it wrote around it: the whole text, else its first fenced
 * value, else its first balanced one; each as it stands, then as models write it. What the schema refuses is malformed.
 * Time grows with the length of the text.
 */
export function parseReply<T>(text: string, schema: z.ZodType<T>): ParsedReply<T> {
  if (text.length > longestReply) return { kind: 'malformed', reason: 'the reply is far longer than was asked for' };
  let reason = 'the reply holds no JSON';
  for (const candidate of candidatesOf(text)) {
    for (const read of [JSON.parse, readLooseJson]) {
      const value = readWith(read, candidate);
      if (value === undefined) continue;
      const parsed = schema.safeParse(value);
      if (parsed.success) return { kind: 'parsed', value: parsed.data };
      reason = reasonOf(parsed.error);
      break;
    }
  }
  return { kind: 'malformed', reason };
}

const longestReply = 500_000; // characters: no question allows an answer of more than a fraction of that
const mostIssues = 5; // a list of a million wrong entries is wrong for the same reason

function reasonOf({ issues }: z.ZodError): string {
  return z.prettifyError(new z.ZodError(issues.slice(0, mostIssues))).replaceAll(/\s+/gu, ' ');
}

function candidatesOf(text: string): readonly string[] {
  const whole = text.trim();
  const candidates = [opensJson(whole) ? whole : undefined, firstFenced(whole), firstBalanced(whole)];
  return [...new Set(candidates)].filter((candidate) => candidate !== undefined);
}

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

function readWith(read: (text: string) => unknown, text: string): unknown {
  try {
    return read(text);
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
