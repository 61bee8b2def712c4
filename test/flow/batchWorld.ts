// A skill of 24 training and 22 held-out tasks, trained at night by a server that takes batches.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import type { NightPlan } from '../../src/app/nights/nightPlan.js';
import type { NightResult } from '../../src/app/nights/nightResult.js';
import type { NightRequest } from '../../src/app/nights/nightSkills.js';
import type { UseCases } from '../../src/app/useCases.js';
import { createLearnedCapabilities } from '../../src/models/openai/capabilities.js';
import { createOpenAIModel } from '../../src/models/openai/openaiModel.js';
import type { Clock } from '../../src/ports/clock.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { nodeClock } from '../../src/storage/files/nodeAdapters.js';
import { BatchServer, type BatchServerOptions } from '../builders/aBatchServer.js';
import { aWorkspace, inEveryRole, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';
import { aNightRequest } from './nightWorkspace.js';

export const counts = { training: 24, heldOut: 22, sealed: 0 };

/** A dollar for a million tokens, so that half the price shows in the figures. */
export const prices = { 'simulated-1': { input: 1, output: 1 } };

/** Of a night with batches or without, and whatever else is set. */
export function settingsOf(batch: boolean, more: object = {}): Readonly<Record<string, unknown>> {
  return { nightly: { batch, batchWait: 4 }, ...more };
}

/** Real time, but nobody waits for long. */
export const hastyClock: Clock = { ...nodeClock, sleep: (ms, signal) => nodeClock.sleep(Math.min(ms, 10), signal) };

export interface BatchNight {
  readonly result: NightResult;
  readonly events: readonly RunEvent[];
}

export interface BatchWorld {
  readonly server: BatchServer;
  readonly workspace: TestWorkspace;
  readonly model: LanguageModel;
  night(more?: {
    readonly settings?: object;
    readonly clock?: Clock;
    readonly signal?: AbortSignal;
  }): Promise<BatchNight>;
  /** What a person is told before. */
  plan(settings?: object): Promise<NightPlan>;
  stop(): Promise<void>;
}

export function modelAt(url: string, apiKey?: string): LanguageModel {
  const endpoint = { provider: 'custom', baseUrl: url, model: 'simulated-1', apiKey };
  return createOpenAIModel(endpoint, { fetch, learned: createLearnedCapabilities() });
}

/** Tasks that want a word; those that are judged also what a judge has to grade. */
function batchWorkspace(judged: boolean): TestWorkspace {
  const rubric = { check: 'rubric', rubric: 'The answer uses the word “fathoms”.' };
  const tasks = writtenTasks(counts, ['fathoms']);
  return aWorkspace({
    tasks: judged ? tasks.map((task) => ({ ...task, checks: [...task.checks, rubric] })) : tasks,
  });
}

/** The skill and, where more than one is wished for, copies of it under other names. */
function skillsOf({ skillPath }: TestWorkspace, count: number): readonly string[] {
  const copies = Array.from({ length: count - 1 }, (_, index) => {
    const folder = `${path.dirname(skillPath)}-${index + 2}`;
    cpSync(path.dirname(skillPath), folder, { recursive: true });
    const copy = path.join(folder, 'SKILL.md');
    writeFileSync(copy, readFileSync(copy, 'utf8').replace(/^name: .*$/m, `name: ${path.basename(folder)}`));
    return copy;
  });
  return [skillPath, ...copies];
}

export async function aBatchWorld({
  judged = false,
  skillCount = 1,
  ...options
}: BatchServerOptions & { readonly judged?: boolean; readonly skillCount?: number } = {}): Promise<BatchWorld> {
  const server = await BatchServer.start(options);
  const workspace = batchWorkspace(judged);
  const skills = skillsOf(workspace, skillCount);
  const model = modelAt(server.url);
  const useCases = (clock: Clock): UseCases => workspace.useCases(inEveryRole(model), { clock, prices: () => prices });
  const request = (settings: object): NightRequest =>
    aNightRequest(workspace.folder, { skills, settings: [{ ...settings }], force: true });
  return {
    server,
    workspace,
    model,
    plan: (settings = settingsOf(true)) =>
      useCases(hastyClock).planNight(request(settings), new AbortController().signal),
    async night({ settings = settingsOf(true), clock = hastyClock, signal = new AbortController().signal } = {}) {
      const events: RunEvent[] = [];
      const observe = (_: string, event: RunEvent): void => void events.push(event);
      const watcher = { began: () => undefined, observe };
      return { result: await useCases(clock).night(request(settings), watcher, signal), events };
    },
    async stop() {
      await server.stop();
      workspace.dispose();
    },
  };
}

/** What the ledger's file says, reservation by reservation: settled, given back, or open at its worst. */
export function ledgerOf({ home }: Pick<TestWorkspace, 'home'>) {
  const folder = path.join(home, 'state', 'spend');
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const lines = files.flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'));
  const parsed = lines.filter((line) => line.includes('"kind"')).map((line) => JSON.parse(line));
  const ended = new Map(parsed.filter(({ kind }) => kind !== 'reserve').map((line) => [line.id, line]));
  const reserved = parsed.filter(({ kind }) => kind === 'reserve');
  const settled = reserved.map(({ id }) => ended.get(id)).filter((line) => line?.kind === 'settle');
  return {
    settled: settled.map(({ tokens, usd }): { tokens: number; usd: number } => ({ tokens, usd })),
    open: reserved.filter(({ id }) => !ended.has(id)).length,
    reserved,
  };
}

/** Of amounts at a dollar a million: how many were paid for at half of it, and what all came to. */
export function paidIn(amounts: readonly { readonly tokens: number; readonly usd: number }[]) {
  const half = amounts.filter(({ tokens, usd }) => tokens > 0 && Math.abs(usd * 2e6 - tokens) < 1e-3);
  const whole = amounts.filter(({ tokens, usd }) => tokens > 0 && Math.abs(usd * 1e6 - tokens) < 1e-3);
  return { half: half.length, whole: whole.length, usd: amounts.reduce((sum, { usd }) => sum + usd, 0) };
}
