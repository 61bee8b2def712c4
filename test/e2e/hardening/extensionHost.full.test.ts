import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { randomFor } from '../../../src/engine/random.js';
import { figure, isWhole, seed } from '../../hardening/figures.js';
import { eventually } from '../driver/eventually.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { incidents, openDemo, whetstone } from '../results/resultsDriver.js';
import { report } from '../review/reviewCases.js';
import { openForReviews, openReview, placeOf, readSkill, stage, waitForSkill } from '../review/reviewDriver.js';
import { killExtensionHost } from './hostProcess.js';

const rounds = isWhole ? 15 : 2;
const minute = 60_000;

/** Between the command and the kill, from the first moment to about its end. */
function delaysOf(name: string, longestMs: number): readonly number[] {
  const random = randomFor('host', name, seed);
  return Array.from({ length: rounds }, (_, at) => Math.round((longestMs * (at + random())) / rounds));
}

describe('an extension host that is killed', () => {
  describe('while a run is at work', () => {
    let workbench: Workbench;
    pictureOnFailure(() => workbench);
    before(async function () {
      this.timeout(3 * minute);
      workbench = await openDemo();
      await workbench.updateSettings({ 'whetstone.model.target': 'simulated?latency=15' });
    });
    after(() => workbench.close());

    it(`leaves the skill whole, and the next window goes on to the proposal, ${rounds} times`, async function () {
      this.timeout(rounds * 3 * minute);
      const skill = path.join(placeOf(workbench).workspace, incidents, 'SKILL.md');
      const before = readFileSync(skill, 'utf8');
      const failures: string[] = [];
      let [lost, resumed] = [0, 0];
      for (const delay of delaysOf('optimize', 4_000)) {
        workbench.run('whetstone.optimize', skill).catch(() => undefined); // the host does not live to answer
        await pause(delay);
        await killExtensionHost();
        await newWindow(workbench);
        if (readFileSync(skill, 'utf8') !== before) lost += 1;
        const end = await goOn(workbench, skill).catch((error: unknown) => `${delay} ms: ${String(error)}`);
        if (end === 'resumed') resumed += 1;
        else if (end !== 'begun') failures.push(end);
        await whetstone(workbench, 'clean', skill, '--yes');
      }
      const result = `files torn or lost ${lost}, resumed ${resumed}, failed ${failures.length}`;
      figure({ what: 'SIGKILL of the extension host during a run', tried: rounds, result });
      assert.deepEqual([lost, failures], [0, []]);
    });
  });

  describe('while edits are accepted', () => {
    let workbench: Workbench;
    pictureOnFailure(() => workbench);
    before(async function () {
      this.timeout(3 * minute);
      workbench = await openForReviews();
    });
    after(() => workbench.close());

    it(`leaves the skill whole, and what waits can still be accepted, ${rounds} times`, async function () {
      this.timeout(rounds * 3 * minute);
      const accepted = await acceptedWhole(workbench, 'report-whole');
      let lost = 0;
      const failures: string[] = [];
      for (const [at, delay] of delaysOf('accept', 700).entries()) {
        const name = `report-${at}`;
        const skill = await stage(workbench, { ...report, name });
        await openReview(workbench, name);
        workbench.run('whetstone.acceptAllHunks', { skillPath: skill }).catch(() => undefined);
        await pause(delay);
        await killExtensionHost();
        await newWindow(workbench);
        const found = readSkill(workbench, name);
        if (found !== report.text && found !== accepted) lost += 1;
        const end = await acceptRest(workbench, name, accepted).catch((error: unknown) => String(error));
        if (end !== undefined) failures.push(`${delay} ms: ${end}`);
      }
      const result = `files torn or lost ${lost}, failed ${failures.length}`;
      figure({ what: 'SIGKILL of the extension host while edits are accepted', tried: rounds, result });
      assert.deepEqual([lost, failures], [0, []]);
    });
  });
});

/** As a person does who closes the window and opens it again; the locks of the dead host are a minute old by then. */
async function newWindow(workbench: Workbench): Promise<void> {
  rmSync(workbench.session.settingsSocket, { force: true });
  await workbench.page.reload();
  await workbench.ready();
  const locks = path.join(workbench.session.state, 'locks');
  const then = Date.now() / 1000 - 120;
  if (existsSync(locks)) for (const name of readdirSync(locks)) utimesSync(path.join(locks, name), then, then);
}

/** Resumes the run where one was cut off, begins one where it had not got that far. */
async function goOn(workbench: Workbench, skill: string): Promise<'resumed' | 'begun'> {
  const { unfinished, pending } = await statusOf(workbench, skill);
  if (unfinished > 0) await workbench.run('whetstone.resumeRun', skill);
  else if (!pending) await workbench.run('whetstone.optimize', skill);
  await eventually(async () => (await statusOf(workbench, skill)).pending, 'a proposal waits');
  return unfinished > 0 ? 'resumed' : 'begun';
}

async function statusOf(workbench: Workbench, skill: string) {
  const [status]: readonly { readonly unfinished: readonly unknown[]; readonly pending: unknown }[] = JSON.parse(
    await whetstone(workbench, 'status', skill, '--json'),
  );
  return { unfinished: status?.unfinished.length ?? 0, pending: (status?.pending ?? null) !== null };
}

async function acceptedWhole(workbench: Workbench, name: string): Promise<string> {
  const skill = await stage(workbench, { ...report, name });
  await openReview(workbench, name);
  await workbench.run('whetstone.acceptAllHunks', { skillPath: skill });
  await waitForSkill(workbench, name, (text) => text.includes('at most four charts'));
  return readSkill(workbench, name);
}

async function acceptRest(workbench: Workbench, name: string, accepted: string): Promise<string | undefined> {
  const skill = path.join(placeOf(workbench).workspace, '.claude/skills', name, 'SKILL.md');
  if (readSkill(workbench, name) === accepted) return undefined;
  await openReview(workbench, name);
  await workbench.run('whetstone.acceptAllHunks', { skillPath: skill });
  await waitForSkill(workbench, name, (text) => text.includes('at most four charts'));
  const found = readSkill(workbench, name);
  return found === accepted ? undefined : 'another text was accepted';
}
