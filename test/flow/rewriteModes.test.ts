import assert from 'node:assert/strict';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import type { Proposal, ProposedDocument } from '../../src/ports/proposal.js';
import { aContradictingSkill, contradictingSkill } from '../builders/aContradictingSkill.js';
import type { TestWorkspace } from '../builders/aWorkspace.js';
import { few } from '../builders/few.js';

const modes = ['rewrite_from_suggestions', 'full_rewrite_minibatch'] as const;

describe('a skill that says the wrong thing in several places', () => {
  const workspaces: TestWorkspace[] = [];
  after(() => workspaces.splice(0).forEach((workspace) => workspace.dispose()));

  it('is not mended by edits: no anchor names one of the places, and what is said last wins', async () => {
    const { result, actions } = await optimized(workspaces, 'patch');
    assert.ok(result.proposal === undefined);
    assert.ok(!actions.includes('accept_new_best'), actions.join());
  });

  for (const mode of few(modes)) {
    it(`is mended by ${mode}, in several edits with their reasons, within the calls that were announced`, async () => {
      const { workspace, result, events } = await optimized(workspaces, mode);
      const { candidateText, edits } = mended(result.proposal);
      assert.doesNotMatch(candidateText, /900 words/);
      assert.match(candidateText, /<!-- whetstone:keep -->\nCall the owner first\.[^]*at most 600 characters/);
      assert.ok(edits.length > 1 && edits.some(({ edit }) => /the answer was longer/.test(edit.rationale)));
      assert.equal(workspace.skillText(), contradictingSkill);
      const calls = events.filter((event) => event.kind === 'call').length;
      const announced = await workspace.preflight({ settings: settings(mode) });
      assert.ok(calls > 0 && calls <= announced.calls.high);
    });
  }

  it('is not measured where some of the edits of a rewrite were taken', async () => {
    const { workspace, result } = await optimized(workspaces, modes[1]);
    const { edits } = mended(result.proposal);
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const [first] = edits;
    await workspace.useCases().adopt({ ...request, edits: [first?.id ?? ''] }, new AbortController().signal);
    const { measurement, history } = await workspace.overview();
    assert.deepEqual([measurement.kind, history[0]?.verdict], ['unmeasured', 'unmeasured']);
    assert.notEqual(workspace.skillText(), contradictingSkill);
  });
});

function mended(proposal: Proposal | undefined): ProposedDocument {
  assert.equal(proposal?.verdict.kind, 'accepted');
  const [document] = proposal.documents;
  return document ?? assert.fail();
}

function settings(mode: string) {
  return { edits: { mode }, train: { epochs: 2 } };
}

async function optimized(workspaces: TestWorkspace[], mode: string) {
  const workspace = aContradictingSkill();
  workspaces.push(workspace);
  const events: RunEvent[] = [];
  const result = await workspace.optimize({ settings: settings(mode), onEvent: (event) => events.push(event) });
  const actions = events.flatMap((event) => (event.kind === 'step-ended' ? [event.action] : []));
  return { workspace, result, events, actions };
}
