import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { linesOf } from '../../../src/harvest/lines.js';
import { readers } from '../../../src/harvest/readers/readers.js';
import { longestText, mostExchanges } from '../../../src/harvest/sessionDraft.js';
import { harvestSources, type Session } from '../../../src/harvest/session.js';
import { parseJson } from '../../../src/parseJson.js';
import { isFull } from '../../builders/few.js';
import { bytesOf, rowsIn } from './readFixture.js';

const runs = { numRuns: isFull ? 1_000 : 12 };

describe('sessions that nobody wrote so', () => {
  for (const source of harvestSources) {
    const reader = readers[source];
    const lines = readFileSync(path.join('test/fixtures/harvest', source, 'normal.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');

    it(`${source}: any part may be anything: what is made of it is a session`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.nat(lines.length - 1),
          fc.array(fc.tuple(fc.nat(30), fc.jsonValue()), { minLength: 1, maxLength: 4 }),
          async (at, changes) => {
            const entry = changes.reduce(
              (value, [place, put]) => changed(value, place, put),
              parseJson(lines[at] ?? ''),
            );
            const text = lines.with(at, JSON.stringify(entry) ?? 'null');
            for (const session of await sessionsOf(reader, text)) assertSession(session);
          },
        ),
        runs,
      );
    });

    it(`${source}: lines may be lost or come twice`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(lines.length - 1), { maxLength: 40 }), async (chosen) => {
          for (const session of await sessionsOf(
            reader,
            chosen.map((at) => lines[at] ?? ''),
          ))
            assertSession(session);
        }),
        runs,
      );
    });

    const { object } = reader;
    if (object !== undefined)
      it(`${source}: as one object`, () => {
        fc.assert(
          fc.property(fc.jsonValue(), (value) => assertSession(object(JSON.stringify(value), {}))),
          runs,
        );
        assert.equal(object('{"requ', {}).counts.broken, 1);
      });
  }

  it('vscode-chat: a thought whose kind is no name is no answer', async () => {
    const text = readFileSync('test/fixtures/harvest/vscode-chat/normal.jsonl', 'utf8');
    for (const kind of ['[]', 'null', '{}', '7']) {
      const lines = text.replaceAll('"kind":"thinking"', `"kind":${kind}`).trimEnd().split('\n');
      for (const session of await sessionsOf(readers['vscode-chat'], lines)) assertSession(session);
    }
  });

  it('keep the last exchanges and the beginning of texts, and say so', async () => {
    const entries = Array.from({ length: mostExchanges * 3 }, (_, index) => asking(index));
    const read = readers['copilot-cli'].lines ?? assert.fail();
    const { exchanges, counts } = await read(linesOf(bytesOf(...entries)), {});
    assert.equal(exchanges.length, mostExchanges);
    assert.equal(counts.dropped, mostExchanges * 2);
    const last = exchanges.at(-1) ?? assert.fail();
    assert.ok(last.asked.startsWith(`Do ${mostExchanges * 3 - 1}. `));
    assert.deepEqual([last.asked.length, last.isCut], [longestText, true]);
  });
});

function asking(index: number): object {
  return { type: 'user.message', data: { content: `Do ${index}. ${'x'.repeat(9_000)}` } };
}

async function sessionsOf(
  { lines, rows }: (typeof readers)['pi'],
  text: readonly string[],
): Promise<readonly Session[]> {
  if (lines !== undefined) return [await lines(linesOf(bytesOf(...text)), {})];
  const sessions: Session[] = [];
  const whole = text.filter((line) => line.startsWith('{'));
  if (whole.length === 0) return [];
  for await (const session of rows?.read(rowsIn(whole.join('\n')), {}) ?? assert.fail()) sessions.push(session);
  return sessions;
}

/** The value with one of its parts, wherever it is, replaced. */
function changed(value: unknown, place: number, put: unknown): unknown {
  if (place === 0 || typeof value !== 'object' || value === null) return put;
  const names = Object.keys(value);
  const name = names[place % Math.max(1, names.length)];
  if (name === undefined) return put;
  const inner = changed(Reflect.get(value, name), Math.floor(place / 2), put);
  if (Array.isArray(value)) return value.map((each: unknown, index) => (String(index) === name ? inner : each));
  return { ...value, [name]: inner };
}

function assertSession({ id, kind, started, ended, exchanges, counts }: Session): void {
  assert.equal(typeof id, 'string');
  assert.ok(['main', 'sub-agent', 'own-call'].includes(kind));
  for (const time of [started, ended]) assert.ok(time === undefined || Number.isFinite(time));
  for (const count of Object.values(counts)) assert.ok(Number.isInteger(count) && count >= 0);
  for (const { asked, answer, tools, skills } of exchanges) {
    assert.ok(asked !== '' && asked.length <= longestText && answer.length <= longestText);
    for (const name of [...tools, ...skills]) assert.match(name, /^[^\s<>"'`$;|&]{1,128}$/u);
  }
  const all = JSON.stringify(exchanges);
  for (const hidden of ['OUTPUT-ONLY-9d2e', 'THOUGHT-ONLY-3b4a']) assert.ok(!all.includes(hidden), hidden);
}
