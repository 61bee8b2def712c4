import { refuseBeyondBounds } from '../../engine/optionBounds.js';
import type { Verdict } from '../../gate/verdict/verdict.js';
import { contextNotes, saysContext, type LongestPrompts } from '../models/contextNotes.js';
import { earlierRuns, modelChangeNotes } from '../models/modelNotes.js';
import { statedPrices, unpricedLocal } from '../models/serverCosts.js';
import type { ModelSpecs } from '../models/chooseModels.js';
import { specsOfNames } from '../models/specOfName.js';
import { modelNames, type RoleModels } from '../models/runModels.js';
import { openSkill, type OpenSkill, type SkillRequest } from '../openSkill.js';
import { readSkillTasks, tasksForEvaluation, tasksForMeasuring, tasksForPlanning } from '../tasks/skillTasks.js';
import { refuseUnasked } from '../tasks/bringItems.js';
import type { World } from '../world.js';
import { refillErrorBudget } from './certifications/refill.js';
import { totalSpend } from '../../engine/journal/runSummary.js';
import {
  candidatePriceOf,
  candidatePricesOf,
  candidateSizeOf,
  rebasePriceOf,
  type CandidatePrice,
  type CandidateToPrice,
} from './certifications/candidatePrice.js';
import { consolidationSizeOf } from './bound/consolidationSize.js';
import type { ConsolidationSize } from './bound/runBound.js';
import { evaluationSizeOf, sumOfSizes, type EvaluationSize } from './bound/evaluationSize.js';
import { evaluate, type EvaluationResult, type EvaluationWish } from './evaluate.js';
import type { RunSize } from './bound/runSize.js';
import type { ToldSize } from './bound/toldSize.js';
import { textPriceOf, textSizeOf } from './certifications/textPrice.js';
import { measureTexts, textsToMeasure, type MeasureWish } from './measure.js';
import { optimize, type OptimizeResult } from './optimize.js';
import { preflightOf, sizeOfRun, runNotes, type Preflight } from './preflight.js';
import { resumeCertification } from './resumeCertification.js';
import type { BegunRun, RunObserver } from './runJournal.js';
import { isConsolidation } from './runOptionsFor.js';
import { goingOn } from './goingOn.js';
import { refuseToGoOn } from './runInputs.js';
import { lookAtRun, startRun, type RunRequest, type RunStart, type StartParts } from './runStart.js';
import { openOutFolder } from '../../storage/files/outFolder.js';
import { runToResume } from './unfinishedRuns.js';

interface Resuming {
  /**
   * Goes on with a run that was cut off (the newest one where none is named), with the options it began with. What
   * it asked before is stored and not paid for again. Refused where skill, tasks, prompts or models have changed.
   */
  readonly resume?: { readonly run: string | undefined } | undefined;
}

interface Leaving {
  /** A folder of the person's for what the run leaves, beside its own: empty, or not there yet. */
  readonly out?: string | undefined;
}

/** `specs`: as a person names models; undefined where a name does not tell. */
export interface ModelsToResume {
  readonly names: BegunRun['started']['models'];
  readonly specs: ModelSpecs | undefined;
}

type EvaluationRequest = RunRequest & EvaluationWish;

/** What trains and measures a skill. Never edits one. One run a skill across windows and processes. */
export interface RunUseCases {
  /** Of a run that goes on: what is left of it at most. */
  preflight(request: RunRequest & Resuming, signal: AbortSignal): Promise<Preflight>;
  /** Trains and stages a proposal. */
  optimize(
    request: RunRequest & Resuming & Leaving,
    observe: RunObserver,
    signal: AbortSignal,
  ): Promise<OptimizeResult>;
  /** The models that such a run was begun on, and how to name them, where their names tell who answers for them. */
  modelsToResume(request: SkillRequest & { readonly run: string | undefined }): Promise<ModelsToResume>;
  /** What scoring the tasks would take, of one skill or of several one after the other. */
  evaluationSize(
    requests: readonly [EvaluationRequest, ...EvaluationRequest[]],
    signal: AbortSignal,
  ): Promise<EvaluationSize>;
  /** Of evaluations on different models, one after the other. */
  readonly sumOfSizes: typeof sumOfSizes;
  evaluate(request: EvaluationRequest, observe: RunObserver, signal: AbortSignal): Promise<EvaluationResult>;
  /** Certifies one text of the skill against another; counts as a certification. */
  measure(request: MeasureRequest, observe: RunObserver, signal: AbortSignal): Promise<Verdict>;
  /** What measuring would take, from the fewest passes to the most; undefined where it would ask no model at all. */
  measurePrice(request: MeasureRequest & Looking, signal: AbortSignal): Promise<ToldSize | undefined>;
  /** Goes on with the certification of the pending proposal where a cap cut it off. */
  resumeCertification(request: RunRequest, observe: RunObserver, signal: AbortSignal): Promise<OptimizeResult>;
  /** Certifies another candidate of the waiting proposal; where it is accepted it takes the place of the one proposed. */
  certifyCandidate(
    request: RunRequest & { readonly candidate: string },
    observe: RunObserver,
    signal: AbortSignal,
  ): Promise<OptimizeResult>;
  /** What either would take, in calls, money and error budget. */
  candidatePrice(request: RunRequest & CandidateToPrice, signal: AbortSignal): Promise<CandidatePrice>;
  /** What measuring would take once the waiting proposal is rebased, which it is not by this. */
  rebasePrice(request: RunRequest, signal: AbortSignal): Promise<CandidatePrice>;
  /** What certifying would take, of each candidate that can be: to be shown. Asks the person nothing and writes nothing. */
  candidatePrices(request: RunRequest, signal: AbortSignal): Promise<readonly CandidatePrice[]>;
  /** The person's own decision to certify more often against the same held-out tasks, with their reason. */
  refillErrorBudget(request: SkillRequest & { readonly reason: string }, signal: AbortSignal): Promise<void>;
}

