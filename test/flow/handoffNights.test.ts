import assert from 'node:assert/strict';
import { handoffModel } from '../../src/app/handoff/handoffSpec.js';
import { answerAll, answersPrompts } from '../builders/answeredByHand.js';
import { aWorkspace, inEveryRole, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';
import { aNightRequest } from './nightWorkspace.js';

const calm = new AbortController().signal;

describe('a night that somebody answers by hand', function byHand() {
  this.timeout(60_000);
  let workspace: TestWorkspace;
  beforeEach(() => {
    workspace = aWorkspace({
      tasks: writtenTasks({ training: 3, heldOut: 6, sealed: 0 }, ['Visibility:']),
      models: inEveryRole(handoffModel('handoff')),
    });
  });
  afterEach(() => workspace.dispose());

  const night = async () => {
    const { folder, skillPath } = workspace;
    const request = aNightRequest(folder, { skills: [skillPath], preset: 'standard', settings: [] });
    const watcher = { began: () => undefined, observe: () => undefined };
    const cases = workspace.useCases(undefined, { byHand: () => true });
    const [skill] = (await cases.night(request, watcher, calm)).skills;
    assert.ok(skill !== undefined);
    const { handed: [handed] = [], runs } = await workspace.overview();
    return { ...skill, handed, runs: runs.map(({ runId }) => runId) };
  };

  it('asks until it has to wait, begins nothing while answers are missing, and goes on with the same run', async () => {
    const first = await night();
    assert.equal(first.outcome, 'waiting');
    assert.match(first.reason, /9 prompts wait for answers/);
    const second = await night();
    assert.equal(second.outcome, 'waiting');
    assert.match(second.reason, /9 prompts wait.*the next night goes on/);
    assert.deepEqual(second.runs, first.runs);
    const answer = answersPrompts({ lapseRate: 0.1 });
    let last = second;
    for (let nights = 0; last.handed !== undefined; nights += 1) {
      assert.ok(nights < 8, 'it never ends');
      await answerAll(last.handed.folder, answer);
      last = await night();
    }
    assert.equal(last.outcome, 'proposed', last.reason);
    assert.deepEqual(last.runs, first.runs);
  });
});
