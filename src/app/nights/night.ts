import { totalSpend, type RunSummary } from '../../engine/journal/runSummary.js';
import { AnswersAwaited, messageOf, ModelError, UserError } from '../../errors.js';
import type { Blocker } from '../../schedule/preconditions.js';
import { adoptUnattended, type AutoAdoption } from './autoAdopt.js';
import { takeOlderOptions } from './nightAgreement.js';
import {
  addedTo,
  capLeft,
  capLess,
  cappedNotes,
  nightCapReached,
  nothingTaken,
  runCapReached,
  spentInRuns,
  usedBy,
  type NightUse,
} from './nightLimits.js';
import {
  nightLog,
  type NightResult,
  type NightSkillResult,
  type NightSpend,
  outcomeOf,
  stoppedBy,
  withoutRun,
  sumOf,
  inOrder,
  runsOf,
} from './nightResult.js';
import type { NightRequest } from './nightSkills.js';
import { isWorthNoRepeat, lastNight } from './lastNight.js';
import { lineUp, type LineUp } from './fleet/lineUp.js';
import type { TrainableSkill } from './nightReadiness.js';
import { preparedNight } from './preparedNight.js';
import { withUnconfirmed } from '../tasks/withUnconfirmed.js';
import { nightBoundOf } from './nightBound.js';
import { unpricedLines } from '../models/modelNotes.js';
import { statedPrices, unpricedLocal } from '../models/serverCosts.js';
import { openSkill, type OpenSkill } from '../openSkill.js';
import { replacedProposal } from './replacedProposal.js';
import { runOrGoOn } from './waitingNight.js';
import { optimize, type OptimizeResult } from '../runs/optimize.js';
import { bringItems } from '../tasks/bringItems.js';
import { tasksForRun, type BringItems, type SkillTasks } from '../tasks/skillTasks.js';
import { tidyUserState } from '../runs/tidy.js';
import { userStore, type World } from '../world.js';
import type { RunEvent } from '../../engine/journal/runEvents.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { SpendCap } from '../../ports/spend.js';
import type { RunObserver } from '../runs/runJournal.js';
import type { UserStore } from '../../storage/state/store.js';

/** Watches a night: told which skills are trained before the first of them is, then of every event. */
export interface NightWatcher {
  readonly began: (skills: readonly string[]) => void;
  readonly observe: (skillPath: string, event: RunEvent, summary: RunSummary) => void;
}

/**
 * One skill after the other, each with its own evidence; the memory file is only read where there are several. One that
 * fails does not end the night. It stages; it edits a file only of a skill whose owner named it for that.
 */
export async function runNight(
  world: World,
  request: NightRequest,
  watcher: NightWatcher,
  signal: AbortSignal,
): Promise<NightResult> {
  const startedAt = world.clock.now();
  const store = await userStore(world);
  await takeOlderOptions(world, request, signal);
  const { assessment, sessions, taken } = await preparedNight(world, request, signal);
  const skills: NightSkillResult[] = [
    ...assessment.broken.map((each) => withoutRun(each, { outcome: 'failed', reason: each.reason })),
    ...assessment.leftOut.map((each) => stoppedBy(each, each.stop)),
  ];
  const [stop] = assessment.stops;
  let fleet: string | undefined;
  if (stop === undefined) {
    const { adoption, train, models } = assessment;
    await adoption.begin(store, signal);
    const line = await lineUp(world, { request, train, models, taken });
    fleet = line.sentence;
    watcher.began(line.chosen.map(({ skillPath }) => skillPath));
    skills.push(...(await trainAll({ world, store, request, watcher, adoption, taken }, line, signal)));
  } else skills.push(...assessment.train.map((found) => stoppedBy(named(found), stop)));
  const result: NightResult = {
    startedAt,
    endedAt: world.clock.now(),
    startedBy: request.startedBy ?? 'person',
    stops: assessment.stops,
    skills: inOrder(skills, request.skills),
    ...(fleet === undefined ? {} : { fleet }),
    spend: sumOf([...skills, ...(sessions === undefined ? [] : [sessions])]),
    ...(sessions === undefined ? {} : { sessions }),
  };
  // What a night did is written down also where it was stopped.
  const neverAborted = new AbortController().signal;
  await tidyUserState(world, store, neverAborted);
  if (request.folders !== undefined) await nightLog(store, request.folders).add(result, neverAborted);
  signal.throwIfAborted();
  return result;
}

