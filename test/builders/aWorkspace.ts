import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import type { Clock } from '../../src/ports/clock.js';
import type { LanguageModel, ModelRole } from '../../src/ports/languageModel.js';
import { nodeClock } from '../../src/storage/files/nodeAdapters.js';
import type { Side } from '../../src/tasks/task.js';
import { createUseCases, type UseCases } from '../../src/app/useCases.js';
import type { SkillOverview } from '../../src/app/results/overview.js';
import type { Preflight } from '../../src/app/runs/preflight.js';
import type { OptimizeResult } from '../../src/app/runs/optimize.js';
import type { World } from '../../src/app/world.js';
import { skillText } from './aRunContext.js';
import { worldSandbox } from './aSandbox.js';

export type Models = Readonly<Record<ModelRole, LanguageModel>>;

/** A task as the workspace's files state it. */
export interface WrittenTask {
  readonly id: string;
  readonly prompt: string;
  readonly side: Side;
  readonly checks: readonly Readonly<Record<string, unknown>>[];
  readonly tags?: readonly string[];
  readonly references?: readonly string[];
}

export interface WorkspaceParts {
  readonly skill?: string;
  readonly tasks?: readonly WrittenTask[];
  /** Files beside SKILL.md. */
  readonly files?: Readonly<Record<string, string>>;
  /** A folder to copy instead, and where its skill lies. */
  readonly copy?: { readonly from: string; readonly skill: string };
  readonly models?: Models;
  readonly clock?: Clock;
  /** Whether the person trusts it; they do unless a test says otherwise. */
  readonly trusted?: () => boolean;
  /** Where it is made: in memory where the system has such a place, unless a test is about the disk. */
  readonly base?: string;
}

/** How one run is made; without it, one pass over the tasks, edits not measured singly. */
export interface RunWish {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly preset?: 'quick' | 'standard' | 'paper';
  readonly resume?: { readonly run: string | undefined };
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  readonly models?: Models;
}

/** A workspace with one skill on a disk in memory, with a user state of its own. */
export interface TestWorkspace {
  readonly folder: string;
  readonly home: string;
  readonly skillPath: string;
  /** What the use cases told the person. */
  readonly told: string[];
  world(models?: Models): World;
  useCases(models?: Models, more?: Partial<World>): UseCases;
  optimize(wish?: RunWish): Promise<OptimizeResult>;
  /** What a person is told before they start such a run. */
  preflight(wish?: RunWish): Promise<Preflight>;
  overview(): Promise<SkillOverview>;
  skillText(): string;
  /** A file that a run left; undefined where there is none. */
  artifact(runId: string, file: string): string | undefined;
  dispose(): void;
}

const inMemory = existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

