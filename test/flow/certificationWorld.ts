import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import type { Verdict } from '../../src/gate/verdict/verdict.js';
import type { Clock } from '../../src/ports/clock.js';
import type { LanguageModel, ModelIdentity, ModelRequest } from '../../src/ports/languageModel.js';
import type { Edit } from '../../src/skill/edits/edit.js';
import { filePace, runPace } from '../../src/storage/files/lock.js';
import { nodeClock } from '../../src/storage/files/nodeAdapters.js';
import { skillCertifications } from '../../src/app/runs/certifications/skillCertifications.js';
import { openSkill } from '../../src/app/openSkill.js';
import { createUseCases, type UseCases } from '../../src/app/useCases.js';
import type { Preflight } from '../../src/app/runs/preflight.js';
import type { OptimizeResult } from '../../src/app/runs/optimize.js';
import type { RunRequest } from '../../src/app/runs/runStart.js';
import type { World } from '../../src/app/world.js';
import { edits as replyOf, type Ability } from '../builders/aRunContext.js';
import { ScriptedModel } from '../fakes/ScriptedModel.js';

export const skillText = '---\nname: words\ndescription: Words.\n---\n\n# Words\n\nAnswer in words.\n';

type Settings = Readonly<Record<string, unknown>>;
type OptimizeRequest = Parameters<UseCases['optimize']>[0];

export interface WorldParts {
  readonly training?: number;
  readonly heldOut?: number;
  readonly sealed?: number;
  readonly skill?: string;
  /** What the optimizer proposes, every time it is asked: always the same, or what it makes of what it is shown. */
  readonly edits?: readonly Edit[] | ((prompt: string) => readonly Edit[]);
  /** What the target answers; by default “alpha” where the skill says so. Tasks want “alpha”. */
  readonly ability?: Ability;
  /** As which model the target is priced. */
  readonly model?: Partial<ModelIdentity>;
  /** A target of another kind, instead of the scripted one. */
  readonly target?: LanguageModel;
  /** Another world whose user state this one shares: a second clone of one person. */
  readonly sameUser?: CertificationWorld;
}

/** What a run did, and what its models were asked before any cache or retry. */
export interface Ran {
  readonly result: OptimizeResult;
  readonly events: readonly RunEvent[];
  readonly asked: readonly ModelRequest[];
}

/** What the proposal would have the skill say, edit by edit. */
export function editsOf({ result }: Ran): readonly string[] {
  const edits = result.proposal?.documents.flatMap((document) => document.edits) ?? [];
  return edits.map(({ edit }) => ('content' in edit ? edit.content : edit.anchor));
}

/** A workspace, a user state and a scripted model of their own; everything between them is the real thing. */
export interface CertificationWorld {
  readonly skillPath: string;
  /** The folder of user state. */
  readonly userState: string;
  readonly useCases: UseCases;
  preflight(settings?: Settings): Promise<Preflight>;
  optimize(settings?: Settings, request?: Partial<OptimizeRequest>, signal?: AbortSignal): Promise<Ran>;
  gather(settings?: Settings): Promise<Ran>;
  measure(
    before: string,
    after: string,
  ): Promise<{ readonly verdict: Verdict; readonly asked: readonly ModelRequest[] }>;
  refill(reason: string): Promise<void>;
  record(): ReturnType<typeof recordOf>;
  report(): Promise<string>;
  /** Everything that the target was ever asked. */
  readonly asked: readonly ModelRequest[];
  readonly optimizerAsked: readonly ModelRequest[];
  /** Changes what the target can do, or which model it is, from the next run on. */
  change(parts: Pick<WorldParts, 'ability' | 'model'>): void;
  addHeldOut(count: number): void;
  /** Writes the tasks once more, each as `change` makes it. */
  rewriteTasks(change: (row: TaskRow) => TaskRow): void;
  dispose(): void;
}

/** A task as the files hold it. */
export interface TaskRow {
  readonly id: string;
  readonly split: 'training' | 'heldOut' | 'sealed';
  readonly prompt: string;
}

/** In memory where the system has such a place: runs sync often, and a busy disk would set their pace. */
const temporary = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Everything certified in one pass after the other, without what else a run may do. */
const plain: Settings = { train: { epochs: 1 }, gate: { attribution: false } };