/** One after the other. What looking through sessions took counts to the run that comes first. */
async function trainAll(
  { taken, ...night }: Omit<NightTraining, 'readOnly' | 'spent' | 'dead' | 'wait'>,
  line: LineUp,
  signal: AbortSignal,
): Promise<readonly NightSkillResult[]> {
  const skills: NightSkillResult[] = [];
  const train = [...line.chosen, ...line.later];
  const readOnly = train.length > 1;
  let dead: Blocker | undefined;
  for (const found of train) {
    const inRuns = await spentInRuns(night.store, runsOf(skills));
    const spent = addedTo(taken, inRuns);
    const before = skills.length === 0 ? taken : nothingTaken;
    const wait = line.waitOf(found, inRuns);
    const trained = await trainUnlessStopped({ ...night, readOnly, spent, taken: before, dead, wait }, found, signal);
    const place = line.placeOf(found, trained.result.outcome === 'skipped' ? 'planned' : 'trained');
    skills.push(place === undefined ? trained.result : { ...trained.result, place });
    dead = trained.dead;
  }
  return skills;
}

interface NightTraining {
  readonly world: World;
  readonly store: UserStore;
  readonly request: NightRequest;
  readonly watcher: NightWatcher;
  readonly readOnly: boolean;
  /** What the night has used so far, as the ledger has it. */
  readonly spent: NightSpend;
  /** What was taken for this run before it: its caps hold both. */
  readonly taken: NightUse;
  /** Set once the model's server was given up or could not be reached: the other skills would only wait for it again. */
  readonly dead: Blocker | undefined;
  /** Set where others are to be trained before it, and too little is left for it. */
  readonly wait: Blocker | undefined;
  readonly adoption: AutoAdoption;
}

interface TrainingResult {
  readonly result: NightSkillResult;
  readonly dead: Blocker | undefined;
}

async function trainUnlessStopped(
  training: NightTraining,
  found: TrainableSkill,
  signal: AbortSignal,
): Promise<TrainingResult> {
  const { request, spent, taken, dead, wait } = training;
  const full = nightCapReached(request.cap, spent) ?? runCapReached(found.options.caps, taken);
  const stop = signal.aborted ? stoppedByPerson : (dead ?? wait ?? (full === undefined ? undefined : capStop(full)));
  return stop === undefined ? trainOne(training, found, signal) : { result: stoppedBy(named(found), stop), dead };
}

async function trainOne(training: NightTraining, found: TrainableSkill, signal: AbortSignal): Promise<TrainingResult> {
  const { store, watcher } = training;
  let seen: RunSummary | undefined;
  const observe: RunObserver = (event, summary) => {
    seen = summary;
    watcher.observe(found.skillPath, event, summary);
  };
  try {
    const result = await runOne(training, found, { observe, signal });
    return { result: { ...result, ...(await usedBy(store, seen)) }, dead: undefined };
  } catch (error) {
    const used = await usedBy(store, seen);
    if (signal.aborted) return { result: { ...stoppedBy(named(found), stoppedByPerson), ...used }, dead: undefined };
    const outcome = error instanceof AnswersAwaited ? 'waiting' : 'failed';
    const failed = withoutRun(named(found), { outcome, reason: whatToDo(error) });
    const dead = deadServer(error);
    const cause = dead === undefined ? undefined : 'backend-failed';
    return { result: { ...failed, ...used, cause }, dead };
  }
}

