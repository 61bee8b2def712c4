import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { NightPlan } from '../../src/app/nights/nightPlan.js';
import type { NightResult } from '../../src/app/nights/nightResult.js';
import type { NightRequest } from '../../src/app/nights/nightSkills.js';
import { inFull, isFull } from '../builders/few.js';
import { neverAborted } from '../builders/storage.js';
import { tellSession } from './toldSessions.js';
import {
  aNightRequest,
  aNightWorkspace,
  aSettableClock,
  simulated,
  silent,
  type NightWorkspace,
} from './nightWorkspace.js';

const aDay = 24 * 3_600_000;
const first = Date.UTC(2026, 10, 2, 3);
const [skillCount, places] = isFull ? [12, 4] : [4, 1];

describe('a night over more skills than its budget holds', () => {
  const fleets: Fleet[] = [];
  const open = (skills: number): Fleet => {
    const fleet = aFleetWorkspace(skills);
    fleets.push(fleet);
    return fleet;
  };
  after(() => fleets.forEach(({ workspace }) => workspace.dispose()));

  it('names whom it trains before, trains them, explains it after, and takes others the next night', async () => {
    const fleet = open(skillCount);
    const cap = { calls: (await fleet.usualCalls()) * places };
    const trained: string[] = [];
    for (let night = 0; night < 2; night++) {
      fleet.at(night);
      const names = await aNightAsPlanned(fleet, cap);
      const again = names.filter((name) => trained.includes(name));
      assert.deepEqual(again, [], 'nobody a second time while others wait');
      trained.push(...names);
    }
    const [last] = await fleet.workspace.useCases(simulated()).lastNights([fleet.workspace.folder]);
    assert.match(last?.fleet ?? '', /The budget of this night/);
  });

  inFull('is as it always was where there is room for all', async () => {
    const fleet = open(2);
    const cap = { calls: 4 * (await fleet.usualCalls()) };
    const { fleet: places_, train } = await fleet.plan({ cap });
    assert.deepEqual([places_, train.map(({ place }) => place)], [undefined, [undefined, undefined]]);
    const capped = await fleet.night({ cap });
    assert.deepEqual(
      [capped.fleet, capped.skills.map(({ place, outcome }) => [place, outcome])],
      [
        undefined,
        [
          [undefined, 'proposed'],
          [undefined, 'proposed'],
        ],
      ],
    );
  });

  it('gives the place to what agents use, where the person lets sessions be read', async () => {
    const fleet = open(3);
    const cap = { calls: await fleet.usualCalls() };
    await fleet.use('fleet-03', 6);
    const { train, fleet: given } = await fleet.plan({ cap });
    assert.deepEqual(
      train.map(({ name }) => name),
      ['fleet-03'],
    );
    assert.match(train[0]?.place ?? '', /Used by agents: 6 times, which counts 200 %/);
    for (const { place } of given?.later ?? []) assert.match(place, /Used by agents: 0 times, which counts 50 %/);
    if (!isFull) return;
    const night = await fleet.night({ cap });
    assert.equal(ran(night)[0], 'fleet-03');
    assert.match(night.skills.find(({ name }) => name === 'fleet-03')?.place ?? '', /Used by agents: 6 times/);
  });

  it('holds the cap of the day too', async () => {
    const fleet = open(3);
    const usual = await fleet.usualCalls();
    const world = { caps: () => ({ day: { calls: usual }, month: {} }) };
    const { fleet: places_, train } = await fleet.plan({}, world);
    assert.equal(train.length, 1);
    assert.match(places_?.sentence ?? '', /holds 1 of 3 skills/);
  });
});

/** Everything is read anew each time, as by another process. Gives whom it trained. */
async function aNightAsPlanned(fleet: Fleet, cap: { readonly calls: number }): Promise<readonly string[]> {
  const { train, fleet: given } = await fleet.plan({ cap, force: true });
  assert.equal(train.length, places);
  assert.match(given?.sentence ?? '', new RegExp(`holds ${places} of ${skillCount} skills`));
  assert.equal(given?.later.length, skillCount - places);
  const result = await fleet.night({ cap, force: true });
  const names = ran(result);
  for (const { name } of train) assert.ok(names.includes(name), `${name} was named and is not among ${names.join()}`);
  assert.ok(result.spend.calls <= cap.calls, `${result.spend.calls} of ${cap.calls}`);
  assert.equal(result.fleet, given?.sentence);
  for (const skill of result.skills) assertExplained(skill);
  return names;
}

/** Why it had its place, or when it has its turn. */
function assertExplained({ outcome, stop, place = '', reason }: NightResult['skills'][number]): void {
  assert.match(place, /\+\d+\.\d points for [\d,]+ calls\. Left to gain: \d+ %/);
  if (outcome !== 'skipped') {
    assert.match(place, /^(?:Chosen |Trained with what others left)/);
    return;
  }
  assert.equal(stop, 'later-night');
  assert.match(reason, /waits for a later night/);
  assert.match(place, /Its turn comes in/);
}

interface Fleet {
  readonly workspace: NightWorkspace;
  at(night: number): void;
  plan(more: Partial<NightRequest>, world?: Parameters<NightWorkspace['useCases']>[1]): Promise<NightPlan>;
  night(more: Partial<NightRequest>): Promise<NightResult>;
  /** Sessions in which agents used a skill, which the person lets be read, and whose use is counted. */
  use(name: string, sessions: number): Promise<void>;
  /** What a run of one of them is expected to take. */
  usualCalls(): Promise<number>;
}

/** Copies of one demo skill, each under a name of its own. */
function aFleetWorkspace(count: number): Fleet {
  const clock = aSettableClock(first);
  const demo = 'incident-summary';
  const workspace = aNightWorkspace([demo], { clock });
  workspace.keepTasks(demo, 8);
  const names = Array.from({ length: count }, (_, index) => `fleet-${String(index + 1).padStart(2, '0')}`);
  for (const name of names) {
    cpSync(path.dirname(workspace.skillPath(demo)), path.dirname(workspace.skillPath(name)), { recursive: true });
    const text = readFileSync(workspace.skillPath(name), 'utf8').replace(/^name: .*$/m, `name: ${name}`);
    writeFileSync(workspace.skillPath(name), text);
  }
  const skills = names.map((name) => workspace.skillPath(name));
  const request = (more: Partial<NightRequest>): NightRequest =>
    aNightRequest(workspace.folder, { skills, consent: 'given', ...more });
  const plan: Fleet['plan'] = (more, world) =>
    workspace.useCases(simulated(), world).planNight(request(more), neverAborted);
  return {
    workspace,
    at: (night) => clock.set(first + night * aDay),
    plan,
    night: (more) => workspace.useCases(simulated()).night(request(more), silent, neverAborted),
    async use(name, sessions) {
      for (let index = 0; index < sessions; index++) {
        const told = { id: `${name}-${index}`, at: first - (index + 1) * 3_600_000, said: ['Sum it up.'], skill: name };
        tellSession(path.dirname(workspace.state), workspace.folder, told);
      }
      const useCases = workspace.useCases(simulated());
      await useCases.allowSessions('claude-code', true, neverAborted);
      await useCases.skillUsage({ folders: [workspace.folder], skills }, neverAborted);
    },
    usualCalls: async () => (await plan({ skills: skills.slice(0, 1) })).train[0]?.preflight.usual.calls ?? 0,
  };
}

function ran({ skills }: NightResult): readonly string[] {
  return skills.filter(({ outcome }) => outcome !== 'skipped').map(({ name }) => name);
}
