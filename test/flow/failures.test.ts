import assert from 'node:assert/strict';
import { ModelError } from '../../src/errors.js';
import type { Stage } from '../../src/engine/journal/runEvents.js';
import type { RunResult } from '../../src/engine/optimizeSkill.js';
import type { Edit } from '../../src/skill/edits/edit.js';
import {
  aRun,
  anOptimizer,
  edits,
  sayWhatIsAsked,
  say,
  type OptimizerScript,
  type RunParts,
} from '../builders/aRunContext.js';
import { aSplit, wants } from '../builders/aSplit.js';
import { isFull } from '../builders/few.js';

const tasks = aSplit({ training: 10, heldOut: 10, sealed: 2 }, () => wants('alpha', 'beta'));
const nowhere: Edit = { op: 'replace', anchor: 'no such words', content: 'x', rationale: 'y' };

describe('a run in which', () => {
  it('every analyst dies proposes nothing and says that the backend failed', async () => {
    const { result } = await failing({ reflect: new ModelError('unavailable', 'The server is gone.') });
    const nothing = nothingOf(result);
    assert.equal(nothing.cause, 'backend-failed');
    assert.match(nothing.reason, /no usable reply \(failure analyst: the call failed: The server is gone\.\)/);
  });

  it('one analyst dies goes on with the others', async () => {
    const { result, events } = await failing({
      reflect: ({ dependsOn }) =>
        dependsOn?.[0]?.endsWith('failure:0') === true
          ? new ModelError('timeout', 'Too slow.')
          : edits(say('alpha'), say('beta')),
    });
    assert.equal(result.kind === 'proposed' && result.proposal.verdict.kind, 'accepted');
    assert.ok(events.some((event) => event.kind === 'patches' && event.lost.length === 1));
  });

  it('every reply of the optimizer is prose proposes nothing and says why', async () => {
    const { result, optimizer } = await failing({ reflect: 'You should write a better skill.' });
    assert.match(nothingOf(result).reason, /no usable reply \(failure analyst: the reply is malformed/);
    assert.ok(optimizer.requests.length > 0);
  });

  it('a merge returns prose joins the lists, and says so', async () => {
    const { result, events } = await failing({ ...differing, merge: 'I like them all.' });
    assert.equal(result.kind === 'proposed' && result.proposal.verdict.kind, 'accepted');
    assert.ok(
      events.some((event) => event.kind === 'merged' && event.fallback?.includes('joining the lists') === true),
    );
  });

  it('the ranking is out of range takes the first edits, and says so', async () => {
    const merge = edits(say('alpha'), say('beta'), say('c'), say('d'), say('e'));
    const rank = JSON.stringify({ reasoning: '', selected_indices: [17, 23] });
    const { result, events } = await failing({ ...differing, merge, rank });
    assert.equal(result.kind === 'proposed' && result.proposal.verdict.kind, 'accepted');
    assert.ok(events.some((event) => event.kind === 'selected' && event.fallback?.includes('named no edit') === true));
  });

  it('no edit finds its place proposes nothing, and says which and why', async () => {
    const { result, events } = await failing({ reflect: edits(nowhere) });
    const nothing = nothingOf(result);
    assert.equal(nothing.cause, 'edits-did-not-apply');
    assert.match(nothing.reason, /none could be applied to the skill\. The first one: /);
    assert.ok(events.some((event) => event.kind === 'step-ended' && event.action === 'skip_no_change'));
  });

  it('there is no training task proposes nothing and asks nobody', async () => {
    const { result, attempts, optimizer } = await aRun({ tasks: aSplit({ training: 0 }) });
    assert.match(nothingOf(result).reason, /no task is on the training side/);
    assert.deepEqual([attempts.length, optimizer.requests.length], [0, 0]);
  });

  it('there is no held-out task stages the edits as not measured', async () => {
    const { result } = await aRun({
      tasks: aSplit({ heldOut: 0 }),
      optimizer: anOptimizer({ reflect: edits(say('alpha')) }),
    });
    const verdict = result.kind === 'proposed' ? result.proposal.verdict : undefined;
    assert.equal(verdict?.kind === 'unmeasured' && verdict.cause, 'no-held-out');
  });

  it('no attempt succeeds says that nothing could be attempted, and scores nothing', async () => {
    const { result } = await aRun({ ability: () => new ModelError('unavailable', 'The network is down.') });
    const nothing = nothingOf(result);
    assert.equal(nothing.cause, 'backend-failed');
    assert.match(nothing.reason, /The network is down\./);
  });

  it('held-out tasks cannot be attempted spends nothing on edits that could never be shown to be better', async () => {
    const { result, attempts, optimizer } = await aRun({ ability: without('heldOut'), tasks });
    const nothing = nothingOf(result);
    assert.equal(nothing.cause, 'backend-failed');
    assert.match(nothing.reason, /No task could be attempted: Gone\./);
    assert.deepEqual([attempts.length, optimizer.requests.length], [tasks.heldOut.length, 0]);
  });

  it('training tasks cannot be attempted is not taken for one in which they all passed', async () => {
    const { result } = await aRun({ ability: without('training') });
    const nothing = nothingOf(result);
    assert.equal(nothing.cause, 'backend-failed');
    assert.match(nothing.reason, /No training task could be attempted: Gone\./);
  });

  it('the login fails ends at once, with the cure', async () => {
    const wrong = new ModelError('auth', 'The key is wrong.', { cure: 'Set the key.' });
    await assert.rejects(aRun({ ability: () => wrong }), { kind: 'auth', cure: 'Set the key.' });
  });

  it('the budget is spent ends in order after any number of calls, and accepts nothing without evidence', async () => {
    const whole = await capped(Infinity);
    assert.equal(whole.result.kind === 'proposed' && whole.result.proposal.verdict.kind, 'accepted');
    const kinds = new Set<string>();
    for (let calls = whole.calls - 1; calls >= 1; calls -= isFull ? 1 : 4) {
      const { result } = await capped(calls);
      kinds.add(result.kind === 'nothing' ? result.nothing.cause : result.proposal.verdict.kind);
      if (result.kind === 'nothing') assert.match(result.nothing.reason, /cap/);
      else if (result.proposal.verdict.kind === 'accepted') assert.equal(result.proposal.sealed, undefined);
    }
    // Before a better skill is found, before it is certified, and when only the sealed tasks are left.
    assert.deepEqual([...kinds].sort(), ['accepted', 'cap', 'inconclusive']);
  });
});

describe('cancelling', () => {
  const stages: readonly Stage[] = [
    'baseline',
    'rollout',
    'reflect',
    'aggregate',
    'select',
    'evaluate',
    'attribute',
    'certify',
    'sealed',
  ];
  for (const stage of stages) {
    it(`in the stage ${stage} ends the run with the reason given, and starts nothing more`, async () => {
      const controller = new AbortController();
      let after = 0;
      const run = failing(
        {
          ...differing,
          merge: edits(...['alpha', 'beta', 'c', 'd', 'e'].map(say)),
          rank: '{"selected_indices": [0, 1]}',
        },
        {
          signal: controller.signal,
          onEvent: (event) => {
            if (event.kind === 'stage' && event.stage === stage) controller.abort(new Error(`stopped in ${stage}`));
            if (controller.signal.aborted && event.kind === 'attempt') after++;
          },
        },
      );
      await assert.rejects(run, new RegExp(`stopped in ${stage}`, 'u'));
      assert.equal(after, 0);
    });
  }
});

/** Two analysts who see different things. */
const differing: OptimizerScript = {
  reflect: ({ dependsOn }) =>
    dependsOn?.[0]?.endsWith('failure:0') === true ? edits(say('alpha')) : edits(say('beta')),
};

function failing(script: OptimizerScript, parts: RunParts & { readonly signal?: AbortSignal } = {}) {
  return aRun({ tasks, optimizer: anOptimizer(script), ...parts });
}

function without(side: 'training' | 'heldOut'): (skill: string, prompt: string) => string | Error {
  return (_, prompt) => (prompt.includes(side) ? new ModelError('unavailable', 'Gone.') : 'no');
}

async function capped(most: number): Promise<{ readonly result: RunResult; readonly calls: number }> {
  let calls = 0;
  const { result } = await aRun({
    tasks: aSplit({ training: 3, heldOut: 10, sealed: 1 }, () => wants('alpha', 'beta')),
    optimizer: anOptimizer({ reflect: () => spend() ?? edits(say('alpha'), say('beta')) }),
    ability: (skill) => spend() ?? sayWhatIsAsked(skill),
  });
  return { result, calls };

  function spend(): ModelError | undefined {
    calls++;
    return calls > most ? new ModelError('cap', `The cap of ${most} calls is reached.`) : undefined;
  }
}

function nothingOf(result: RunResult) {
  assert.ok(result.kind === 'nothing', JSON.stringify(result));
  return result.nothing;
}
