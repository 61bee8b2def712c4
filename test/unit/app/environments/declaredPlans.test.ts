import assert from 'node:assert/strict';
import { withDeclaredPlans } from '../../../../src/app/environments/declaredPlans.js';
import { keptAnswers } from '../../../../src/app/environments/keptAnswers.js';
import { plannedBatches, typeOfTask } from '../../../../src/engine/stepPlans.js';
import type { EnvironmentHooks } from '../../../../src/engine/runContext.js';
import type { ProgramResult } from '../../../../src/ports/programs.js';
import type { EnvironmentAsk } from '../../../../src/tasks/readers/whetstoneFile.js';
import type { SplitTasks } from '../../../../src/tasks/task.js';
import { aTask, aTrainingTask } from '../../../builders/aTask.js';
import { MemoryContents } from '../../../fakes/MemoryContents.js';
import { MemoryReplyStore } from '../../../fakes/MemoryReplyStore.js';
import { ScriptedPrograms } from '../../../fakes/ScriptedPrograms.js';

const neverAborted = new AbortController().signal;
const environment = 'post';
const training = ['a', 'b', 'c', 'd'].map((id) => aTrainingTask({ id, prompt: `Do ${id}.`, environment, tags: ['x'] }));
const split: SplitTasks = {
  training: [...training, aTrainingTask({ id: 'ours' })],
  heldOut: [{ ...aTask({ id: 'h', prompt: 'Held-out words.', environment, tags: ['y'] }), side: 'heldOut' }],
  sealed: [{ ...aTask({ id: 's', prompt: 'Sealed words.', environment, tags: ['z'] }), side: 'sealed' }],
  setAside: [],
};
const plan = { epoch: 1, batchSize: 2, seed: 7 };

