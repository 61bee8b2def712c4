import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { aNightRequest, aNightWorkspace, aSettableClock, silent } from '../flow/nightWorkspace.js';
import { figure, isWhole, notInShort, seed } from './figures.js';

const nights = isWhole ? 2_000 : 6;
/** The nights whose mean is compared with that of the last ones. */
const early = isWhole ? { from: 100, to: 300 } : { from: 1, to: 4 };
const late = { from: nights - (isWhole ? 200 : 2), to: nights };
const mostGrowth = isWhole ? 1.1 : 1.5; // a few nights still warm up
const day = 24 * 3_600_000;
const skill = 'incident-summary';

/** What a process holds after a night. */
interface Holdings {
  readonly heap: number;
  readonly handles: number;
  readonly timers: number;
  readonly files: number;
}

describe('many nights in one process', function soak() {
  this.timeout(isWhole ? 180 * 60_000 : 180_000);

  notInShort(`hold after ${nights} nights what they held after the first hundreds`, async () => {
    const clock = aSettableClock(Date.UTC(2026, 0, 1, 3));
    const workspace = aNightWorkspace([skill], { clock });
    try {
      workspace.keepTasks(skill, isWhole ? 10 : 8);
      const held = await sleepThrough(workspace, clock);
      const growth = growthOf(held);
      figure({
        what: 'nights in one process, what it holds at the end',
        tried: nights,
        result: growthText(held, growth),
      });
      const { heap, handles, timers } = growth;
      for (const [kind, ratio] of Object.entries({ heap, handles, timers }))
        assert.ok(ratio <= mostGrowth, `${kind} grew by ${ratio}`);
    } finally {
      workspace.dispose();
    }
  });
});

async function sleepThrough(
  workspace: ReturnType<typeof aNightWorkspace>,
  clock: ReturnType<typeof aSettableClock>,
): Promise<readonly Holdings[]> {
  let tonight = createSimulatedModel({ seed });
  const useCases = workspace.useCases(tonight, {
    models: () => Promise.resolve({ target: tonight, optimizer: tonight, judge: tonight }),
    tell: () => undefined, // what a workspace of the tests is told it keeps
  });
  const request = aNightRequest(workspace.folder, { skills: [workspace.skillPath(skill)], force: true });
  const state = path.dirname(workspace.folder);
  const held: Holdings[] = [];
  for (let night = 1; night <= nights; night += 1) {
    tonight = createSimulatedModel({ seed: seed + night });
    const { skills } = await useCases.night(request, silent, new AbortController().signal);
    const outcome = skills[0]?.outcome ?? 'none';
    assert.ok(['proposed', 'nothing', 'rejected', 'inconclusive'].includes(outcome), `night ${night}: ${outcome}`);
    clock.set(clock.now() + day);
    held.push(holdingsNow(state));
  }
  return held;
}

const collect: () => void = garbageCollector();

function holdingsNow(folder: string): Holdings {
  collect();
  const resources = process.getActiveResourcesInfo();
  const timers = resources.filter((kind) => kind === 'Timeout' || kind === 'Immediate').length;
  return {
    heap: process.memoryUsage().heapUsed,
    handles: resources.length - timers,
    timers,
    files: readdirSync(folder, { recursive: true }).length,
  };
}

function growthOf(held: readonly Holdings[]): Holdings {
  const [before, after] = [meanOf(held.slice(early.from, early.to)), meanOf(held.slice(late.from, late.to))];
  return {
    heap: after.heap / before.heap,
    // One more stands for the process itself: nothing to nothing is no growth.
    handles: (after.handles + 1) / (before.handles + 1),
    timers: (after.timers + 1) / (before.timers + 1),
    files: after.files / before.files,
  };
}

function meanOf(held: readonly Holdings[]): Holdings {
  const mean = (key: keyof Holdings): number => held.reduce((sum, each) => sum + each[key], 0) / held.length;
  return { heap: mean('heap'), handles: mean('handles'), timers: mean('timers'), files: mean('files') };
}

function growthText(held: readonly Holdings[], growth: Holdings): string {
  const [before, after] = [meanOf(held.slice(early.from, early.to)), meanOf(held.slice(late.from, late.to))];
  const said = (kind: keyof Holdings, unit = 1): string =>
    `${(before[kind] / unit).toFixed(1)} → ${(after[kind] / unit).toFixed(1)} (${growth[kind].toFixed(3)})`;
  return `heap ${said('heap', 1e6)} MB, handles ${said('handles')}, timers ${said('timers')}, files ${said('files')}`;
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collector: unknown = runInNewContext('gc');
  if (typeof collector !== 'function') throw new TypeError('this Node has no garbage collector to call');
  return () => void Reflect.apply(collector, undefined, []);
}
