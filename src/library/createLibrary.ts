import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { MachineWishes } from '../app/machine.js';
import type { UseCases } from '../app/useCases.js';
import type { World } from '../app/world.js';
import type { OwnCheck } from '../ports/ownCheck.js';
import { followShare } from '../engine/journal/runShare.js';
import { totalSpend, type RunSummary } from '../engine/journal/runSummary.js';
import { layerOfSetting, presetNamed } from '../engine/runOptions.js';
import type { RunEvent } from '../engine/journal/runEvents.js';
import { UserError } from '../errors.js';
import type { ProgramQuestion } from '../ports/programs.js';
import { containmentSentences, reachLine } from '../wording/programs/containment.js';
import { exactText } from '../wording/shownText.js';
import { isAtStake, isHeld } from '../wording/preflightLines.js';
import { verdictReport } from '../wording/verdictReport.js';
import { evaluateResult, spendOf, trainResult } from './results.js';
import type { Library, LibraryOptions, LibrarySize } from './library.js';

/** What the library is wired to: the bundle that the command line works with. */
export interface LibraryParts {
  createUseCases(world: World): UseCases;
  worldOfMachine(wishes: MachineWishes): World;
  /** Where the sandbox for programs lies. */
  readonly sandbox?: World['sandbox'];
  withOwnChecks<Result>(checks: readonly OwnCheck[], work: () => Promise<Result>): Promise<Result>;
}

type RunRequest = Omit<Parameters<UseCases['optimize']>[0], 'resume'>;

/** The library for Node, over the same use cases as the editor and the command line. */
export function createLibrary(parts: LibraryParts): Library {
  const calls = callsOf(parts);
  const judging =
    <Options extends LibraryOptions, Result>(call: (options: Options) => Promise<Result>) =>
    (options: Options): Promise<Result> =>
      parts.withOwnChecks(options.checks ?? [], () => call(options));
  return { train: judging(calls.train), evaluate: judging(calls.evaluate), certify: judging(calls.certify) };
}

function callsOf(parts: LibraryParts): Library {
  return {
    async train(options) {
      const { signal, useCases, request } = open(parts, options);
      await startingSkill(useCases, options, signal);
      const { resume: run, out } = options;
      const resume = run === undefined ? undefined : { run: run === true ? undefined : run };
      const wanted = { ...request, resume, out: out === undefined ? undefined : path.resolve(out) };
      await agreed(await useCases.preflight(wanted, signal), options, () => useCases.reachModels(signal));
      const result = await useCases.optimize(wanted, observerOf(options), signal);
      return trainResult(result);
    },
    async evaluate(options) {
      const { signal, useCases, request } = open(parts, options);
      const { only, sealed = false, fresh = false, withoutSkill = false } = options;
      const wanted = { ...request, only, sealed, fresh, withoutSkill };
      await agreed(await useCases.evaluationSize([wanted], signal), options, () => useCases.reachModels(signal));
      return evaluateResult(await useCases.evaluate(wanted, observerOf(options), signal));
    },
    async certify(options) {
      const { signal, useCases, request } = open(parts, options);
      const wanted = { ...request, before: options.before, after: options.after };
      const price = await useCases.measurePrice(wanted, signal);
      if (price !== undefined) await agreed(price, options, () => useCases.reachModels(signal));
      return verdictReport(await useCases.measure(wanted, observerOf(options), signal));
    },
  };
}

