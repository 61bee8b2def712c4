import assert from 'node:assert/strict';
import { ModelError } from '../../src/errors.js';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import { anOptimizer, aRun, edits, neverSay, say } from '../builders/aRunContext.js';
import type { ScriptedAnswer } from '../fakes/ScriptedModel.js';

const settings = {
  train: { epochs: 1 },
  gate: { rule: 'strict', attribution: false },
  edits: { budget: 3, minimum: 1, control: 'autonomous' },
};
/** Two edits that help and one that undoes them: all three together are not better. */
const three = edits(say('alpha'), say('beta'), neverSay('alpha'));
const firstTwo = JSON.stringify({ reasoning: 'These help.', selected_indices: [0, 1] });
const wants = (edit_count: unknown): string => JSON.stringify({ reasoning: 'The last is doubtful.', edit_count });

describe('an edit budget that the optimizer decides', () => {
  it('keeps out the edit that spoils the others, and the same run by the schedule takes it with them', async () => {
    const fixed = await aRun({
      settings: { ...settings, edits: { ...settings.edits, control: 'fixed' } },
      optimizer: anOptimizer({ reflect: three, rank: firstTwo }),
    });
    assert.equal(fixed.result.kind, 'nothing');
    assert.deepEqual(eventsOf(fixed.events, 'edit-budget'), []);
    const { run, decided, selected } = await deciding(wants(2));
    assert.deepEqual([decided?.scheduled, decided?.budget, decided?.edits], [3, 2, 3]);
    assert.deepEqual([selected?.budget, selected?.edits], [2, 2]);
    assert.ok(run.result.kind === 'proposed');
    assert.equal(run.result.proposal.documents[0]?.edits.length, 2);
    assert.equal(run.texts.texts.get(decided?.reasonHash ?? ''), 'The last is doubtful.');
  });

  it('is never above the budget of the run, and may be none', async () => {
    const many = await deciding(wants(99));
    assert.deepEqual([many.decided?.budget, many.selected?.edits], [3, 3]);
    const none = await deciding(wants(0));
    assert.deepEqual([none.decided?.budget, none.selected?.edits], [0, 0]);
    const [ended] = eventsOf(none.run.events, 'step-ended');
    assert.equal(ended?.action, 'skip_no_patches');
    assert.match(ended.reason, /the optimizer wanted none/);
  });

  const unreadable: readonly (readonly [name: string, reply: ScriptedAnswer])[] = [
    ['prose', 'Two of them, I should say.'],
    ['a number below zero', wants(-1)],
    ['half a number', wants(1.5)],
    ['no number', JSON.stringify({ reasoning: 'Some.' })],
    ['nothing that thinking left room for', { text: '', finish: 'length' }],
    ['a call that failed', new ModelError('timeout', 'Too slow.')],
  ];
  for (const [name, reply] of unreadable) {
    it(`stays as scheduled after ${name}: never none`, async () => {
      const { decided, selected } = await deciding(reply);
      assert.deepEqual([decided?.budget, selected?.budget, selected?.edits], [3, 3, 3]);
      assert.ok(decided?.lost !== undefined && decided.reasonHash === undefined);
    });
  }

  it('is read as a number where the reply has it in quotes', async () => {
    assert.equal((await deciding(wants('2'))).decided?.budget, 2);
  });

  it('is not asked for where a single edit leaves nothing to decide', async () => {
    const run = await aRun({ settings, optimizer: anOptimizer({ reflect: edits(say('alpha')) }) });
    assert.equal(run.result.kind, 'proposed');
    assert.deepEqual(eventsOf(run.events, 'edit-budget'), []);
  });
});

async function deciding(budget: ScriptedAnswer) {
  const run = await aRun({ settings, optimizer: anOptimizer({ reflect: three, rank: firstTwo, budget }) });
  const [decided] = eventsOf(run.events, 'edit-budget');
  const [selected] = eventsOf(run.events, 'selected');
  return { run, decided, selected };
}

function eventsOf<Kind extends RunEvent['kind']>(events: readonly RunEvent[], kind: Kind) {
  return events.filter((event): event is Extract<RunEvent, { kind: Kind }> => event.kind === kind);
}
