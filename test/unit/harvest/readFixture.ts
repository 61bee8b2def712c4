import assert from 'node:assert/strict';
import { createReadStream, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { linesOf } from '../../../src/harvest/lines.js';
import { readers } from '../../../src/harvest/readers/readers.js';
import type { Exchange, HarvestSource, Session, SessionPlace } from '../../../src/harvest/session.js';
import { parseJson } from '../../../src/parseJson.js';

/** The session of a fixture, read as its source is read. */
export async function readFixture(source: HarvestSource, name: string, place: SessionPlace = {}): Promise<Session> {
  const file = path.join('test/fixtures/harvest', source, name);
  const { lines, object, rows } = readers[source];
  if (name.endsWith('.json')) return (object ?? assert.fail())(readFileSync(file, 'utf8'), place);
  if (rows === undefined) return (lines ?? assert.fail())(linesOf(createReadStream(file)), place);
  const sessions: Session[] = [];
  for await (const session of rows.read(rowsIn(readFileSync(file, 'utf8')), place)) sessions.push(session);
  assert.equal(sessions.length, 1);
  return sessions[0] ?? assert.fail();
}

/** Of a database, as a query gives them, one a line. */
export async function* rowsIn(text: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for (const line of text.trimEnd().split('\n')) yield z.record(z.string(), z.unknown()).parse(parseJson(line));
}

/** Lines of a file that a test makes up. */
export async function* bytesOf(...entries: readonly unknown[]): AsyncGenerator<Uint8Array> {
  for (const entry of entries) yield Buffer.from(`${typeof entry === 'string' ? entry : JSON.stringify(entry)}\n`);
}

export const begun = Date.UTC(2026, 10, 15, 19);

/** An exchange of the fixtures; times are seconds after their beginning. */
export function anExchange(
  asked: string,
  answer: string,
  more: Partial<Exchange> & { readonly second?: number },
): Exchange {
  const { second, ...rest } = more;
  return {
    asked,
    askedAt: second === undefined ? undefined : begun + second * 1000,
    by: 'unknown',
    answer,
    isCut: false,
    tools: [],
    skills: [],
    feedback: undefined,
    ...rest,
  };
}

export const nothingCounted = { unknown: 0, broken: 0, tooLong: 0, commands: 0, noise: 0, dropped: 0 };
