import { strict as assert } from 'node:assert';
import { addPass, startCertification } from '../../../../src/gate/statistics/certification.js';
import { measuredPower } from '../../../../src/gate/statistics/power.js';
import { certifies, foundShare, gateFor, type Chances } from '../../../../src/gate/power/simulatedGates.js';
import { seeded } from '../../../../src/gate/rules/random.js';
import { inFull, isFull } from '../../../builders/few.js';

describe('how often the gate finds a gain on tasks of known pass rates', () => {
  for (const noRegression of [false, true]) {
    it(`decides as a certification does, ${noRegression ? 'with' : 'without'} the veto of worse tasks`, () => {
      const draws = seeded(11, noRegression ? 1 : 0);
      for (let at = 0; at < (isFull ? 2_000 : 60); at++) {
        const n = 5 + Math.floor(draws() * 12);
        const chances = Array.from({ length: n }, (): Chances => {
          const [win, lose] = [draws() * 0.6, draws() * 0.3];
          return { win, differ: win + lose };
        });
        const seen: number[] = [];
        const random = (): number => {
          const draw = draws();
          seen.push(draw);
          return draw;
        };
        const decided = certifies(gateFor(n, noRegression), chances, random);
        const { kind, drawn } = certified(n, noRegression, chances, seen);
        assert.equal(decided, kind === 'accepted', `${n} tasks, case ${at}`);
        assert.equal(drawn, seen.length, 'it ends after the same pass');
      }
    });
  }

  inFull('agrees with what the bench measured, where no rate is known', () => {
    const rows = measuredPower.filter(({ n }) => [8, 12, 20].includes(n));
    for (const { n, found20, found40 } of rows) {
      const rates = Array.from({ length: n }, () => undefined);
      near(foundShare({ rates, noRegression: false }, 0.2), found20, `${n} tasks, +20`);
      near(foundShare({ rates, noRegression: false }, 0.4), found40, `${n} tasks, +40`);
    }
  });

  it('is the same in whatever order the tasks are named, and none where none can gain', () => {
    const rates = [0.1, undefined, 0.5, 1, 0.9, undefined, 0];
    const turned = rates.toReversed();
    const found = (of: typeof rates): number => foundShare({ rates: of, noRegression: false }, 0.4);
    assert.equal(found(rates), found(turned));
    assert.equal(foundShare({ rates: rates.map(() => 1), noRegression: false }, 0.4), 0);
  });
});

/** The real thing on the same draws: what ends first, and how many draws that took. */
function certified(n: number, noRegression: boolean, chances: readonly Chances[], draws: readonly number[]) {
  let certification = startCertification({ n, grid: 1, noRegression });
  let drawn = 0;
  while (certification.decision.kind === 'continue') {
    const pass = chances.map(({ win, differ }, task) => {
      const draw = draws[drawn++] ?? 1;
      return { task, before: draw >= win && draw < differ ? 1 : 0, after: draw < win ? 1 : 0 };
    });
    certification = addPass(certification, pass);
  }
  return { kind: certification.decision.kind, drawn };
}

/** Four standard errors of two thousand certifications. */
function near(share: number, expected: number, what: string): void {
  const error = Math.sqrt((expected * (1 - expected)) / 2_000) + 0.001;
  assert.ok(Math.abs(share - expected) <= 4 * error, `${what}: ${share}, not about ${expected}`);
}
