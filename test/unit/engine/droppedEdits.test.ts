import assert from 'node:assert/strict';
import { originalCandidate } from '../../../src/engine/candidate.js';
import type { AttributionResult } from '../../../src/engine/certify/attribute.js';
import { droppedEdits, proposedEdits } from '../../../src/engine/makeProposal.js';
import type { PatchEdit } from '../../../src/engine/patch.js';
import { aPatchEdit } from '../../builders/aPatch.js';
import { say } from '../../builders/aRunContext.js';

const shared = 'It asks for alpha. No longer says: Be long.';
const added = aPatchEdit({ ...say('alpha'), rationale: shared }, { ofRewrite: true });
const removed = aPatchEdit({ op: 'delete', anchor: 'Be long.', rationale: shared }, { ofRewrite: true });
const reminder = aPatchEdit({
  op: 'appendix',
  content: '## Execution Notes Appendix\n\n- Do say “gamma” in every answer.',
  rationale:
    'According to the optimizer the skill says this already, and attempts at 1 training task did not follow it.',
});

describe('edits that were dropped before the rest was measured', () => {
  it('are held with what they are worth', () => {
    const worth = { effect: -0.25, interval: [-0.5, 0] as const, group: [] };
    const attributed = { ...kept([added], [removed]), worths: new Map([[removed, worth]]) };
    assert.deepEqual(droppedEdits(attributed), [
      { edit: removed.edit, worth: { kind: 'measured', effect: -0.25, interval: [-0.5, 0], group: [] } },
    ]);
  });

  it('are named in a reason of their rewrite that speaks of them too', () => {
    assert.equal(
      reasonOf(kept([added], [removed])),
      `${shared} (Said of several edits of a rewrite, of which one was dropped: “Be long.”.)`,
    );
    assert.equal(reasonOf(kept([added, removed], [])), shared);
    const other = aPatchEdit({ op: 'delete', anchor: 'Be stern.', rationale: 'Too stern.' }, { ofRewrite: true });
    assert.equal(reasonOf(kept([added], [other])), shared);
  });

  it('are no longer said to stand in the skill by the reminder that repeats one of them', () => {
    assert.equal(
      reasonOf(kept([reminder], [aPatchEdit(say('gamma'))])),
      'Attempts at 1 training task did not follow this. What it repeats was tried and dropped: “- Say “gamma”.”.',
    );
    assert.equal(reasonOf(kept([reminder], [aPatchEdit(say('delta'))])), reminder.edit.rationale);
  });
});

function kept(edits: readonly PatchEdit[], dropped: readonly PatchEdit[]): AttributionResult {
  return { kept: { ...originalCandidate(''), edits }, worths: new Map(), dropped, doubtful: [] };
}

function reasonOf(attributed: AttributionResult): string | undefined {
  return proposedEdits(attributed)[0]?.edit.rationale;
}
