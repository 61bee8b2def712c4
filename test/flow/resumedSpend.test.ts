import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import { followShare } from '../../src/engine/journal/runShare.js';
import { totalSpend } from '../../src/engine/journal/runSummary.js';
import { userStore } from '../../src/app/world.js';
import { openLedger } from '../../src/storage/spend/spendLedger.js';
import { aWorkspace, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';

const neverAborted = new AbortController().signal;

describe('the counts of a run that goes on', () => {
  const opened: TestWorkspace[] = [];
  after(() => opened.forEach((each) => each.dispose()));

  it('are those of the ledger, also for calls that were booked and not written down when it was killed', async () => {
    const workspace = await cutOff();
    const ledger = openLedger(await userStore(workspace.world()));
    const runId = runOf(workspace);
    const caps = { run: {}, day: {}, month: {} };
    const claim = { runId, role: 'target' as const, model: 'm', worst: { tokens: 500, usd: 0 }, caps };
    for (const settled of [true, false]) {
      const reservation = await ledger.reserve(claim, neverAborted);
      if (settled) await reservation.settle({ tokens: 40, usd: 0, exact: true });
    }
    const { summary } = await workspace.optimize({ resume: { run: runId } });
    const [booked, told] = [await ledger.spentInRun(runId), totalSpend(summary)];
    await ledger.close();
    assert.deepEqual([told.calls, told.tokens, told.usd], [booked.calls, booked.tokens, booked.usd]);
    const report = workspace.artifact(runId, 'report.md') ?? '';
    assert.match(report, new RegExp(`\\| all \\| ${booked.calls} \\|`));
    assert.match(report, /^\| cut off with the run \| 2 \| 0 \| 0 \| about 540 \|/m);
    assert.equal(sumOfRows(report), booked.calls, report);
    const { skillPath, folder } = workspace;
    const page = await workspace.useCases().reportData({ skillPath, workspaceFolders: [folder] });
    assert.equal(
      page?.stages.reduce((sum, { calls }) => sum + calls, 0),
      booked.calls,
    );
  });

  it('are less what was answered in the question before it goes on', async () => {
    const workspace = await cutOff();
    const whole = await workspace.preflight();
    const left = await workspace.useCases().preflight(
      {
        skillPath: workspace.skillPath,
        workspaceFolders: [workspace.folder],
        preset: 'quick',
        settings: [],
        purpose: 'optimize',
        trusted: true,
        resume: { run: undefined },
      },
      neverAborted,
    );
    const ledger = openLedger(await userStore(workspace.world()));
    const { calls } = await ledger.spentInRun(runOf(workspace));
    await ledger.close();
    assert.ok(calls > 0);
    assert.equal(left.calls.high, whole.calls.high - calls);
  });

  it('are shown with how far it is, by what it planned when it was begun', async () => {
    const workspace = await cutOff();
    const follow = followShare();
    const shares: number[] = [];
    const onEvent = (event: RunEvent): void => {
      const { share } = follow(event, shares.length);
      if (event.kind !== 'run-ended') shares.push(share);
    };
    await workspace.optimize({ resume: { run: runOf(workspace) }, onEvent });
    assert.ok((shares.at(-1) ?? 0) > 0.5, `${shares.at(-1)}`);
  });

  /** A run that was cut off before it reflected. */
  async function cutOff(): Promise<TestWorkspace> {
    const workspace = aWorkspace({ tasks: writtenTasks({ training: 4, heldOut: 6, sealed: 0 }, ['alpha', 'beta']) });
    opened.push(workspace);
    const stop = new AbortController();
    const run = workspace.optimize({
      signal: stop.signal,
      onEvent: (event) => (event.kind === 'stage' && event.stage === 'reflect' ? stop.abort() : undefined),
    });
    await assert.rejects(run);
    return workspace;
  }
});

/** The calls of every stage of the report, without those of all. */
function sumOfRows(report: string): number {
  const table = report.slice(report.indexOf('| stage | calls |'));
  const rows = [...table.matchAll(/^\| (?!all|stage|-)[^|]+ \| (\d+) \|/gm)];
  return rows.reduce((sum, [, calls]) => sum + Number(calls), 0);
}

function runOf({ folder }: TestWorkspace): string {
  return readdirSync(path.join(folder, '.whetstone', 'runs'))[0] ?? '';
}
