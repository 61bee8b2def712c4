import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { handoffModel } from '../../src/app/handoff/handoffSpec.js';
import { afterAWhile, answerAll, answersPrompts } from '../builders/answeredByHand.js';
import { aWorkspace, inEveryRole, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';
import { aNightRequest } from './nightWorkspace.js';

const neverAborted = new AbortController().signal;

const folderOf = ({ handed }: { readonly handed: { readonly folder: string } | undefined }) => handed?.folder ?? '';

describe('a night that somebody answers by hand', function byHand() {
  this.timeout(60_000);
  let workspace: TestWorkspace;
  beforeEach(() => {
    workspace = aWorkspace({
      tasks: writtenTasks({ training: 3, heldOut: 6, sealed: 0 }, ['Visibility:']),
      clock: afterAWhile,
      models: inEveryRole(handoffModel('handoff')),
    });
  });
  afterEach(() => workspace.dispose());

  const night = async () => {
    const { folder, skillPath } = workspace;
    const request = aNightRequest(folder, { skills: [skillPath], preset: 'standard', settings: [] });
    const watcher = { began: () => undefined, observe: () => undefined };
    const cases = workspace.useCases(undefined, { byHand: () => true });
    const [skill] = (await cases.night(request, watcher, neverAborted)).skills;
    assert.ok(skill !== undefined);
    const { handed: [handed] = [], runs } = await workspace.overview();
    const resumed = runs.map((run) => run.resumed);
    return { ...skill, handed, resumed, runs: runs.map(({ runId }) => runId) };
  };

  it('asks until it has to wait, begins nothing while answers are missing, and goes on with the same run', async () => {
    const first = await night();
    assert.equal(first.outcome, 'waiting');
    assert.match(first.reason, /9 prompts wait for answers/);
    const second = await night();
    assert.equal(second.outcome, 'waiting');
    assert.match(second.reason, /9 prompts wait.*the next night goes on/);
    assert.deepEqual(second.runs, first.runs);
    await answerAll(folderOf(first), async () => '');
    const third = await night();
    assert.match(third.reason, /9 prompts wait.*not taken: \w+\.answer\.md, because it is empty \(and 8 more\)/);
    assert.deepEqual(third.runs, first.runs);
    assert.deepEqual(third.resumed, [0]); // nothing is begun, night after night
    for (const name of readdirSync(folderOf(first)).filter((each) => each.endsWith('.answer.md')))
      rmSync(path.join(folderOf(first), name));
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
