import assert from 'node:assert/strict';
import { ModelError } from '../../../../src/errors.js';
import type { Rollout } from '../../../../src/engine/stages/attempts.js';
import { reflectOn } from '../../../../src/engine/stages/reflect.js';
import type { RunEvent } from '../../../../src/engine/journal/runEvents.js';
import type { ModelRequest } from '../../../../src/ports/languageModel.js';
import type { TrainingTask } from '../../../../src/tasks/task.js';
import { aCheckResult, aRollout, aScoredAttempt } from '../../../builders/aRollout.js';
import { aRunContext, anOptimizer, edits, say, type RunParts } from '../../../builders/aRunContext.js';
import { aTrainingTask } from '../../../builders/aTask.js';

const { signal } = new AbortController();
const start = { step: 3, skill: '# Skill', about: '', budget: 2, earlierSteps: [] };

describe('reflection', () => {
  it('asks one analyst for every minibatch of failures and of successes', async () => {
    const { optimizer } = await reflect([...failures(5), ...successes(3)], {
      settings: { reflect: { minibatchSize: 2 } },
    });
    assert.equal(promptsWith(optimizer.requests, 'failed the attempts below').length, 3);
    assert.equal(promptsWith(optimizer.requests, 'passed the attempts below').length, 2);
  });

  it('shows each failed task to exactly one analyst', async () => {
    const { optimizer } = await reflect(failures(5), { settings: { reflect: { minibatchSize: 2 } } });
    const all = optimizer.requests.map(textOf).join('\n');
    for (let index = 0; index < 5; index++) assert.equal(all.split(`task f${index}\n`).length, 2);
  });

  it('lets analysts work side by side, no more than allowed', async () => {
    let working = 0;
    let most = 0;
    const optimizer = anOptimizer({
      reflect: async () => {
        working++;
        most = Math.max(most, working);
        await new Promise((resolve) => setImmediate(resolve));
        working--;
        return edits();
      },
    });
    await reflect(failures(6), { optimizer, settings: { reflect: { minibatchSize: 1, analysts: 3 } } });
    assert.equal(most, 3);
  });

  it('keeps at most the scheduled budget of each analyst’s edits, and tells the analyst so', async () => {
    const optimizer = anOptimizer({ reflect: edits(say('a'), say('b'), say('c')) });
    const { patches } = await reflect(failures(1), { optimizer });
    assert.equal(patches[0]?.edits.length, 2);
    assert.match(textOf(optimizer.requests[0]), /Propose at most 2 edits/);
  });

  it('leaves successes alone where the person wants failures only', async () => {
    const { optimizer } = await reflect([...failures(1), ...successes(4)], {
      settings: { reflect: { failureOnly: true } },
    });
    assert.equal(optimizer.requests.length, 1);
    assert.equal(promptsWith(optimizer.requests, 'passed the attempts below').length, 0);
  });

  it('asks nobody where nothing failed', async () => {
    const { optimizer, patches } = await reflect(successes(4), {});
    assert.deepEqual([optimizer.requests.length, patches.length], [0, 0]);
  });

  it('calls failure what the gate metric calls failure', async () => {
    const half = [aRollout({ scores: [{ hard: 1, soft: 0.5 }] })];
    assert.equal((await reflect(half, {})).optimizer.requests.length, 0);
    assert.equal((await reflect(half, { settings: { gate: { metric: 'soft' } } })).optimizer.requests.length, 1);
  });

  it('leaves out tasks that could not be attempted', async () => {
    const { optimizer } = await reflect([aRollout({ scores: ['invalid'] })], {});
    assert.equal(optimizer.requests.length, 0);
  });

  it('contrasts the six tasks of widest spread first, and is content with what that teaches', async () => {
    const optimizer = anOptimizer({ reflect: edits(say('a')) });
    const { patches } = await reflect([...failures(3), ...disagreeing(8)], { optimizer });
    assert.equal(optimizer.requests.length, 1);
    assert.match(textOf(optimizer.requests[0]), /some attempts passed and some failed/);
    assert.equal(textOf(optimizer.requests[0]).split('## Good attempt').length - 1, 6);
    assert.deepEqual(
      patches.map(({ source, size }) => [source, size]),
      [['contrast', 6]],
    );
  });

  it('falls back to plain reflection where the contrast teaches nothing', async () => {
    const optimizer = anOptimizer({
      reflect: (request) => (textOf(request).includes('some attempts passed') ? edits() : edits(say('a'))),
    });
    const { patches } = await reflect([...failures(1), ...disagreeing(1)], { optimizer });
    assert.deepEqual(
      patches.map(({ source }) => source),
      ['failure'],
    );
    assert.equal(optimizer.requests.length, 2);
  });

  it('takes the lessons from the tasks an edit names, as far as the analyst saw them, else from all', async () => {
    const optimizer = anOptimizer({
      reflect: edits({ ...say('a'), tasks: ['f1', 'nobody'] }, { ...say('b'), tasks: ['nobody'] }),
    });
    const { patches } = await reflect(failures(2), { optimizer });
    assert.deepEqual(
      patches[0]?.edits.map(({ tasks }) => [...tasks].sort()),
      [['f1'], ['f0', 'f1']],
    );
  });

  it('shows earlier steps, rejected edits, preferences and the output contract', async () => {
    const contract = aTrainingTask({ system: 'Answer in one line.' });
    const { optimizer } = await reflect([aRollout({ task: contract, scores: [{ hard: 0, soft: 0 }] })], {
      settings: { preferences: 'No jargon.' },
      rejected: [{ op: 'append', content: '- Shout.', reason: 'worse' }],
    });
    const prompt = textOf(optimizer.requests[0]);
    for (const part of ['Answer in one line.', 'No jargon.', '- append: - Shout. (worse)', '# Skill']) {
      assert.ok(prompt.includes(part), part);
    }
  });

  const lost: readonly (readonly [name: string, answer: string | Error, says: RegExp])[] = [
    [
      'dies',
      new ModelError('unavailable', 'The server is gone.'),
      /failure analyst: the call failed: The server is gone\./,
    ],
    ['writes prose', 'I would make the skill clearer.', /failure analyst: the reply is malformed/],
    ['breaks off', '{"failure_summary": [{"failure_type": "a', /failure analyst: the reply is malformed/],
    ['proposes what is no edit', edits().replace('[]}', '[{"op":"upsert"}]}'), /failure analyst: not an edit/],
  ];
  for (const [name, answer, says] of lost) {
    it(`goes on without an analyst who ${name}, and says so`, async () => {
      const optimizer = anOptimizer({
        reflect: (request) => (textOf(request).includes('task f0\n') ? answer : edits(say('a'))),
      });
      const settings = { reflect: { minibatchSize: 1 } };
      const { patches, events } = await reflect(failures(2), { optimizer, settings });
      assert.equal(patches.flatMap((patch) => patch.edits).length, 1);
      const event = events.find((each) => each.kind === 'patches');
      assert.match(event?.lost.join('\n') ?? '', says);
    });
  }

  it('asks an analyst whose reply cannot be read once more, in firmer words', async () => {
    const optimizer = anOptimizer({ reflect: (request) => (request.attempt === 1 ? 'Well.' : edits(say('a'))) });
    const { patches } = await reflect(failures(1), { optimizer });
    assert.equal(patches[0]?.edits.length, 1);
    assert.match(textOf(optimizer.requests[1]), /Reply with the JSON object alone/);
  });

  it('ends at once where no retry helps', async () => {
    const optimizer = anOptimizer({ reflect: new ModelError('auth', 'The key is wrong.') });
    await assert.rejects(reflect(failures(2), { optimizer }), { kind: 'auth' });
  });

  it('asks the same question again in another step as another sample', async () => {
    const { optimizer, run } = await reflect(failures(1), {});
    await reflectOn(run.context, failures(1), { ...start, step: 4 }, signal);
    const [first, second] = optimizer.requests;
    assert.equal(textOf(first), textOf(second));
    assert.notDeepEqual(first?.dependsOn, second?.dependsOn);
  });
});