export function aWorkspace(parts: WorkspaceParts = {}): TestWorkspace {
  const root = realpathSync(mkdtempSync(path.join(parts.base ?? inMemory, 'whetstone-flow-')));
  const folder = path.join(root, 'workspace');
  const home = path.join(root, 'home');
  const skillPath = path.join(folder, parts.copy?.skill ?? 'skills/words', 'SKILL.md');
  if (parts.copy === undefined) writeSkill(path.dirname(skillPath), parts);
  else cpSync(parts.copy.from, folder, { recursive: true });
  mkdirSync(path.join(folder, '.git'), { recursive: true });
  const told: string[] = [];
  const world = (models?: Models): World =>
    aWorld({
      home,
      told,
      clock: parts.clock ?? nodeClock,
      models: models ?? parts.models ?? simulated(),
      trusted: parts.trusted ?? (() => true),
    });
  const useCases = (models?: Models, more?: Partial<World>): UseCases => createUseCases({ ...world(models), ...more });
  const request = { skillPath, workspaceFolders: [folder] };
  const runRequest = ({ settings, preset = 'quick', resume }: RunWish): Parameters<UseCases['optimize']>[0] => ({
    ...request,
    preset,
    settings: settings === undefined ? [] : [settings],
    purpose: 'optimize',
    trusted: true,
    resume,
  });
  return {
    folder,
    home,
    skillPath,
    told,
    world,
    useCases,
    optimize: (wish = {}) =>
      useCases(wish.models).optimize(
        runRequest(wish),
        (event) => wish.onEvent?.(event),
        wish.signal ?? new AbortController().signal,
      ),
    preflight: (wish = {}) => useCases(wish.models).preflight(runRequest(wish), new AbortController().signal),
    overview: () => useCases().overview(request, new AbortController().signal),
    skillText: () => readFileSync(skillPath, 'utf8'),
    artifact: (runId, file) => {
      const found = path.join(folder, '.whetstone', 'runs', runId, file);
      return existsSync(found) ? readFileSync(found, 'utf8') : undefined;
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The same model in every role. */
export function inEveryRole(model: LanguageModel): Models {
  return { target: model, optimizer: model, judge: model };
}

/** So many tasks on each side that want these words. */
export function writtenTasks(counts: Readonly<Record<Side, number>>, words: readonly string[]): readonly WrittenTask[] {
  const checks = words.map((text) => ({ check: 'contains', text }));
  const sides: readonly Side[] = ['training', 'heldOut', 'sealed'];
  return sides.flatMap((side) =>
    Array.from({ length: counts[side] }, (_, index) => ({
      id: `${side}-${index}`,
      prompt: `${subjects[index % subjects.length] ?? ''}: ${ownWords(`${side}${index}`)}.`,
      side,
      checks,
    })),
  );
}

const subjects = [
  'Describe a harbour at dawn',
  'Explain how bread rises',
  'Report on the broken lift',
  'Plan a walk in the hills',
  'Compare two kinds of paint',
  'Summarise the meeting of the choir',
];

/** Words that no other task has: what training has almost seen can prove nothing. */
export function ownWords(name: string): string {
  return ['quay', 'crane', 'gull', 'rope', 'tide', 'lamp'].map((word) => `${word}${name}`).join(' ');
}

function writeSkill(folder: string, { skill, tasks, files = {} }: WorkspaceParts): void {
  const written = tasks ?? writtenTasks({ training: 3, heldOut: 6, sealed: 0 }, ['alpha']);
  mkdirSync(path.join(folder, 'evals'), { recursive: true });
  writeFileSync(path.join(folder, 'SKILL.md'), skill ?? skillText);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const evals = written.map(({ id, prompt }) => ({ id, prompt, expected_output: '' }));
  const own = written.map(({ id, side, checks, tags, references }) => {
    const given = { ...(tags === undefined ? {} : { tags }), ...(references === undefined ? {} : { references }) };
    return [id, { checks, split: side, ...given }] as const;
  });
  write('evals.json', { skill_name: 'words', evals });
  write('whetstone.json', { format: 'whetstone.tasks', version: 1, tasks: Object.fromEntries(own) });

  function write(name: string, content: unknown): void {
    writeFileSync(path.join(folder, 'evals', name), `${JSON.stringify(content, undefined, 2)}\n`);
  }
}

function simulated(): Models {
  return inEveryRole(createSimulatedModel());
}

function aWorld({
  home,
  told,
  ...given
}: Pick<World, 'clock' | 'trusted'> & { home: string; told: string[]; models: Models }): World {
  const { clock, trusted, models } = given;
  return {
    environment: { PATH: process.env['PATH'], WHETSTONE_HOME: path.join(home, 'state') },
    platform: 'linux',
    home,
    clock,
    models: () => Promise.resolve(models),
    trusted,
    consent: { allows: () => Promise.resolve(false) },
    ...worldSandbox(undefined),
    allowsPreferences: () => Promise.resolve(true),
    caps: () => ({ day: {}, month: {} }),
    tell: (note) => void told.push(note),
  };
}
