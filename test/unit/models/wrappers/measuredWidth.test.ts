import assert from 'node:assert/strict';
import { measuredWidth } from '../../../../src/models/wrappers/measuredWidth.js';
import { few } from '../../../builders/few.js';

describe('how many calls a server on the person’s own machine has under way', () => {
  it('is within one of what the server works on at once up to four, and within three above', () => {
    for (const slots of [1, 2, 3, 4, 5, 6, 8, 10, 12, 16])
      for (const seed of [1, 2, 3]) {
        const { width } = found({ slots, seed });
        const off = Math.abs(width - slots);
        assert.ok(off <= (slots <= 4 ? 1 : 3), `${width} where ${slots} are worked on at once, with the seed ${seed}`);
      }
    assert.equal(found({ slots: 1 }).width, 1);
  });

  it('is found by few calls', () => {
    assert.ok(found({ slots: 1 }).after <= 20, `after ${found({ slots: 1 }).after}`);
    assert.ok(found({ slots: 4 }).after <= 80, `after ${found({ slots: 4 }).after}`);
  });

  it('is what the server says, from the beginning', () => {
    const told = found({ slots: 4, told: 4 });
    assert.deepEqual([told.width, told.after], [4, 0]);
    assert.equal(found({ slots: 64, told: 64 }).width, 16, 'and no more than the person wants');
  });

  it('costs little against the best width', () => {
    for (const slots of [1, 4, 8]) {
      const best = found({ slots, told: slots }).ms;
      assert.ok(found({ slots }).ms <= best * 1.35, `${found({ slots }).ms} ms with ${slots}, ${best} at best`);
    }
  });

  it('halves where the server says that it is too many', () => {
    const width = measuredWidth({ clock: { now: () => 0 }, most: 8, told: 8 });
    width.refused();
    assert.equal(width.current, 4);
  });

  it('is not measured by calls that go one by one, however long nobody asks between them', () => {
    let now = 0;
    const width = measuredWidth({ clock: { now: () => now }, most: 8 });
    for (let call = 0; call < 100; call += 1) {
      const end = width.begun();
      now += 1_000;
      end({ promptTokens: 100, answerTokens: 100 });
      now += 5_000;
    }
    assert.equal(width.current, 1);
  });

  it('leaves what failed out', () => {
    let now = 0;
    const width = measuredWidth({ clock: { now: () => now }, most: 8 });
    for (let call = 0; call < 100; call += 1) {
      const end = width.begun();
      now += 1_000;
      end();
    }
    assert.equal(width.current, 1);
  });

  const speeds: readonly (readonly [name: string, reading: Reading])[] = [
    ['a graphics card', { target: 0.02, judge: 0.02, optimizer: 0.02 }],
    ['an accelerator', { target: 0.1, judge: 0.1, optimizer: 0.1 }],
    ['a processor', { target: 0.5, judge: 0.5, optimizer: 0.5 }],
    ['a processor that keeps what it has read of the skill', { target: 0.06, judge: 0.24, optimizer: 0.24 }],
  ];
  const runs: readonly (readonly [name: string, stages: readonly Stage[]])[] = [
    ['attempts with their grades, in stages', inStages],
    ['attempts, then grades, then the optimizer', oneKindAtATime],
  ];
  for (const [speed, reading] of speeds)
    for (const [name, stages] of runs)
      it(`is what ${speed} works on at once, in a run of ${name}`, () => {
        for (const slots of [1, 2, 4])
          for (const seed of few([4, 8, 1, 2, 3, 5, 6, 7], 3)) {
            const { width } = found({ slots, reading, stages, seed });
            assert.equal(width, slots, `${width} where ${slots} are worked on at once, with the seed ${seed}`);
          }
      });
});

type Kind = 'target' | 'judge' | 'optimizer';
/** How much of a token of the answer a token of the prompt takes. */
type Reading = Readonly<Record<Kind, number>>;

/** So many attempts at once, each of these calls one after the other; the next stage begins when all of them are done. */
interface Stage {
  readonly chains: number;
  readonly of: readonly Kind[];
}

const inStages: readonly Stage[] = repeated(6, [
  { chains: 20, of: ['target', 'judge'] },
  { chains: 2, of: ['optimizer'] },
  { chains: 1, of: ['optimizer'] },
  { chains: 16, of: ['target', 'judge'] },
]);
const oneKindAtATime: readonly Stage[] = repeated(8, [
  { chains: 24, of: ['target'] },
  { chains: 24, of: ['judge'] },
  { chains: 1, of: ['optimizer'] },
]);

const tokens: Readonly<Record<Kind, { readonly prompt: number; readonly answers: readonly number[] }>> = {
  target: { prompt: 900, answers: [40, 220, 120, 300, 60, 180, 90] },
  judge: { prompt: 1_500, answers: [60, 80, 100, 70] },
  optimizer: { prompt: 6_000, answers: [700, 900, 500] },
};

interface Served {
  readonly slots: number;
  readonly reading?: Reading;
  readonly stages?: readonly Stage[];
  readonly most?: number;
  readonly told?: number;
  readonly seed?: number;
}

/**
 * A run against a server that works on so many calls at once and lets the others wait, on a clock of its own; gives the width in
 * the end, and after how many calls it was found. Prompts and answers have different lengths, and times vary a little.
 */
function found({
  slots,
  reading = { target: 0.1, judge: 0.1, optimizer: 0.1 },
  stages = [{ chains: 400, of: ['target'] }],
  most = 16,
  told,
  seed = 1,
}: Served) {
  let now = 0;
  const random = seeded(seed);
  const width = measuredWidth({ clock: { now: () => now }, most, told });
  let [sent, after, last] = [0, 0, width.current];

  const passStage = ({ chains, of }: Stage): void => {
    const ready = Array.from({ length: chains }, () => of);
    const waiting: { readonly ms: number; readonly done: () => void }[] = [];
    const working: { readonly endsAt: number; readonly done: () => void }[] = [];
    let underWay = 0;
    const send = ([kind = 'target', ...rest]: readonly Kind[]): void => {
      const { prompt, answers } = tokens[kind];
      const work = {
        promptTokens: Math.round(prompt * (0.8 + 0.4 * random())),
        answerTokens: answers[sent % answers.length] ?? 0,
      };
      const ms = 20 * (work.answerTokens + reading[kind] * work.promptTokens) * (0.95 + 0.1 * random());
      const end = width.begun();
      sent += 1;
      underWay += 1;
      const done = (): void => {
        underWay -= 1;
        end(work);
        if (rest.length > 0) ready.push(rest);
        if (width.current !== last) [last, after] = [width.current, sent];
      };
      waiting.push({ ms, done });
    };
    const fill = (): void => {
      while (underWay < width.current && ready.length > 0) send(ready.shift() ?? []);
      for (const next of waiting.splice(0, Math.max(0, slots - working.length)))
        working.push({ endsAt: now + next.ms, done: next.done });
    };
    for (fill(); working.length > 0; fill()) {
      working.sort((a, b) => a.endsAt - b.endsAt);
      const next = working.shift();
      now = next?.endsAt ?? now;
      next?.done();
      now += 3; // until the next call is made
    }
  };

  for (const stage of stages) {
    passStage(stage);
    now += 3_000; // between two stages
  }
  return { width: width.current, after, ms: now };
}

function repeated(times: number, stages: readonly Stage[]): readonly Stage[] {
  return Array.from({ length: times }, () => stages).flat();
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