async function reflect(rollouts: readonly Rollout<TrainingTask>[], parts: RunParts) {
  const run = aRunContext(parts);
  const patches = await reflectOn(run.context, rollouts, start, signal);
  const events: readonly RunEvent[] = run.events;
  return { run, patches, events, optimizer: run.optimizer };
}

function failures(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const attempts = [aScoredAttempt({ checks: [aCheckResult()] })];
    return aRollout({ task: aTrainingTask({ id: `f${index}` }), attempts });
  });
}

function successes(count: number) {
  return Array.from({ length: count }, (_, index) =>
    aRollout({ task: aTrainingTask({ id: `s${index}` }), scores: [{ hard: 1, soft: 1 }] }),
  );
}

function disagreeing(count: number) {
  return Array.from({ length: count }, (_, index) =>
    aRollout({
      task: aTrainingTask({ id: `d${index}` }),
      scores: [
        { hard: 1, soft: 1 },
        { hard: 0, soft: 0 },
      ],
    }),
  );
}

function textOf(request: ModelRequest | undefined): string {
  return request?.messages.map(({ content }) => content).join('\n') ?? '';
}

function promptsWith(requests: readonly ModelRequest[], words: string): readonly ModelRequest[] {
  return requests.filter((request) => textOf(request).includes(words));
}
