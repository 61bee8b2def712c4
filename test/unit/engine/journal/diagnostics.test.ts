import assert from 'node:assert/strict';
import { ModelError } from '../../../../src/errors.js';
import { diagnosisOf, heldOutAttempts, lastCallError } from '../../../../src/engine/journal/diagnostics.js';
import { sha256 } from '../../../../src/hash.js';
import { aRun, anOptimizer, edits, say, skillText, type RunParts } from '../../../builders/aRunContext.js';
import { aCall } from '../../../builders/runEvents.js';
import { aSplit, wants } from '../../../builders/aSplit.js';

const tasks = aSplit({ training: 3, heldOut: 5 }, () => wants('alpha', 'beta'));

describe('diagnostics', () => {
  it('tell for every held-out task how it went before and after, and why', async () => {
    const { events, texts } = await run({ optimizer: anOptimizer({ reflect: edits(say('alpha'), say('beta')) }) });
    const rows = heldOutAttempts(events, tasks.heldOut, sha256(skillText));
    assert.equal(rows.length, 5);
    const [row] = rows;
    assert.ok(row?.before !== undefined && row.after !== undefined);
    const answer = (hash: string | undefined): string | undefined => texts.texts.get(hash ?? '');
    const before = { ...diagnosisOf(row.task, row.before, { answer: answer(row.before.answerHash) }) };
    const after = { ...diagnosisOf(row.task, row.after, { answer: answer(row.after.answerHash) }) };
    assert.deepEqual(
      [before['kind'], before['hard'], before['soft'], before['answer_length'], before['answer_head']],
      ['scored', 0, 0, 8, 'Nothing.'],
    );
    assert.match(String(before['why']), /^Not met: The answer contains “alpha”\. The answer contains “beta”\.$/);
    assert.deepEqual([after['hard'], after['why']], [1, 'Every check passed.']);
  });

  it('tell what was said about each check that failed', async () => {
    const { events } = await run({});
    const [row] = heldOutAttempts(events, tasks.heldOut, sha256(skillText));
    assert.ok(row !== undefined);
    const reasons = ['It is silent about letters.', ''];
    const diagnosis = diagnosisOf(row.task, row.before, { answer: 'Nothing.', reasons });
    assert.deepEqual(diagnosis?.['said'], [{ check: 'contains', reason: 'It is silent about letters.' }]);
  });

  it('show no more than the first two hundred characters of an answer', async () => {
    const { events } = await run({});
    const [row] = heldOutAttempts(events, tasks.heldOut, sha256(skillText));
    assert.ok(row !== undefined);
    const diagnosis = diagnosisOf(row.task, row.before, { answer: 'x'.repeat(1000) });
    assert.deepEqual([String(diagnosis?.['answer_head']).length, diagnosis?.['answer_length']], [200, 1000]);
  });

  it('say why there is no score where the world prevented one', async () => {
    const { events } = await run({ ability: () => new ModelError('unavailable', 'The server is gone.') });
    const [row] = heldOutAttempts(events, tasks.heldOut, sha256(skillText));
    assert.ok(row !== undefined);
    const diagnosis = diagnosisOf(row.task, row.before, { answer: undefined });
    assert.deepEqual(
      [diagnosis?.['kind'], diagnosis?.['hard'], diagnosis?.['why']],
      ['invalid', null, 'The server is gone.'],
    );
    assert.equal(diagnosisOf(row.task, row.after, { answer: undefined }), null);
    assert.equal(lastCallError(events), 'The server is gone.');
  });

  it('name the last call that failed, of whatever stage', async () => {
    const optimizer = anOptimizer({ reflect: new ModelError('timeout', 'The optimizer sleeps.') });
    const { events } = await run({ optimizer });
    assert.match(lastCallError(events) ?? '', /the call failed: The optimizer sleeps\./);
    assert.equal(lastCallError([{ kind: 'run-ended', outcome: 'failed', reason: 'Login failed.' }]), 'Login failed.');
    assert.equal(lastCallError((await run({})).events), undefined);
  });

  it('name it where a cap ended the run before any attempt came to an end, and not once another was answered', () => {
    const failed = aCall({ error: 'unavailable' });
    const ended = { kind: 'run-ended', outcome: 'cap', reason: 'At its cap.' } as const;
    assert.equal(lastCallError([failed, aCall({ error: 'cap' }), ended]), 'The last call failed: unavailable.');
    assert.equal(lastCallError([failed, aCall(), ended]), undefined);
  });
});

function run(parts: RunParts) {
  return aRun({ tasks, ...parts });
}
