import assert from 'node:assert/strict';
import { aNightWorkspace, simulated, type NightWorkspace } from './nightWorkspace.js';

const name = 'incident-summary';
const neverAborted = new AbortController().signal;

describe('a proposal whose file changed since', () => {
  let workspace: NightWorkspace;
  const request = () => ({ skillPath: workspace.skillPath(name), workspaceFolders: [workspace.folder] });
  const run = () => ({
    ...request(),
    preset: 'quick' as const,
    settings: [],
    purpose: 'optimize' as const,
    trusted: true,
  });

  beforeEach(async () => {
    workspace = aNightWorkspace([name]);
    workspace.keepTasks(name, 10);
    assert.equal((await workspace.night(simulated())).skills[0]?.outcome, 'proposed');
  });
  afterEach(() => workspace.dispose());

  it('is never written over the change', async () => {
    const changed = `${workspace.skillText(name)}\nMy own line.\n`;
    workspace.writeSkill(name, changed);
    const useCases = workspace.useCases(simulated());
    assert.equal((await useCases.overview(request(), neverAborted)).pending?.stale, true);
    await assert.rejects(() => useCases.adopt(request(), neverAborted), /has changed since/);
    assert.equal(workspace.skillText(name), changed);
  });

  it('is moved onto it with the edits whose place is certain, and measured afresh', async () => {
    const changed = `${workspace.skillText(name)}\nMy own line.\n`;
    workspace.writeSkill(name, changed);
    const useCases = workspace.useCases(simulated());
    const { proposal, lost } = await useCases.rebase(request(), neverAborted);
    assert.deepEqual(lost, []);
    assert.equal(proposal.verdict.kind, 'unmeasured');
    assert.equal(proposal.documents[0]?.baseText, changed);
    assert.match(proposal.documents[0].candidateText, /My own line\./);
    const measured = await useCases.resumeCertification(run(), () => undefined, neverAborted);
    assert.equal(measured.proposal?.verdict.kind, 'accepted');
    await useCases.adopt(request(), neverAborted);
    assert.match(workspace.skillText(name), /My own line\./);
    assert.notEqual(workspace.skillText(name), changed);
  });

  it('loses the edits whose anchor is gone, by name and with the reason', async () => {
    const useCases = workspace.useCases(simulated());
    const { pending } = await useCases.overview(request(), neverAborted);
    const edits = pending?.proposal.documents[0]?.edits ?? [];
    const anchored = edits.find(({ edit }) => edit.op === 'replace');
    assert.ok(anchored !== undefined && anchored.edit.op === 'replace', 'the demo skill has a sentence to be replaced');
    workspace.writeSkill(name, workspace.skillText(name).replace(anchored.edit.anchor, 'Something else.'));
    const { proposal, lost } = await useCases.rebase(request(), neverAborted);
    assert.deepEqual(
      lost.map(({ id }) => id),
      [anchored.id],
    );
    assert.match(lost[0]?.reason ?? '', /\w/);
    assert.ok(
      proposal.documents[0]?.edits.every(({ id, worth }) => id !== anchored.id && worth.kind === 'not-measured-singly'),
    );
  });

  it('is refused where no edit is left', async () => {
    workspace.writeSkill(name, '---\nname: incident-summary\n---\n\nA new beginning.\n');
    const useCases = workspace.useCases(simulated());
    await assert.rejects(() => useCases.rebase(request(), neverAborted), /None of the edits finds its place/);
    assert.equal((await useCases.overview(request(), neverAborted)).pending?.stale, true, 'the old one is still there');
  });
});