interface Looking {
  /** True where a price is only shown, and nothing may be started for it. */
  readonly startsNothing?: boolean;
}

/** Refused before anything is spent. */
function outOf({ skill }: RunStart, { out }: Leaving, resumed: string | undefined): Promise<string | undefined> {
  if (out === undefined) return Promise.resolve(undefined);
  return openOutFolder(out, { state: skill.places.workspaceState, skill: skill.folder, resumed });
}

type MeasureRequest = RunRequest & MeasureWish;

/** What asks no optimizer. */
const measuring = { saysPreferences: false, tasks: tasksForMeasuring, items: 'stored' } as const;
/** The same beforehand: what it would take. */
const planning = { ...measuring, tasks: tasksForPlanning };

/** For a view that nobody asked for a price: no environment is asked for its tasks, and without them there is none. */
const looking: Omit<StartParts, 'observe'> = {
  ...measuring,
  items: 'look',
  async tasks(skill, bring) {
    await refuseUnasked(skill, await readSkillTasks(skill, bring));
    return tasksForPlanning(skill, bring);
  },
};

/** Every task, or those that are named. */
function evaluating({ only }: Pick<EvaluationRequest, 'only'>): Omit<StartParts, 'observe'> {
  return { ...measuring, items: 'run', only, tasks: (skill, bring) => tasksForEvaluation(skill, bring, only) };
}

/** A run that goes on has the tasks that it began with. */
function itemsOfResumed({ run }: NonNullable<Resuming['resume']>): (skill: OpenSkill) => Promise<BegunRun> {
  return (skill) => runToResume(skill, run);
}

/** Wired to files and models. */
export function createRunUseCases(world: World): RunUseCases {
  return {
    preflight: (request, signal) => preflight(world, request, signal),
    async optimize(request, observe, signal) {
      const saysPreferences = request.resume === undefined; // a run that goes on says those that it began with
      const items = request.resume === undefined ? 'run' : itemsOfResumed(request.resume);
      const start = await startRun(world, request, { observe, saysPreferences, items }, signal);
      await tellNotes(start, signal);
      if (request.resume === undefined) {
        const out = await outOf(start, request, undefined);
        await tellModelChange(start, signal);
        return optimize({ ...start, out, callCap: await callCapOf(start, signal) }, signal);
      }
      const resume = await runToResume(start.skill, request.resume.run);
      refuseBeyondBounds(resume.started.options);
      const out = await outOf(start, request, resume.runId);
      const begun = await goingOn(start, resume);
      return optimize({ ...begun, out, resume, callCap: await callCapOf(begun, signal) }, signal);
    },
    async modelsToResume(request) {
      const { started } = await runToResume(await openSkill(world, request, 'look'), request.run);
      return { names: started.models, specs: specsOfNames(started.models) };
    },
    async evaluate(request, observe, signal) {
      const start = await startRun(world, request, { ...evaluating(request), observe }, signal);
      await tellNotes(start, signal, { optimizer: 0 });
      const callCap = await callCapOf(start, signal, async (models) => evaluationSizeOf(start, request, models));
      return evaluate({ ...start, callCap }, request, signal);
    },
    async evaluationSize([first, ...others], signal) {
      const more = await Promise.all(others.map((each) => evaluationSize(world, each, signal)));
      return sumOfSizes(await evaluationSize(world, first, signal), more);
    },
    sumOfSizes,
    ...measurements(world),
    refillErrorBudget: (request, signal) => refillErrorBudget(world, request, signal),
  };
}