export function aCertificationWorld(parts: WorldParts = {}): CertificationWorld {
  const base = mkdtempSync(path.join(temporary, 'whetstone-certify-'));
  const folder = path.join(base, 'workspace', 'skills', 'words');
  const counts = { training: parts.training ?? 3, heldOut: parts.heldOut ?? 6, sealed: parts.sealed ?? 0 };
  const skillPath = path.join(folder, 'SKILL.md');
  const userState = parts.sameUser?.userState ?? path.join(base, 'home');
  mkdirSync(path.join(folder, 'evals'), { recursive: true });
  writeFileSync(skillPath, parts.skill ?? skillText);
  writeTasks(folder, counts);
  const models = scriptedModels(parts);
  const world: World = {
    environment: { WHETSTONE_HOME: userState },
    platform: process.platform,
    home: base,
    clock: patientClock,
    models: () =>
      Promise.resolve({
        target: parts.target ?? models.target(),
        optimizer: models.optimizer,
        judge: new ScriptedModel(),
      }),
    trusted: () => true,
    consent: { allows: () => Promise.resolve(false) },
    caps: () => ({ day: {}, month: {} }),
    tell: () => undefined,
  };
  const useCases = createUseCases(world);
  const place = { skillPath, workspaceFolders: [path.join(base, 'workspace')] };
  const request = (settings: Settings): RunRequest => ({
    ...place,
    preset: 'standard',
    settings: [plain, settings],
    purpose: 'optimize',
    trusted: true,
  });
  const watched = async <T>(work: (events: RunEvent[]) => Promise<T>) => {
    const events: RunEvent[] = [];
    const from = models.asked.length;
    const result = await work(events);
    return { result, events, asked: models.asked.slice(from) };
  };
  return {
    skillPath,
    userState,
    useCases,
    asked: models.asked,
    optimizerAsked: models.optimizer.requests,
    preflight: (settings = {}) => useCases.preflight(request(settings), neverAborted),
    optimize: (settings = {}, more = {}, signal = neverAborted) =>
      watched((events) => useCases.optimize({ ...request(settings), ...more }, (event) => events.push(event), signal)),
    gather: (settings = {}) =>
      watched((events) => useCases.resumeCertification(request(settings), (event) => events.push(event), neverAborted)),
    measure: async (before, after) => {
      const texts = { before, after };
      const { result, asked } = await watched(() =>
        useCases.measure({ ...request({}), ...texts }, () => undefined, neverAborted),
      );
      return { verdict: result, asked };
    },
    refill: (reason) => useCases.refillErrorBudget({ ...place, reason }, neverAborted),
    record: () => recordOf(world, place),
    report: async () => (await useCases.report(place, neverAborted)) ?? '',
    change: (changed) => models.change(changed),
    addHeldOut: (count) => writeTasks(folder, { ...counts, heldOut: (counts.heldOut += count) }),
    rewriteTasks: (change) => writeTasks(folder, counts, change),
    dispose: () => rmSync(base, { recursive: true, force: true }),
  };
}

const neverAborted = new AbortController().signal;

/** The true record of budget and certifications, as it lies in user state. */
async function recordOf(world: World, place: { skillPath: string; workspaceFolders: readonly string[] }) {
  const { store } = await openSkill(world, place, 'look');
  const reading = await skillCertifications(store).read();
  if (reading.kind !== 'verified') throw new Error(`the record is ${reading.kind}`);
  return reading.body;
}

/** Waits of a retry are cut short; what shows that a process lives beats as ever. */
const patientClock: Clock = {
  now: () => nodeClock.now(),
  sleep: (ms, signal) => {
    const beats = ms === runPace.beatMs || ms === filePace.beatMs;
    return nodeClock.sleep(beats ? ms : Math.min(ms, 1), signal);
  },
};

function scriptedModels(parts: WorldParts) {
  const asked: ModelRequest[] = [];
  let now: Pick<WorldParts, 'ability' | 'model'> = parts;
  const { edits = [] } = parts;
  const optimizer = new ScriptedModel().when(
    ({ replySchema }) => replySchema?.name === 'reflection',
    ({ messages }) => replyOf(...(typeof edits === 'function' ? edits(messages[0]?.content ?? '') : edits)),
  );
  const target = (): ScriptedModel => {
    const ability = now.ability ?? saysAlpha;
    return new ScriptedModel(now.model).when(
      () => true,
      (request) => {
        asked.push(request);
        const [system, user] = request.messages;
        return ability(system?.content ?? '', user?.content ?? '', sampleOf(request));
      },
    );
  };
  return { asked, optimizer, target, change: (changed: typeof now) => (now = { ...now, ...changed }) };
}

/** Which independent sample a request asks for: its family and its number in it. */
export function sampleOf({ attempt, dependsOn = [] }: ModelRequest): string {
  return JSON.stringify([...dependsOn, attempt]);
}

const saysAlpha: Ability = (skill) => (skill.includes('Say “alpha”') ? 'alpha' : 'Nothing.');

function writeTasks(
  folder: string,
  counts: { readonly training: number; readonly heldOut: number; readonly sealed: number },
  change: (row: TaskRow) => TaskRow = (row) => row,
): void {
  const rows = (['training', 'heldOut', 'sealed'] as const).flatMap((split) =>
    Array.from({ length: counts[split] }, (_, index) =>
      change({ id: `${split}-${index}`, split, prompt: prompt(split, index) }),
    ),
  );
  const entries = rows.map(({ id, split }) => [id, { split, checks: [{ check: 'contains', text: 'alpha' }] }] as const);
  const evals = { skill_name: 'words', evals: rows.map(({ id, prompt: text }) => ({ id, prompt: text })) };
  const mine = { format: 'whetstone.tasks', version: 1, tasks: Object.fromEntries(entries) };
  writeFileSync(path.join(folder, 'evals', 'evals.json'), JSON.stringify(evals));
  writeFileSync(path.join(folder, 'evals', 'whetstone.json'), JSON.stringify(mine));
}

/** No two of them alike: tasks that are almost the same would be kept on one side of the split. */
function prompt(split: string, index: number): string {
  const words = 'anchor bridge candle dragon engine forest garden hammer island jacket kettle ladder'.split(' ');
  const word = (step: number): string => words[(index * step + split.length) % words.length] ?? '';
  return `${split} ${index}: tell what a ${word(1)}${index} has to do with ${word(5)}${index}${split}.`;
}