describe('what a declared environment brings to the plan of a run', () => {
  it('is asked for nothing that it does not bring', async () => {
    const { hooks, programs } = await opened(['items', 'edits'], {});
    assert.deepEqual([hooks, programs.requests.length], [undefined, 0]);
  });

  it('is the type of each task, asked for once; of sealed tasks it is told the id, of held-out ones the tags too', async () => {
    const { hooks, lines } = await opened(['types'], { types: { a: 'letter', h: 'bill', ours: 'nothing' } });
    const typeOf = typeOfTask(hooks);
    assert.deepEqual(split.training.map(typeOf), ['letter', 'x', 'x', 'x', '']);
    assert.deepEqual(split.heldOut.map(typeOf), ['bill']);
    const own = ['a', 'b', 'c', 'd'].map((id) => ({ id, tags: ['x'] }));
    const [line, ...more] = lines();
    assert.deepEqual([line?.['tasks'], more], [[...own, { id: 'h', tags: ['y'] }, { id: 's' }], []]);
  });

  it('is the batches of its training tasks, asked for before the first step; the others come in the usual order', async () => {
    const { hooks, lines } = await opened(['batches'], { batches: [['d', 'a'], ['b']] });
    await hooks?.prepareBatches?.(split.training, [plan, { ...plan, epoch: 2 }], neverAborted);
    const ids = plannedBatches({ hooks }, split.training, plan).map((batch) => batch.map(({ id }) => id));
    assert.deepEqual(ids, [['d', 'a'], ['b'], ['ours']]);
    assert.deepEqual(
      lines().map(({ ask, epoch, batch_size: size }) => [ask, epoch, size]),
      [
        ['batches', 1, 2],
        ['batches', 2, 2],
      ],
    );
    assert.doesNotMatch(JSON.stringify(lines()), /Held-out words|Sealed words|"h"|"s"/);
  });

  const refused: readonly (readonly [string, unknown, RegExp])[] = [
    ['a task twice, which nobody has paid for', [['a', 'b'], ['a']], /a task stands there twice/],
    ['more batches than were told', [['a'], ['b'], ['c']], /at most 2 batches of 4 tasks/],
    ['a batch that is too large', [['a', 'b', 'c']], /a batch has at most 2 tasks/],
    ['a held-out task', [['h']], /only training tasks of its own can be planned/],
    ['no task', [], /there is no task in them/],
  ];
  for (const [what, batches, reason] of refused) {
    it(`is the usual plan where it names ${what}, and that is said once`, async () => {
      const { hooks, notes } = await opened(['batches'], { batches });
      await hooks?.prepareBatches?.(split.training, [plan, { ...plan, epoch: 2 }], neverAborted);
      const planned = plannedBatches({ hooks }, split.training, plan);
      assert.equal(planned.flat().length, 5);
      assert.equal(notes.length, 1);
      assert.match(notes[0] ?? '', /^The environment “post” gave no batches, and the run goes on in its own way: /);
      assert.match(notes[0] ?? '', reason);
    });
  }

  it('is which of its tasks the end of an epoch compares, its share of them at most', async () => {
    const { hooks, lines } = await opened(['representatives'], { ids: ['c', 'c', 'a', 'b', 'd'] });
    const chosen = await hooks?.representatives?.(split.training, { epoch: 2, count: 2 }, neverAborted);
    assert.deepEqual(
      chosen?.map(({ id }) => id),
      ['c', 'a'],
    );
    assert.deepEqual([lines()[0]?.['count'], lines()[0]?.['epoch']], [2, 2]);
    const other = await opened(['representatives'], { ids: ['s'] });
    assert.deepEqual(await other.hooks?.representatives?.(split.training, { epoch: 2, count: 2 }, neverAborted), []);
    assert.match(other.notes[0] ?? '', /only training tasks of its own count/);
  });

  it('is said once where it fails, and the run goes on', async () => {
    const { hooks, notes } = await opened(['types', 'batches'], 'prose');
    assert.deepEqual(split.training.map(typeOfTask(hooks)), ['x', 'x', 'x', 'x', '']);
    assert.match(notes[0] ?? '', /gave no types, .*no answer to “types”/);
  });

  it('is not asked for again by the same run that goes on', async () => {
    const replies = new MemoryReplyStore();
    const first = await opened(['types'], { types: { a: 'letter' } }, { replies });
    const again = await opened(['types'], { types: { a: 'other' } }, { replies });
    assert.equal(typeOfTask(again.hooks)(training[0] ?? aTask()), 'letter');
    assert.deepEqual([first.lines().length, again.lines().length], [1, 0]);
    const next = await opened(['types'], { types: { a: 'other' } }, { replies, run: 'another' });
    assert.equal(typeOfTask(next.hooks)(training[0] ?? aTask()), 'other');
  });
});

interface Opened {
  readonly hooks: EnvironmentHooks | undefined;
  readonly programs: ScriptedPrograms;
  readonly notes: readonly string[];
  readonly lines: () => readonly Readonly<Record<string, unknown>>[];
}

/** A program that gives this answer whatever it is asked. */
async function opened(
  brings: readonly EnvironmentAsk[],
  answer: unknown,
  { replies, run = 'run' }: { readonly replies?: MemoryReplyStore; readonly run?: string } = {},
): Promise<Opened> {
  const result: ProgramResult = { kind: 'exited', code: 0, output: JSON.stringify(answer), errorOutput: '' };
  const programs = new ScriptedPrograms(() => result);
  const notes: string[] = [];
  const declaration = { command: 'post', arguments: [], timeLimitSeconds: 5, brings: [...brings] };
  const sources = {
    programs,
    contents: new MemoryContents({}),
    consent: { allows: () => Promise.resolve(true) },
    folder: '/skill',
    moduleStart: () => ({ command: 'node', arguments: [] }),
  };
  const hooks = await withDeclaredPlans(
    undefined,
    {
      declared: new Map([[environment, declaration]]),
      split,
      sources,
      seed: 7,
      kept: replies && keptAnswers(replies, run),
      note: (text) => notes.push(text),
    },
    neverAborted,
  );
  return { hooks, programs, notes, lines: () => programs.requests.map(({ input }) => JSON.parse(input)) };
}
