import path from 'node:path';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import type { Clock } from '../../src/ports/clock.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { nodeClock } from '../../src/storage/files/nodeAdapters.js';
import type { OsScheduleRequest } from '../../src/app/osSchedule/osInstallation.js';
import type { SkillRequest } from '../../src/app/openSkill.js';
import type { RunRequest } from '../../src/app/runs/runStart.js';
import type { World } from '../../src/app/world.js';

/** Where stores are made and unpacked: names of skills, schedules and consents are hashes of paths. */
export const fixedPlace = '/tmp/whetstone-store-1';

/** Never aborted. */
export const neverAborted = new AbortController().signal;

/** Everything of a store below one folder. */
export interface StorePlace {
  readonly root: string;
  readonly work: string;
  readonly state: string;
  readonly crontab: string;
  skill(name: string): SkillRequest;
  run(name: string, more?: Partial<RunRequest>): RunRequest;
}

/** The places of a store that lies in `root`. */
export function storePlace(root: string): StorePlace {
  const work = path.join(root, 'work');
  const skill = (name: string): SkillRequest => ({
    skillPath: name === 'outside' ? path.join(root, name) : path.join(work, '.claude', 'skills', name),
    workspaceFolders: [work],
  });
  return {
    root,
    work,
    state: path.join(root, 'state'),
    crontab: path.join(root, 'bin', 'table'),
    skill,
    run: (name, more = {}) => ({
      ...skill(name),
      preset: 'quick',
      settings: [],
      purpose: 'optimize',
      trusted: true,
      ...more,
    }),
  };
}

/** A clock that goes on from a moment of the past, so that no file of a store is ever old. */
export function clockFrom(start: number): Clock {
  const behind = Date.now() - start;
  return { ...nodeClock, running: undefined, now: () => nodeClock.now() - behind };
}

/** A world of its own that knows nothing of the machine around it; the crontab is a file of the store. */
export function storeWorld(place: StorePlace, start: number, more: Partial<World> = {}): World {
  const simulated = createSimulatedModel();
  return {
    environment: {
      WHETSTONE_HOME: place.state,
      PATH: [path.join(place.root, 'bin'), '/usr/bin', '/bin'].join(':'),
      HOME: path.join(place.root, 'home'),
    },
    platform: 'linux',
    home: path.join(place.root, 'home'),
    clock: clockFrom(start),
    models: () => Promise.resolve(inEveryRole(simulated)),
    trusted: () => true,
    consent: { allows: () => Promise.resolve(false) },
    caps: () => ({ day: {}, month: {} }),
    tell: () => undefined,
    ...more,
  };
}

/** The same model in every role. */
export function inEveryRole(model: LanguageModel) {
  return { target: model, optimizer: model, judge: model };
}

/** A model of a provider: whether a night may ask it is stored. It is never asked here. */
export const paidModel: LanguageModel = {
  identity: { ...createSimulatedModel().identity, provider: 'example', model: 'paid-1', simulated: false },
  complete: () => Promise.reject(new Error('no model is asked')),
};

/** The schedule of the operating system that a store holds. */
export function osRequest(place: StorePlace): OsScheduleRequest {
  return {
    folders: [place.work],
    at: '04:10',
    models: { target: 'simulated', optimizer: 'simulated', judge: undefined },
    preset: 'quick',
    settings: [{ train: { epochs: 2 } }],
    excluded: ['outside'],
    autoAdopt: [],
    onBattery: 'skip',
    caps: { night: { usd: 1 }, day: {}, month: { tokens: 1_000_000 } },
    cli: path.join(place.root, 'program', 'cli.js'),
    host: { path: path.join(place.root, 'bin', 'node'), electron: false, replaceable: false },
    keys: {},
  };
}
