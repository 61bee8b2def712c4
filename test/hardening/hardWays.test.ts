import assert from 'node:assert/strict';
import { createRedactor } from '../../src/redaction/redactor.js';
import { figure, isWhole, seed } from './figures.js';
import { hardWays, type HardWay } from './hardWays.js';

const rounds = isWhole ? 50 : 1;

describe('hard ways to write a secret', () => {
  it('are found, most of them', () => {
    const seeds = Array.from({ length: rounds }, (_, round) => seed + round);
    const missed = seeds.map((each) => hardWays(each).filter(isMissed));
    const tried = hardWays(seed).length;
    const most = Math.max(...missed.map((ways) => ways.length));
    figure({
      what: 'hard ways to write a secret',
      tried,
      result: `${tried - most} found at least in ${rounds} draws; missed: ${namesOf(missed.flat())}`,
    });
    assert.ok(tried >= 50, `${tried} ways`);
    assert.ok(tried - most >= leastFound, `missed: ${namesOf(missed.flat())}`);
  });
});

/** Fewer is a step back; those that are missed today say things that only a reader understands. */
const leastFound = 60;

/** Half a secret is a secret: no six characters of it may be left. */
function isMissed({ text, secret }: HardWay): boolean {
  const clean = createRedactor({ key: 'k' }).redact(text).text;
  return Array.from({ length: Math.max(1, secret.length - 5) }, (_, at) => secret.slice(at, at + 6)).some((part) =>
    clean.includes(part),
  );
}

function namesOf(ways: readonly HardWay[]): string {
  return [...new Set(ways.map(({ name }) => name))].join(', ');
}
