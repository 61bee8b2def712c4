import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { NightPlan } from '../../src/app/nights/nightPlan.js';
import { createUseCases } from '../../src/app/useCases.js';
import { nodeClock } from '../../src/storage/files/nodeAdapters.js';
import { endRunOf, makeSkills } from '../builders/manySkills.js';
import { neverAborted } from '../builders/storage.js';
import { aNightRequest, simulated } from './nightWorkspace.js';

const runsOfEach = 1;
const tasksOfEach = 8;
const places = 5;

describe('the plan of a large fleet', () => {
  it('takes at most 12 times as long for 1,000 skills as for 100, and opens no journal', async () => {
    const small = await aPlan(100);
    const large = await aPlan(1000);
    const ratio = large.seconds / small.seconds;
    process.stdout.write(
      `      100 skills with ${100 * runsOfEach} runs: ${small.seconds.toFixed(2)} s of processor time; 1,000 with ${1000 * runsOfEach}: ${large.seconds.toFixed(2)} s, ${ratio.toFixed(1)} times as long\n`,
    );
    for (const { plan } of [small, large]) assert.equal(plan.train.length, places);
    assert.equal(large.plan.fleet?.later.length, 1000 - places);
    assert.ok(ratio <= 12, String(ratio));
  }).timeout(1_800_000);
});

/** What is loaded at the first plan was loaded by that of one skill. */
async function aPlan(skills: number): Promise<{ readonly plan: NightPlan; readonly seconds: number }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'whetstone-fleet-'));
  try {
    const workspace = path.join(folder, 'workspace');
    const found = await makeSkills(folder, { skills, tasks: skills * tasksOfEach, runs: 0 });
    for (const [index, { realPath }] of found.entries())
      for (let run = 0; run < runsOfEach; run++)
        await endRunOf(folder, { skillPath: realPath, workspaceFolders: [workspace] }, index * runsOfEach + run);
    closeJournals(path.join(workspace, '.whetstone', 'runs'));
    const model = simulated();
    const useCases = createUseCases({
      environment: { WHETSTONE_HOME: path.join(folder, 'state') },
      platform: process.platform,
      home: folder,
      clock: nodeClock,
      models: () => Promise.resolve({ target: model, optimizer: model, judge: model }),
      trusted: () => true,
      consent: { allows: () => Promise.resolve(false) },
      caps: () => ({ day: {}, month: {} }),
      tell: () => {},
    });
    const wish = { skills: found.map(({ realPath }) => realPath), consent: 'given' } as const;
    const request = aNightRequest(workspace, wish);
    const alone = await useCases.planNight({ ...request, skills: request.skills.slice(0, 1) }, neverAborted);
    const usual = alone.train[0]?.preflight.usual.calls ?? assert.fail('nothing is trained');
    const before = process.cpuUsage();
    const plan = await useCases.planNight({ ...request, cap: { calls: places * usual } }, neverAborted);
    const { user, system } = process.cpuUsage(before);
    return { plan, seconds: (user + system) / 1_000_000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whoever opens one of them fails. */
function closeJournals(runs: string): void {
  const names = readdirSync(runs);
  assert.ok(names.length > 0);
  for (const name of names) mkdirSync(path.join(runs, name, 'journal.jsonl'));
}