/** What asks no optimizer and measures two texts. */
function measurements(
  world: World,
): Pick<
  RunUseCases,
  | 'measure'
  | 'measurePrice'
  | 'resumeCertification'
  | 'certifyCandidate'
  | 'candidatePrice'
  | 'candidatePrices'
  | 'rebasePrice'
> {
  return {
    async measure(request, observe, signal) {
      const start = await startRun(world, request, { ...measuring, observe }, signal);
      const texts = await textsToMeasure(start.skill, request);
      const callCap = await callCapOf(start, signal, (models) => textSizeOf(start, texts, models));
      return (await measureTexts({ ...start, callCap }, texts, signal)).verdict;
    },
    async measurePrice(request, signal) {
      const start = await startRun(world, request, request.startsNothing === true ? looking : planning, signal);
      return textPriceOf(start, await textsToMeasure(start.skill, request), await world.models(signal));
    },
    resumeCertification: (request, observe, signal) => certifyWaiting(world, request, observe, signal),
    certifyCandidate: (request, observe, signal) => certifyWaiting(world, request, observe, signal),
    async candidatePrice(request, signal) {
      const start = await startRun(world, request, planning, signal);
      return candidatePriceOf(start, request, signal);
    },
    async rebasePrice(request, signal) {
      return rebasePriceOf(await startRun(world, request, planning, signal), signal);
    },
    async candidatePrices(request, signal) {
      return candidatePricesOf(await lookAtRun(world, request, tasksForPlanning), signal);
    },
  };
}

/** The proposal that waits, or the candidate of it that is named. */
async function certifyWaiting(
  world: World,
  request: RunRequest & { readonly candidate?: string | undefined },
  observe: RunObserver,
  signal: AbortSignal,
): Promise<OptimizeResult> {
  const { candidate } = request;
  const start = await startRun(world, request, { ...measuring, observe }, signal);
  const callCap = await callCapOf(start, signal, (models) => candidateSizeOf(start, candidate, models));
  return resumeCertification({ ...start, callCap }, signal, candidate);
}

async function preflight(world: World, request: RunRequest & Resuming, signal: AbortSignal): Promise<Preflight> {
  const saysPreferences = request.resume === undefined;
  const items = request.resume === undefined ? 'ask' : itemsOfResumed(request.resume);
  const start = await startRun(world, request, { tasks: tasksForPlanning, saysPreferences, items }, signal);
  const models = await world.models(signal);
  if (request.resume === undefined) return preflightOf(await sized(start), models);
  const resumed = await runToResume(start.skill, request.resume.run);
  const setup = await sized(await goingOn(start, resumed));
  await refuseToGoOn(setup, resumed, modelNames(models));
  return preflightOf({ ...setup, spent: totalSpend(resumed.summary), resume: resumed }, models);
}

async function evaluationSize(world: World, request: EvaluationRequest, signal: AbortSignal): Promise<EvaluationSize> {
  const start = await startRun(world, request, { ...evaluating(request), items: 'ask' }, signal);
  return evaluationSizeOf(start, request, await world.models(signal));
}

/** With what a consolidation does beyond a run, where it is one. */
async function sized(start: RunStart): Promise<RunStart & { readonly consolidated?: ConsolidationSize }> {
  if (!isConsolidation(start.purpose)) return start;
  const how = { alone: start.memoryReadOnly !== true, night: start.purpose === 'night' };
  return { ...start, ...(await consolidationSizeOf(start, how)) };
}

/** What the preflight calls the most, where a model on this machine has no known price: then that is held. */
async function callCapOf(
  start: RunStart,
  signal: AbortSignal,
  size: (models: RoleModels) => Promise<Pick<RunSize, 'calls'> | undefined> = (models) => runSizeOf(start, models),
): Promise<number | undefined> {
  const models = await start.world.models(signal);
  if (unpricedLocal(models, await statedPrices(start.world)).length === 0) return undefined;
  return (await size(models))?.calls.high;
}

async function runSizeOf(start: RunStart, models: RoleModels): ReturnType<typeof sizeOfRun> {
  return sizeOfRun({ ...(await sized(start)), prices: await statedPrices(start.world) }, models);
}

/** For those who started without a preflight. */
async function tellNotes(start: RunStart, signal: AbortSignal, unasked: Partial<LongestPrompts> = {}): Promise<void> {
  const models = await start.world.models(signal);
  const longest = async (): Promise<LongestPrompts> => ({ ...(await runSizeOf(start, models)).longest, ...unasked });
  const ofContext = saysContext(models) ? await contextNotes(models, await longest()) : [];
  for (const note of [...ofContext, ...(await runNotes(start))]) start.world.tell(note);
}

async function tellModelChange({ world, skill }: RunStart, signal: AbortSignal): Promise<void> {
  const names = modelNames(await world.models(signal));
  for (const note of modelChangeNotes(await earlierRuns(skill), names)) world.tell(note);
}
