import assert from 'node:assert/strict';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import type { Proposal, ProposedDocument } from '../../src/ports/proposal.js';
import { aWorkspace, writtenTasks, type TestWorkspace, type WrittenTask } from '../builders/aWorkspace.js';

/** It says the wrong thing in three places in the same words, the last one below the place for new rules. */
const skill = [
  '---',
  'name: words',
  'description: Notes on what happened.',
  '---',
  '',
  '# Notes',
  '',
  '<!-- whetstone:keep -->',
  'Call the owner first.',
  '<!-- /whetstone:keep -->',
  '',
  'Write at least 900 words.',
  '',
  '## Format',
  '',
  '- Write at least 900 words.',
  '- Plain verbs.',
  '',
  '## Remember',
  '',
  '- Write at least 900 words.',
  '- Times are in UTC.',
  '',
].join('\n');

const modes = ['rewrite_from_suggestions', 'full_rewrite_minibatch'] as const;

describe('a skill that says the wrong thing in several places', () => {
  const workspaces: TestWorkspace[] = [];
  after(() => workspaces.splice(0).forEach((workspace) => workspace.dispose()));

  it('is not mended by edits: no anchor names one of the places, and what is said last wins', async () => {
    const { result, actions } = await optimized(workspaces, 'patch');
    assert.ok(result.proposal === undefined);
    assert.ok(!actions.includes('accept_new_best'), actions.join());
  });

  for (const mode of modes) {
    it(`is mended by ${mode}, in several edits with their reasons, within the calls that were announced`, async () => {
      const { workspace, result, events } = await optimized(workspaces, mode);
      const { candidateText, edits } = mended(result.proposal);
      assert.doesNotMatch(candidateText, /900 words/);
      assert.match(candidateText, /<!-- whetstone:keep -->\nCall the owner first\.[^]*at most 600 characters/);
      assert.ok(edits.length > 1 && edits.some(({ edit }) => /the answer was longer/.test(edit.rationale)));
      assert.equal(workspace.skillText(), skill);
      const calls = events.filter((event) => event.kind === 'call').length;
      const announced = await workspace.preflight({ settings: settings(mode) });
      assert.ok(calls > 0 && calls <= announced.calls.high);
    });
  }
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
  const workspace = aWorkspace({ skill, tasks });
  workspaces.push(workspace);
  const events: RunEvent[] = [];
  const result = await workspace.optimize({ settings: settings(mode), onEvent: (event) => events.push(event) });
  const actions = events.flatMap((event) => (event.kind === 'step-ended' ? [event.action] : []));
  return { workspace, result, events, actions };
}

const tasks: readonly WrittenTask[] = writtenTasks({ training: 3, heldOut: 6, sealed: 0 }, []).map((task) => ({
  ...task,
  checks: [{ check: 'max_chars', limit: 600 }],
}));