async function runOne(
  { world, request, readOnly, spent, taken, adoption }: NightTraining,
  found: TrainableSkill,
  { observe, signal }: { readonly observe: RunObserver; readonly signal: AbortSignal },
): Promise<NightSkillResult> {
  const { skillPath, facts, ownCaps } = found;
  const skill = await openSkill(world, { ...request, skillPath }, 'work');
  const own = capLess(found.options.caps, taken);
  const caps = { ...own, ...capLeft(own, request.cap, spent) };
  const options = { ...found.options, caps };
  const before = lastNight(skill);
  const replaced = await replacedProposal(skill, world.clock.now());
  const earlier = await before.earlierText();
  await before.begin(facts.fingerprint, signal);
  const bring = bringItems(world, skill, { from: 'run', seed: options.train.seed }, signal);
  const tasks = await tasksOfNight(skill, found, bring);
  const models = await world.models(signal);
  const unpriced = unpricedLocal(models, await statedPrices(world));
  const callCap =
    unpriced.length === 0 ? undefined : (await nightBoundOf({ world, skill, tasks, options }, models)).calls;
  const unattended = (request.startedBy ?? 'person') !== 'person';
  const setup = { world, skill, tasks, options, ownCaps, purpose: 'night', earlier, callCap } as const;
  const result = await notingSpend(before, observe, (watched) =>
    runOrGoOn({ ...setup, memoryReadOnly: readOnly, unattended, observe: watched }, (start) => optimize(start, signal)),
  );
  if (cameToItsEnd(result)) await before.remember(facts.fingerprint, signal);
  const unknown = unpricedNotes(unpriced, callCap, { caps, ownCaps });
  const notes = [
    ...(result.proposal === undefined ? [] : replaced),
    ...cappedNotes(result),
    ...found.notes,
    ...unknown,
  ];
  const outcome = withNotes({ ...named(found), ...outcomeOf(result) }, notes);
  if (result.proposal === undefined) return outcome;
  const byName = adoption.sentence(skill.places.skillPath);
  if (!adoption.adopts(skill.places.skillPath)) return withNotes(outcome, byName === undefined ? [] : [byName]);
  const { adopted, sentence } = await adoptUnattended(skill, result.proposal, options.gate.noRegression, signal);
  const said = byName === undefined ? [sentence] : [sentence, byName];
  world.tell(`${facts.name}: ${said.join(' ')}`);
  return withNotes(adopted ? { ...outcome, outcome: 'adopted' } : outcome, said);
}

/** Where the person set a cap in calls, which was told before, no other number is told beside it. */
function unpricedNotes(
  models: readonly LanguageModel[],
  callCap: number | undefined,
  { caps, ownCaps }: { readonly caps: SpendCap; readonly ownCaps: SpendCap },
): readonly string[] {
  if (callCap === undefined) return [];
  return unpricedLines(models, callCap, ownCaps.calls === undefined ? caps.calls : callCap);
}

/** With unconfirmed ones where the night was weighed with them. */
async function tasksOfNight(skill: OpenSkill, { tasks }: TrainableSkill, bring: BringItems): Promise<SkillTasks> {
  const confirmed = await tasksForRun(skill, bring);
  return tasks.unconfirmed === undefined ? confirmed : withUnconfirmed(skill, confirmed);
}

/** Notes the text that a night spent something on, however it ended: the next one is held against it. */
async function notingSpend<T>(
  { spend }: Pick<ReturnType<typeof lastNight>, 'spend'>,
  observe: RunObserver,
  work: (watched: RunObserver) => Promise<T>,
): Promise<T> {
  let calls = 0;
  try {
    return await work((event, summary) => {
      calls = totalSpend(summary).calls;
      observe(event, summary);
    });
  } finally {
    if (calls > 0) await spend(new AbortController().signal);
  }
}

function whatToDo(error: unknown): string {
  const cure = error instanceof ModelError || error instanceof UserError ? error.cure : '';
  return [messageOf(error), cure].filter((part) => part !== '').join(' ');
}

/** A server that was given up, or that could not be reached to begin with: no other failure of one call ends a run. */
function deadServer(error: unknown): Blocker | undefined {
  if (!(error instanceof ModelError && (error.kind === 'given-up' || error.kind === 'unavailable'))) return undefined;
  return { name: 'server-given-up', sentence: error.message, cure: error.cure };
}

function cameToItsEnd({ noProposal: nothing, proposal }: OptimizeResult): boolean {
  if (proposal === undefined) return nothing?.cause !== 'backend-failed' && nothing?.cause !== 'cap';
  return isWorthNoRepeat(proposal.verdict);
}

function withNotes(outcome: NightSkillResult, notes: readonly string[]): NightSkillResult {
  return { ...outcome, reason: [outcome.reason, ...notes].join(' ') };
}

function named({ skillPath, facts }: TrainableSkill): { readonly skillPath: string; readonly name: string } {
  return { skillPath, name: facts.name };
}

const stoppedByPerson: Blocker = { name: 'stopped', sentence: 'The night was stopped. Nothing was changed.', cure: '' };

function capStop(full: string): Blocker {
  return {
    name: 'cap-reached',
    sentence: `There is no room left under ${full}.`,
    cure: 'Raise it, or let fewer skills share the night.',
  };
}
