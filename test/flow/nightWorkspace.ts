import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import type { SimulatedOptions } from '../../src/simulated/options.js';
import type { Clock } from '../../src/ports/clock.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { nodeClock } from '../../src/storage/files/nodeAdapters.js';
import type { NightWatcher } from '../../src/app/nights/night.js';
import type { NightRequest } from '../../src/app/nights/nightSkills.js';
import type { NightResult } from '../../src/app/nights/nightResult.js';
import { createUseCases, type UseCases } from '../../src/app/useCases.js';
import type { World } from '../../src/app/world.js';

/** A clock that can be set, and whose waits take no time. */
export function aSettableClock(start: number): Clock & { set(now: number): void } {
  let now = start;
  return { now: () => now, sleep: () => Promise.resolve(), set: (value) => void (now = value) };
}

/** A model that counts what it is asked. */
export function counted(model: LanguageModel): LanguageModel & { readonly calls: () => number } {
  let calls = 0;
  return {
    identity: model.identity,
    complete: (request, signal) => {
      calls += 1;
      return model.complete(request, signal);
    },
    calls: () => calls,
  };
}

export function simulated(options: SimulatedOptions = {}): LanguageModel & { readonly calls: () => number } {
  return counted(createSimulatedModel(options));
}

/** A workspace with demo skills and a user state of its own, for whole nights. */
export interface NightWorkspace {
  readonly folder: string;
  /** The user state. */
  readonly state: string;
  readonly told: readonly string[];
  skillPath(name: string): string;
  skillText(name: string): string;
  writeSkill(name: string, text: string): void;
  /** Keeps only so many tasks of a skill. */
  keepTasks(name: string, count: number): void;
  world(model: LanguageModel): World;
  useCases(model: LanguageModel, world?: Partial<World>): UseCases;
  night(model: LanguageModel, more?: Partial<NightRequest>, world?: Partial<World>): Promise<NightResult>;
  dispose(): void;
}

const inMemory = existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();
/** Where the demo keeps each of its skills. */
const demoFolders: Readonly<Record<string, string>> = {
  'incident-summary': '.claude',
  'code-review': '.github',
  'support-answer': '.agents',
};

function demoSkill(name: string): string {
  return path.resolve('media/demo', demoFolders[name] ?? '', 'skills', name);
}

export function aNightWorkspace(
  skills: readonly string[],
  parts: { readonly clock?: Clock; readonly memory?: string } = {},
): NightWorkspace {
  const root = realpathSync(mkdtempSync(path.join(inMemory, 'whetstone-night-')));
  const folder = path.join(root, 'workspace');
  const skillFile = (name: string): string => path.join(folder, '.claude', 'skills', name, 'SKILL.md');
  for (const name of skills) cpSync(demoSkill(name), path.dirname(skillFile(name)), { recursive: true });
  mkdirSync(path.join(folder, '.git'));
  if (parts.memory !== undefined) writeFileSync(path.join(folder, 'CLAUDE.md'), parts.memory);
  const told: string[] = [];
  const worldOf = (model: LanguageModel): World => ({
    environment: { WHETSTONE_HOME: path.join(root, 'state') },
    platform: 'linux',
    home: root,
    clock: parts.clock ?? nodeClock,
    models: () => Promise.resolve({ target: model, optimizer: model, judge: model }),
    trusted: () => true,
    consent: { allows: () => Promise.resolve(false) },
    caps: () => ({ day: {}, month: {} }),
    tell: (note) => void told.push(note),
  });
  const useCases = (model: LanguageModel, world: Partial<World> = {}): UseCases =>
    createUseCases({ ...worldOf(model), ...world });
  return {
    folder,
    state: path.join(root, 'state'),
    told,
    skillPath: skillFile,
    skillText: (name) => readFileSync(skillFile(name), 'utf8'),
    writeSkill: (name, text) => writeFileSync(skillFile(name), text),
    keepTasks: (name, count) => {
      const file = path.join(path.dirname(skillFile(name)), 'evals', 'evals.json');
      const shipped = readFileSync(path.join(demoSkill(name), 'evals', 'evals.json'), 'utf8');
      writeFileSync(file, firstTasks(shipped, count));
    },
    world: worldOf,
    useCases,
    night: (model, more = {}, world = {}) =>
      useCases(model, world).night(
        aNightRequest(folder, { skills: skills.map(skillFile), ...more }),
        silent,
        new AbortController().signal,
      ),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

export const silent: NightWatcher = { began: () => undefined, observe: () => undefined };

/** Quick unless told otherwise: edits are not measured singly. */
export function aNightRequest(folder: string, more: Partial<NightRequest>): NightRequest {
  return {
    skills: [],
    workspaceFolders: [folder],
    folders: [folder],
    preset: 'quick',
    settings: [],
    trusted: true,
    force: false,
    ...more,
  };
}

/** A file of tasks with the first of them alone. */
export function firstTasks(text: string, count: number): string {
  const file: unknown = JSON.parse(text);
  if (typeof file !== 'object' || file === null || !('evals' in file) || !Array.isArray(file.evals))
    throw new Error('no evals');
  return `${JSON.stringify({ ...file, evals: file.evals.slice(0, count) }, undefined, 2)}\n`;
}

/** Says all that the tasks of the demo’s incident-summary ask for. */
export const perfectSkill = `---
name: incident-summary
description: Summarises incidents.
---

# Incident summary

- Keep the answer to at most 700 characters.
- Always use the words “data loss”.
- Do not use the words “I think”.
- Include a line that starts with “Next update:”.
- Include a line that starts with “Severity:”.
`;
