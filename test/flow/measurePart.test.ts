import assert from 'node:assert/strict';
import { anOptimizer, edits, say, sayWhatIsAsked } from '../builders/aRunContext.js';
import { aWorkspace, inEveryRole, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';

const never = new AbortController().signal;

describe('part of a proposal that was adopted', () => {
  let workspace: TestWorkspace;
  const model = inEveryRole(
    anOptimizer({ reflect: edits(say('alpha'), say('beta')) }).when(
      ({ role }) => role === 'target',
      ({ messages }) => sayWhatIsAsked(messages[0]?.content ?? ''),
    ),
  );
  beforeEach(() => {
    workspace = aWorkspace({ tasks: writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, ['alpha']), models: model });
  });
  afterEach(() => workspace.dispose());

  it('is not measured until it is measured by itself, which the history then says of that version', async () => {
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const original = workspace.skillText();
    await workspace.optimize();
    const useCases = workspace.useCases();
    await useCases.adopt({ ...request, edits: ['E1'] }, never);
    const part = await workspace.overview();
    assert.deepEqual([part.measurement.kind, part.history[0]?.verdict], ['unmeasured', 'unmeasured']);
    assert.equal(await useCases.unmeasuredBase(request), original);

    const versions = part.history.length;
    const verdict = await useCases.measure(
      {
        ...request,
        preset: 'quick',
        settings: [],
        purpose: 'optimize',
        trusted: true,
        before: original,
        after: workspace.skillText(),
      },
      () => undefined,
      never,
    );
    assert.equal(verdict.kind, 'accepted');
    const measured = await workspace.overview();
    assert.equal(measured.measurement.kind, 'measured');
    assert.deepEqual(measured.history[0]?.measured, verdict);
    assert.equal(measured.history.length, versions, 'measuring writes no version');
    assert.equal(await useCases.unmeasuredBase(request), undefined);
    const [run] = measured.runs;
    assert.deepEqual([run?.purpose, run?.verdict?.kind], ['measure', 'accepted']);
  });

  it('keeps the reason of a rejection that was the last decision and had put the proposal away', async () => {
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const { proposal } = await workspace.optimize();
    assert.ok(proposal !== undefined);
    const useCases = workspace.useCases();
    const ids = proposal.documents.flatMap((document) => document.edits.map(({ id }) => id));
    const all = ids.map((id) => [id, { kind: 'rejected' as const, reason: undefined }]);
    await useCases.decide({ ...request, decisions: Object.fromEntries(all) }, never);
    assert.equal((await workspace.overview()).pending, undefined);
    await useCases.explain({ ...request, proposal, edits: ids, reason: 'too long' }, never);
    const { rejected } = await workspace.overview();
    assert.deepEqual(new Set(rejected.map(({ reason }) => reason)), new Set(['too long']));
  });

  it('tells the next run what the person rejected and why, until they take it back', async () => {
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const { proposal } = await workspace.optimize();
    assert.ok(proposal !== undefined);
    const useCases = workspace.useCases();
    const before = await workspace.overview();
    await useCases.decide({ ...request, decisions: { E1: { kind: 'rejected', reason: undefined } } }, never);
    await useCases.decide({ ...request, decisions: { E1: { kind: 'rejected', reason: 'overfitted' } } }, never);
    const { rejected } = await workspace.overview();
    const told = rejected.filter(({ reason }) => reason === 'overfitted' || reason === 'the person rejected it');
    assert.deepEqual(
      told.map(({ reason }) => reason),
      ['overfitted'],
    );
    await useCases.reopen({ ...request, proposal, edits: ['E1'] }, never);
    const after = await workspace.overview();
    assert.deepEqual(after.rejected, before.rejected);
    assert.equal(after.pending?.decisions['E1'], undefined);
  });

  it('keeps what was decided on the others where the last decision, which put the proposal away, is taken back', async () => {
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const { proposal: pending } = await workspace.optimize();
    assert.ok(pending !== undefined);
    const [first = '', ...others] = pending.documents.flatMap((document) => document.edits.map(({ id }) => id));
    assert.ok(others.length > 0, 'it has several edits');
    const useCases = workspace.useCases();
    const rejected = { kind: 'rejected', reason: 'unsafe' } as const;
    await useCases.decide({ ...request, decisions: { [first]: rejected } }, never);
    const rest = Object.fromEntries(others.map((id) => [id, { kind: 'accepted' as const }]));
    await useCases.decide({ ...request, decisions: rest }, never);
    assert.equal((await workspace.overview()).pending, undefined, 'it is put away');
    await useCases.reopen({ ...request, proposal: pending, edits: others }, never);
    assert.deepEqual((await workspace.overview()).pending?.decisions, { [first]: rejected });
  });
});
