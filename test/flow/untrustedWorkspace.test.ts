import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { UseCases } from '../../src/app/useCases.js';
import { aReviewDocument, aReviewProposal } from '../builders/aReviewProposal.js';
import { snapshotOf } from '../builders/commandLine.js';
import { aWorkspace, type TestWorkspace } from '../builders/aWorkspace.js';
import { neverAborted } from '../builders/storage.js';

type Request = Parameters<UseCases['adopt']>[0];

const proposal = aReviewProposal([aReviewDocument('a\n', [{ op: 'append', content: 'b', rationale: '' }])], {});
const pending = { proposal, own: true, refusal: undefined };
const save = { documentPath: proposal.documents[0]?.path ?? '', before: 'a', after: 'b', edits: [], pending };
const run = { preset: 'quick', settings: [], purpose: 'optimize', trusted: false } as const;
const change = { kind: 'disable', id: 'training-0' } as const;
const texts = { evalsText: undefined, whetstoneText: undefined };
const removed = { id: 'x', entry: {}, whetstone: undefined, before: texts, after: texts };
const night = { skills: [], workspaceFolders: [], trusted: false, force: true, preset: 'quick', settings: [] } as const;
const quiet = { began: () => undefined, observe: () => undefined };

/** Everything that would leave a trace on disk. */
const writes: Readonly<Record<string, (useCases: UseCases, request: Request) => Promise<unknown>>> = {
  adopt: (useCases, request) => useCases.adopt(request, neverAborted),
  'adopt what was made elsewhere': (useCases, request) =>
    useCases.adopt({ ...request, madeElsewhere: true }, neverAborted),
  decide: (useCases, request) => useCases.decide({ ...request, decisions: { E1: { kind: 'accepted' } } }, neverAborted),
  reopen: (useCases, request) => useCases.reopen({ ...request, proposal, edits: ['E1'] }, neverAborted),
  'write in the editor': (useCases, request) =>
    useCases.refuseWrite({ ...request, ...save, file: request.skillPath, change: undefined }, neverAborted),
  'note an adoption': (useCases, request) => useCases.noteAdoption({ ...request, ...save }, neverAborted),
  'save in several files': (useCases, request) =>
    useCases.saveTogether({ ...request, documents: [save], edits: [], pending }, () => Promise.resolve(), neverAborted),
  rebase: (useCases, request) => useCases.rebase(request, neverAborted),
  reject: (useCases, request) => useCases.reject(request, neverAborted),
  undo: (useCases, request) => useCases.undo(request, neverAborted),
  restore: (useCases, request) => useCases.restore({ ...request, version: '1' }, neverAborted),
  'change tasks': (useCases, request) => useCases.changeTasks({ ...request, change }, neverAborted),
  'move a task': (useCases, request) =>
    useCases.moveTask({ ...request, task: 'training-0', side: 'heldOut' }, neverAborted),
  'delete a task': (useCases, request) => useCases.removeTask({ ...request, task: 'training-0' }, neverAborted),
  'bring a task back': (useCases, request) => useCases.restoreTask({ ...request, removed }, neverAborted),
  'make a skill': (useCases, { skillPath }) =>
    useCases.createSkill(
      { workspaceFolder: path.dirname(skillPath), place: 'x', name: 'new', description: 'Does it.', examples: [] },
      neverAborted,
    ),
  'import tasks': (useCases, request) =>
    useCases.importTasks({ ...request, source: { path: 'x.jsonl' } }, neverAborted),
  'draft tasks': (useCases, request) => useCases.draftTasks({ ...request, count: 1, trusted: true }, neverAborted),
  'make a prompt file': (useCases, request) => useCases.promptFile({ ...request, name: 'attempt' }, neverAborted),
  'delete data': (useCases, request) => useCases.cleanData(request, neverAborted),
  optimize: (useCases, request) =>
    useCases.optimize({ ...request, ...run, trusted: true }, () => undefined, neverAborted),
  'check the connection': (useCases) => useCases.checkConnection(neverAborted),
  'agree to nights': (useCases) =>
    useCases.agreeToNights({ folders: ['/a'], workspaceFolders: [], models: true }, neverAborted),
  'turn nights on': (useCases) => useCases.turnNights({ folders: ['/a'], on: true }, neverAborted),
  'take the settings of nights': (useCases) =>
    useCases.settingsInForce({ folders: ['/a'], inFolder: {}, formerSwitch: {} }, neverAborted),
  'run a night': (useCases) => useCases.night(night, quiet, neverAborted),
};

describe('a workspace that the person does not trust', () => {
  let workspace: TestWorkspace;
  let before: ReturnType<typeof snapshotOf>;
  beforeEach(() => {
    workspace = aWorkspace({ trusted: () => false });
    before = snapshotOf(workspace.folder);
  });
  afterEach(() => {
    assert.deepEqual(snapshotOf(workspace.folder), before);
    assert.equal(existsSync(path.join(workspace.folder, '.whetstone')), false, 'no state in the workspace');
    assert.deepEqual(existsSync(workspace.home) ? readdirSync(workspace.home) : [], [], 'no state of the user, no key');
    workspace.dispose();
  });

  for (const [what, write] of Object.entries(writes)) {
    it(`refuses to ${what}, and leaves no trace`, async () => {
      const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
      await assert.rejects(write(workspace.useCases(), request), { code: 'workspace-untrusted' });
    });
  }

  it('is looked at without a trace', async () => {
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const useCases = workspace.useCases();
    const overview = await useCases.overview(request, neverAborted);
    assert.equal(overview.tasks?.training.length, 3);
    assert.equal(await useCases.report(request, neverAborted), undefined);
    assert.equal((await useCases.showTask({ ...request, task: 'training-0' })).state, 'confirmed');
    assert.deepEqual(
      await useCases.prompts(request, neverAborted).then((prompts) => prompts.some(({ own }) => own)),
      false,
    );
    assert.deepEqual(await useCases.lastNights([workspace.folder]), []);
    assert.equal(await useCases.scheduleState([workspace.folder]), undefined);
    await useCases.spendToday();
    await useCases.planNight({ ...night, skills: [workspace.skillPath] }, neverAborted);
  });
});