/** A folder without a SKILL.md starts from what its environment brings, where the caller allows that to be written. */
async function startingSkill(
  useCases: UseCases,
  { skill: folder, allow = {}, onNote }: LibraryOptions,
  signal: AbortSignal,
): Promise<void> {
  if (existsSync(path.join(folder, 'SKILL.md')) || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const [name, ...others] = await useCases.skillBringers(folder);
  if (name === undefined || others.length > 0) return; // then it is said that there is no skill
  if (allow.newSkill !== true) {
    throw new UserError(
      'skill-missing',
      `There is no SKILL.md in ${path.resolve(folder)}, and the environment “${name}” brings one.`,
      'Give allow: { programs: true, newSkill: true } to have it asked, and its text written and trained.',
    );
  }
  const brought = await useCases.broughtSkill({ folder, environment: name }, signal);
  const written = await useCases.writeBroughtSkill(brought, signal);
  onNote?.(`The environment “${name}” brought the text that training starts from. It is written to ${written}.`);
}

interface LibraryRun {
  readonly useCases: UseCases;
  readonly request: RunRequest;
  readonly signal: AbortSignal;
}

function open(parts: LibraryParts, options: LibraryOptions): LibraryRun {
  const { signal = new AbortController().signal, preset = 'standard', settings = {}, caps = {} } = options;
  refuseNoSkill(options);
  const request: RunRequest = {
    skillPath: options.skill,
    workspaceFolders: [],
    explicitRoot: options.root,
    cwd: process.cwd(),
    preset: presetNamed(preset),
    settings: [...Object.entries(settings).map(layerOf), { caps: caps.run ?? {} }],
    trusted: true,
    purpose: 'optimize',
  };
  return {
    useCases: parts.createUseCases(parts.worldOfMachine({ ...wishesOf(options), sandbox: parts.sandbox })),
    request,
    signal,
  };
}

function wishesOf(options: LibraryOptions): MachineWishes {
  const { caps = {}, prices = {}, allow = {}, environments = [], home } = options;
  return {
    specs: specsOf(options),
    environment: home === undefined ? process.env : { ...process.env, WHETSTONE_HOME: path.resolve(home) },
    platform: process.platform,
    home: homedir(),
    allowsLogin: () => Promise.resolve(allow.login === true),
    consent: { allows: (question) => Promise.resolve(allowed(question, options)) },
    allowsPrompt: () => Promise.resolve(allow.prompts === true),
    allowsPreferences: () => Promise.resolve(allow.preferences === true),
    environments: () => environments,
    prices: () => prices,
    caps: () => ({ day: caps.day ?? {}, month: caps.month ?? {} }),
    tell: (note) => options.onNote?.(note),
  };
}

/** Nobody is asked: what `allow` says holds, and what it lets run is told. */
function allowed(question: ProgramQuestion, { allow = {}, onNote }: LibraryOptions): boolean {
  if (allow.programs !== true) return false;
  const { what, shown = what } = question;
  const reached = [...containmentSentences(question), reachLine(question)].join(' ').trim();
  onNote?.(`Allowed to run: ${exactText(shown)}. ${reached}`);
  return true;
}

function specsOf({
  model = process.env['WHETSTONE_MODEL'],
  models = {},
}: Pick<LibraryOptions, 'model' | 'models'>): MachineWishes['specs'] {
  const { target = model, optimizer = model, judge = model } = models;
  return { target, optimizer, judge };
}

/** Whoever writes JavaScript may leave it out. */
function refuseNoSkill({ skill }: { readonly skill: unknown }): void {
  if (typeof skill === 'string' && skill !== '') return;
  throw new UserError('usage', 'No skill is named.', 'Give “skill”: a SKILL.md, or the folder that holds one.');
}

/** A name with dots leads into groups of options. */
function layerOf([name, value]: readonly [string, unknown]): Readonly<Record<string, unknown>> {
  return name.includes('.') ? layerOfSetting(`${name}=${JSON.stringify(value)}`) : { [name]: value };
}

type SizeToAgree = Parameters<typeof isAtStake>[0] &
  Parameters<typeof isHeld>[0] & {
    readonly calls: { readonly high: number };
    readonly tokens: { readonly high: number };
    readonly usual: { readonly calls: number; readonly usd: number | undefined; readonly minutes: number };
  };

/** Nobody is asked about a server that is not there. */
async function agreed(size: SizeToAgree, { agree }: LibraryOptions, reach: () => Promise<unknown>): Promise<void> {
  await reach();
  if (!isAtStake(size)) return;
  if (agree === undefined && isHeld(size)) return;
  if ((await agree?.(told(size))) === true) return;
  const cap = size.usd === undefined ? '{ run: { calls: 200 } }' : '{ run: { usd: 1 } }';
  throw new UserError(
    'usage',
    agree === undefined ? 'Nothing was begun: nobody agreed to what this may take.' : 'Nothing was begun.',
    `Give a cap that can hold, such as caps: ${cap}, or a function “agree” that says yes.`,
  );
}

function told({ calls, tokens, usd, minutes, usual }: SizeToAgree): LibrarySize {
  return {
    calls: { usual: usual.calls, most: calls.high },
    tokens: { most: tokens.high },
    usd: usd === undefined ? undefined : { usual: usual.usd ?? usd.high, most: usd.high },
    minutes: { usual: usual.minutes, most: minutes.high },
  };
}

function observerOf({ onProgress }: LibraryOptions): (event: RunEvent, summary: RunSummary) => void {
  if (onProgress === undefined) return () => undefined;
  const share = followShare();
  let at: { readonly stage: string; readonly step: number } | undefined;
  return (event, summary) => {
    if (event.kind === 'stage') at = { stage: event.stage, step: event.step };
    const how = share(event, Date.now());
    onProgress({ stage: at?.stage, step: at?.step, share: how.share, ...spendOf(totalSpend(summary)) });
  };
}
