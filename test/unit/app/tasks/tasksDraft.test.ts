import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ModelError } from '../../../../src/errors.js';
import type { ModelRequest } from '../../../../src/ports/languageModel.js';
import { nodeClock } from '../../../../src/storage/files/nodeAdapters.js';
import type { SkillOverview } from '../../../../src/app/results/overview.js';
import type { TaskView } from '../../../../src/app/tasks/taskView.js';
import { createUseCases } from '../../../../src/app/useCases.js';
import { aMachine, neverAborted, scrapMachines } from '../../../builders/storage.js';
import { ScriptedModel, type ScriptedAnswer } from '../../../fakes/ScriptedModel.js';

after(scrapMachines);

const good = {
  id: 'late-train',
  prompt: 'My train is late, what now?',
  expectations: ['It names the next train.'],
  tags: ['rail'],
};

describe('drafting tasks', () => {
  it('keeps what is sound of a reply, and marks it as a draft', async () => {
    const bench = await aBench({
      text: JSON.stringify({
        tasks: [
          good,
          {
            id: 'mixed',
            prompt: 'Sum up',
            checks: [{ check: 'regex', pattern: '(' }, { check: 'contains', text: 'sum' }, { check: 'nonsense' }],
          },
          { id: 'unfailable', prompt: 'Say anything' },
          { id: 'only-bad', prompt: 'Say it', checks: [{ check: 'max_chars' }] },
          { prompt: 'no id' },
          'prose',
        ],
      }),
    });
    assert.deepEqual(await bench.draft(9), ['late-train', 'mixed']);
    const { evals } = bench.evals();
    assert.deepEqual(
      evals.map(({ id }) => id),
      ['late-train', 'mixed'],
    );
    assert.deepEqual(bench.whetstone()['mixed'], {
      ...bench.whetstone()['mixed'],
      checks: [{ check: 'contains', text: 'sum' }],
      draft: true,
    });
    assert.equal(bench.whetstone()['late-train']?.draft, true);
  });

  it('asks once more, with more room, where the reply was cut', async () => {
    const whole = JSON.stringify({ tasks: [good, { ...good, id: 'second', prompt: 'And the bus?' }] });
    const bench = await aBench((request: ModelRequest) =>
      request.maxOutputTokens > 12_000 ? { text: whole } : { text: whole.slice(0, -40), finish: 'length' },
    );
    assert.deepEqual(await bench.draft(9), ['late-train', 'second']);
    assert.equal(bench.optimizer.requests.length, 2);
  });

  it('drops the last draft of a reply that was cut twice, and says so', async () => {
    const whole = JSON.stringify({
      tasks: [good, { ...good, id: 'second', prompt: 'And the bus? Please say which.' }],
    });
    for (const left of [whole.slice(0, whole.indexOf(' Please')), whole.slice(0, -2)]) {
      const bench = await aBench({ text: left, finish: 'length' });
      assert.deepEqual(await bench.draft(9), ['late-train']);
      assert.deepEqual(bench.told, ['The reply with the drafts was cut off: its last draft was dropped.']);
    }
  });

  it('says that thinking used up the room for the drafts', async () => {
    const bench = await aBench({ text: '', finish: 'length' });
    await assert.rejects(bench.draft(9), /holds no tasks: thinking used up all its room\./);
  });

  it('takes no more than were asked for', async () => {
    const tasks = ['a', 'b', 'c'].map((id) => ({ ...good, id, prompt: `Tell me about ${id}.` }));
    assert.deepEqual(await (await aBench({ text: JSON.stringify({ tasks }) })).draft(2), ['a', 'b']);
  });

  it('shows the optimizer training tasks and drafts, never what proves anything', async () => {
    const bench = await aBench(
      { text: JSON.stringify({ tasks: [good] }) },
      {
        'evals/evals.json': {
          evals: ['training', 'heldOut', 'sealed', 'draft'].map((id) => ({
            id,
            prompt: `The ${id} prompt`,
            expectations: ['x'],
          })),
        },
        'evals/whetstone.json': {
          format: 'whetstone.tasks',
          version: 1,
          tasks: {
            training: { split: 'training' },
            heldOut: { split: 'heldOut' },
            sealed: { split: 'sealed' },
            draft: { draft: true },
          },
        },
      },
    );
    await bench.draft(1);
    const prompt = bench.optimizer.requests[0]?.messages[0]?.content ?? '';
    assert.match(prompt, /The training prompt[\s\S]*The draft prompt/);
    assert.doesNotMatch(prompt, /The (?:heldOut|sealed) prompt/);
  });

  const failures: readonly (readonly [string, ScriptedAnswer, RegExp])[] = [
    ['prose', 'I would rather not.', /holds no tasks/],
    ['an empty list', '{"tasks": []}', /no task that could be failed/],
    ['tasks that nothing can fail', '{"tasks": [{"id": "a", "prompt": "b"}]}', /no task that could be failed/],
    ['a call that failed', new ModelError('auth', 'The key is wrong.'), /The key is wrong/],
  ];
  for (const [name, answer, says] of failures) {
    it(`says what happened after ${name}, and writes nothing`, async () => {
      const bench = await aBench(answer);
      await assert.rejects(bench.draft(3), says);
      assert.equal(existsSync(path.join(bench.folder, 'evals')), false);
    });
  }

  const odd = { ...good, id: 'odd', prompt: 'And the bus?', checks: [{ check: 'contains', text: 'synergy' }] };

  it('marks what a small model asks for out of nowhere, and has it confirmed by itself alone', async () => {
    const bench = await aBench({ text: JSON.stringify([good, odd]) }, {}, 'qwen2.5:3b');
    assert.deepEqual(await bench.draft(9), ['late-train', 'odd']);
    assert.deepEqual(bench.whetstone()['odd']?.tags, ['rail', 'look-twice']);
    const { tasks } = await bench.overview();
    assert.deepEqual([...(tasks?.doubts ?? [])], [['odd', ['synergy']]]);
    assert.deepEqual([...(tasks?.onlySingly ?? [])], ['odd']);
    assert.deepEqual((await bench.show('odd')).doubts, ['synergy']);
    assert.equal((await bench.show('late-train')).doubts, undefined);
  });

  it('takes the same from another model for what it knows', async () => {
    const bench = await aBench({ text: JSON.stringify({ tasks: [odd] }) });
    await bench.draft(9);
    assert.deepEqual(bench.whetstone()['odd']?.tags, ['rail']);
    assert.equal((await bench.overview()).tasks?.onlySingly, undefined);
  });

  it('does nothing in a workspace that is not trusted', async () => {
    const bench = await aBench('never asked');
    await assert.rejects(bench.draft(3, false), /not trusted/);
    assert.equal(bench.optimizer.requests.length, 0);
  });
});

