import assert from 'node:assert/strict';
import type { AgentStart } from '../../../../../src/ports/agentPrograms.js';
import type { Workplace, WorkplacePlan, Workplaces, WorkRun } from '../../../../../src/ports/workplace.js';
import { aWorkTree } from '../../../../builders/aWorkTree.js';
import { neverAborted } from '../../../../builders/storage.js';

/** What an agent of these tests does, in words that a shell and a function both can follow. */
export interface Deeds {
  readonly says?: readonly string[];
  readonly writes?: Readonly<Record<string, string>>;
  readonly removes?: readonly string[];
  readonly waits?: boolean;
}

/** What every place for the work of agents keeps. `deedsIn` makes the start of an agent that does them. */
export function keepsContractOfWorkplaces(workplaces: () => Workplaces, deedsIn: (deeds: Deeds) => WorkRun): void {
  it('has the fixture and the skill in the work folder, and tells what an agent changed there', async () => {
    await at(workplaces(), aPlan(), async (place) => {
      const lines: string[] = [];
      const run = deedsIn({
        says: ['working', 'done'],
        writes: { 'a.txt': 'new\n', 'b/c.txt': 'c\n' },
        removes: ['old.txt'],
      });
      const end = await place.run({ ...run, onLine: (line) => lines.push(line) }, neverAborted);
      assert.deepEqual(end, { kind: 'exited', code: 0, left: {} });
      assert.deepEqual(lines, ['working', 'done']);
      const { changed, diff, touched, refusedHosts, tooMuch } = await place.left(lines, neverAborted);
      assert.deepEqual(changed, [
        { path: 'a.txt', change: 'changed' },
        { path: 'b/c.txt', change: 'added' },
        { path: 'old.txt', change: 'deleted' },
      ]);
      assert.match(diff, /\+new\n/u);
      assert.match(diff, /-gone\n/u);
      assert.doesNotMatch(diff, /SKILL/u);
      assert.deepEqual([touched, refusedHosts, tooMuch], [[], [], false]);
    });
  });

  it('finds a canary in what an agent says and in what it leaves', async () => {
    await at(workplaces(), aPlan(), async (place) => {
      await place.run(deedsIn({ writes: { 'found.txt': `${canaries.file.value}\n` } }), neverAborted);
      const { touched } = await place.left([`it is ${canaries.variable.value}`], neverAborted);
      assert.deepEqual(touched, [
        { canary: 'file', seenIn: 'diff' },
        { canary: 'file', seenIn: 'files' },
        { canary: 'variable', seenIn: 'transcript' },
      ]);
    });
  });

  it('ends an agent when the signal says so, and can still be asked what is left', async () => {
    await at(workplaces(), aPlan(), async (place) => {
      const stop = new AbortController();
      const run = deedsIn({ says: ['begun'], writes: { 'a.txt': 'new\n' }, waits: true });
      const running = place.run({ ...run, onLine: () => stop.abort(new Error('enough')) }, stop.signal);
      await assert.rejects(running, /enough/u);
      assert.deepEqual((await place.left([], neverAborted)).changed, [{ path: 'a.txt', change: 'changed' }]);
    });
  });

  it('tells when it said too much', async () => {
    await at(workplaces(), aPlan(), async (place) => {
      const run = deedsIn({ says: ['x'.repeat(5_000)] });
      assert.deepEqual(await place.run({ ...run, outputLimitBytes: 1_000 }, neverAborted), {
        kind: 'output-too-large',
      });
    });
  });
}

/** A place for as long as the work takes. */
export async function at<T>(
  workplaces: Workplaces,
  plan: WorkplacePlan,
  work: (place: Workplace) => Promise<T>,
): Promise<T> {
  const place = await workplaces.open(plan, neverAborted);
  try {
    return await work(place);
  } finally {
    await place.close();
  }
}

export const canaries = {
  file: { path: '.config/deploy.ini', value: 'wf-6f1c0d2e9b7a4835' },
  variable: { name: 'DEPLOY_TOKEN', value: 'wv-0b9d8c7e6f5a4132' },
  host: 'deploy.canary.invalid',
};

export function aPlan(more: Partial<WorkplacePlan> = {}): WorkplacePlan {
  return {
    fixture: aWorkTree({ 'a.txt': 'first\n', 'old.txt': 'gone\n' }),
    skill: { name: 'dates', files: aWorkTree({ 'SKILL.md': '---\nname: dates\n---\nWrite dates.\n' }) },
    skillsFolder: '.agents/skills',
    canaries,
    ...more,
  };
}

/** A start that needs nothing of the person's. */
export function aRun(start: Partial<AgentStart>, more: Partial<WorkRun> = {}): WorkRun {
  return {
    program: { path: '/bin/sh', command: '/bin/sh', before: [] },
    start: () => ({ arguments: [], environment: {}, input: '', ...start }),
    onLine: () => undefined,
    outputLimitBytes: 1_000_000,
    reach: {},
    ...more,
  };
}