interface Written {
  readonly checks?: readonly object[];
  readonly draft?: boolean;
  readonly tags?: readonly string[];
}

async function aBench(
  answer: ScriptedAnswer,
  files: Readonly<Record<string, object>> = {},
  model = 'scripted-1',
): Promise<{
  readonly folder: string;
  readonly optimizer: ScriptedModel;
  readonly told: readonly string[];
  draft(count: number, trusted?: boolean): Promise<readonly string[]>;
  evals(): { readonly evals: readonly { readonly id: string }[] };
  whetstone(): Readonly<Record<string, Written>>;
  overview(): Promise<SkillOverview>;
  show(task: string): Promise<TaskView>;
}> {
  const machine = await aMachine();
  const folder = path.dirname(machine.skillPath);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), JSON.stringify(content));
  }
  const optimizer = new ScriptedModel({ model }).when(() => true, answer);
  const told: string[] = [];
  const useCases = createUseCases({
    environment: {},
    platform: 'linux',
    home: machine.home,
    clock: nodeClock,
    models: async () => ({ target: optimizer, optimizer, judge: optimizer }),
    trusted: () => true,
    consent: { allows: () => Promise.resolve(false) },
    caps: () => ({ day: {}, month: {} }),
    tell: (text) => void told.push(text),
  });
  const request = { skillPath: machine.skillPath, workspaceFolders: [machine.workspace] };
  const read = (name: string): string => readFileSync(path.join(folder, 'evals', name), 'utf8');
  return {
    folder,
    optimizer,
    told,
    draft: (count, trusted = true) => useCases.draftTasks({ ...request, count, trusted }, neverAborted),
    overview: () => useCases.overview(request, neverAborted),
    show: (task) => useCases.showTask({ ...request, task }),
    evals: () => JSON.parse(read('evals.json')),
    whetstone: () => JSON.parse(read('whetstone.json')).tasks,
  };
}
