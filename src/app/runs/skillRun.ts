import { isWaiting, messageOf } from '../../errors.js';
import { containedPrograms } from '../environments/containedPrograms.js';
import { startSources } from '../environments/environmentsFor.js';
import { askAboutPrograms } from '../environments/programsAtStart.js';
import { neededTasks, refuseUnplayed, unplayedNotes } from '../environments/unplayedTasks.js';
import { runHandoff, type RunHandoff } from '../handoff/runHandoff.js';
import { totalSpend } from '../../engine/journal/runSummary.js';
import { isHandoff } from '../../models/handoff/handoffModel.js';
import { redactedReplies } from '../../models/wrappers/redactedReplies.js';
import type { RunContext } from '../../engine/runContext.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { busyError, runPace, tryLock, waitForLock, type HeldLock } from '../../storage/files/lock.js';
import { livenessOf } from '../../storage/files/runningProcess.js';
import { runLock } from '../../storage/state/skillLocks.js';
import type { ReplyStore } from '../../ports/stores.js';
import { openReplies } from '../../storage/runs/replies.js';
import { openLedger, type OpenLedger } from '../../storage/spend/spendLedger.js';
import { openTexts } from '../../storage/files/contentStore.js';
import { resumeRunJournal, startRunJournal, type RunJournal } from './runJournal.js';
import { writeBehindCertifications } from './certificationStore.js';
import { attemptsNamed, heldOutTasks } from './certifications/heldOutPower.js';
import { writeBehindTexts, redactedTexts } from './runTexts.js';
import { modelsOfRun } from './modelsOfRun.js';
import { runContextFor } from './runContextFor.js';
import { gatherInputs, refuseChanged, type RunMaterial } from './runInputs.js';
import { capLines, unpricedLines } from '../models/modelNotes.js';
import { statedPrices, unpricedLocal } from '../models/serverCosts.js';
import type { PriceOverrides } from '../../models/prices.js';
import { elsewhereLine, rolesElsewhere } from '../madeElsewhere.js';
import { refuseUnreachable } from '../models/reachModels.js';
import { inBatches, takeUpBatches } from '../models/runBatches.js';
import { modelNames, type RoleModels, redactorFor } from '../models/runModels.js';
import { StageWatch } from '../models/stageWatch.js';
import type { Redactor } from '../../redaction/redactor.js';
import { redactingValues, type RedactValue } from '../../redaction/redactValue.js';
import { startlessLines } from './bound/lowCaps.js';
import { capsOf } from './bound/runSize.js';
import { cleanBefore, sweepBefore, tidyBeside } from './tidy.js';
import type { RunStart } from './runStart.js';

/** A run that has begun: locked, written down, with its models composed. */
export interface SkillRun {
  readonly context: RunContext;
  readonly journal: RunJournal;
  readonly names: ReturnType<typeof modelNames>;
  readonly models: RoleModels;
  readonly redactor: Redactor;
  /** Where prompts wait, where somebody answers by hand. */
  readonly handoff?: RunHandoff | undefined;
  /** Resolves when every text that the run names by hash, and the last pass of a certification, is on disk. */
  readonly settled: () => Promise<void>;
  /** Aborted by the person, because another process took the lock over, or because the journal cannot be written. */
  readonly signal: AbortSignal;
}

/** Does `work` as the only run of this skill on this machine, and leaves no lock and no open file behind. */
export async function withSkillRun<T>(
  start: RunStart,
  signal: AbortSignal,
  work: (run: SkillRun) => Promise<T>,
): Promise<T> {
  const { skill, world } = start;
  const bare = await world.models(signal);
  const ready = await refuseUnreachable(bare, { world, attended: start.unattended !== true }, signal);
  const lock = await takeLock(start, signal);
  const ledger = openLedger(skill.store);
  const replies = openReplies(skill.store);
  try {
    await sweepBefore(skill);
    await cleanBefore(skill, world, signal);
    const both = AbortSignal.any([signal, lock.lost]);
    await allowPrograms(start, bare, both);
    const run = await begin(start, { bare, ready, ledger, replies, lock }, both);
    const tidied = tidyBeside(run.journal.runId, start, signal);
    try {
      const result = await work(run);
      await run.settled();
      await run.handoff?.remove();
      return result;
    } finally {
      await run.settled().catch(() => undefined); // where the work failed, that is what the person is told
      await tidied;
    }
  } finally {
    await ledger.close();
    await lock.release();
  }
}

/** Before the run is written down: one that is refused here has spent nothing, and there is nothing to go on with. */
async function allowPrograms(start: RunStart, { target }: RoleModels, signal: AbortSignal) {
  const { world, skill, tasks } = start;
  const needed = neededTasks(start);
  const { attempted } = needed;
  refuseUnplayed(needed, target);
  for (const note of unplayedNotes(attempted, target)) world.tell(`${skill.name}: ${note}`);
  const use = { declared: tasks.read.environments, tasks: attempted, target };
  await askAboutPrograms(use, startSources(skill, containedPrograms(world, skill)), signal);
}

/** How a run ends whose work threw, and what the person is told. */
export async function thrownEnd(
  { signal, handoff }: Pick<SkillRun, 'signal' | 'handoff'>,
  error: unknown,
): Promise<{ readonly outcome: 'cancelled' | 'waiting' | 'failed'; readonly reason: string; readonly error: unknown }> {
  if (signal.aborted) return { outcome: 'cancelled', reason: messageOf(error), error };
  if (handoff === undefined || !isWaiting(error)) return { outcome: 'failed', reason: messageOf(error), error };
  const awaited = await handoff.endRound();
  return { outcome: 'waiting', reason: awaited.message, error: awaited };
}

/** Ends the journal of a run whose work failed, was cancelled or waits, and lets the error go on. */
export async function failRun(run: SkillRun, thrown: unknown): Promise<never> {
  const { outcome, reason, error } = await thrownEnd(run, thrown);
  // Where the end cannot be written down either, the person is told what came first.
  await run.journal.end({ kind: 'run-ended', outcome, reason }).catch(() => undefined);
  throw error;
}

/** A holder that only looks dead from here keeps the lock for a minute; a person who runs again waits. */
async function takeLock({ skill, world, purpose }: RunStart, signal: AbortSignal): Promise<HeldLock> {
  const what = purpose === 'night' ? 'a nightly run' : 'a run';
  const request = runLock(skill.store, what);
  const attempt = await tryLock(request, signal);
  if (attempt.kind === 'held') return attempt.lock;
  const { holder } = attempt;
  const life = holder === undefined ? 'unknown' : await livenessOf(holder, skill.store.self);
  if (holder === undefined || life === 'alive' || life === 'unknown') throw busyError(what, holder);
  world.tell(
    `A run in process ${holder.pid} seems to have been cut off; waiting until its lock has run out, at most a minute.`,
  );
  return waitForLock(request, runPace.staleMs + runPace.beatMs, signal);
}

async function begin(
  start: RunStart,
  parts: Pick<RunParts, 'bare' | 'ready' | 'ledger' | 'replies'> & { readonly lock: HeldLock },
  signal: AbortSignal,
): Promise<SkillRun> {
  const { skill, resume } = start;
  const names = modelNames(parts.bare);
  const inputs = await gatherInputs(start, resume);
  if (resume !== undefined) refuseChanged(resume, { skill, inputs: inputs.hashes, models: names });
  const redactor = await redactorFor(start.world, skill.store);
  const journal = await openRunJournal(start, parts, redactingValues(redactor));
  try {
    if (resume === undefined) noteStart(start, journal, { bare: parts.bare, inputs });
    const prices = await statedPrices(start.world);
    const taken = redactedReplies(parts.replies, redactor);
    await takeUpBatches(start, { ...parts, journal, prices, replies: taken }, signal);
    if (resume !== undefined) await noteLost(journal, parts.ledger);
    noteCaps(start, journal, { bare: parts.bare, prices });
    await journal.flush();
    const handoff = runHandoff(start, journal.runId, parts.bare, taken);
    const bound = { ...parts, bare: handoff?.models ?? parts.bare, ready: readyOf(parts, handoff) };
    const given = { ...bound, inputs, journal, redactor, prices, handoff };
    return { journal, names, handoff, ...(await prepare(start, given, signal)) };
  } catch (error) {
    await journal.end({ kind: 'run-ended', outcome: 'failed', reason: messageOf(error) }).catch(() => undefined);
    throw error;
  }
}

/** A model that is bound to the run is as ready as it was before. */
function readyOf(
  { bare, ready }: Pick<RunParts, 'bare' | 'ready'>,
  handoff: RunHandoff | undefined,
): RunParts['ready'] {
  if (handoff === undefined) return ready;
  const roles = ['target', 'optimizer', 'judge'] as const;
  return new Set(roles.filter((role) => ready.has(bare[role])).map((role) => handoff.models[role]));
}

/**
 * What the ledger booked for the run and its journal does not hold: a kill came between the two. Calls under way at that
 * time are booked at their worst case and stay so.
 */
async function noteLost(journal: RunJournal, ledger: OpenLedger): Promise<void> {
  const booked = await ledger.spentInRun(journal.runId);
  const noted = totalSpend(journal.summary());
  const [calls, tokens] = [booked.calls - noted.calls, booked.tokens - noted.tokens];
  if (calls <= 0 && tokens <= 0) return;
  const usd = booked.usd === undefined ? undefined : Math.max(0, booked.usd - (noted.usd ?? 0));
  const shared = { kind: 'call', role: 'target', ms: 0, cached: false, error: undefined, exact: false } as const;
  journal.record({ ...shared, tokens: Math.max(0, tokens), usd, calls: Math.max(0, calls) });
}

/** Told where the run is written down as well as to whoever started it: nobody reads a preflight at night. */
function noteCaps(
  { world, options, ownCaps, skill, callCap }: RunStart,
  journal: RunJournal,
  { bare, prices }: Pick<RunParts, 'bare' | 'prices'>,
): void {
  const held = ownCaps?.calls === undefined ? options.caps.calls : callCap; // their own was told before it began
  const unpriced = callCap === undefined ? [] : unpricedLines(unpricedLocal(bare, prices), callCap, held);
  const startless = startlessLines(bare, capsOf({ world, options }));
  const unheld = capLines(bare, prices, [options.caps, ...Object.values(world.caps())]);
  const elsewhere = elsewhereLine(bare, world.attempts);
  for (const text of [...(elsewhere === undefined ? [] : [elsewhere]), ...unpriced, ...startless, ...unheld]) {
    journal.record({ kind: 'note', text });
    world.tell(`${skill.name}: ${text}`);
  }
}

interface RunParts {
  readonly bare: RoleModels;
  /** Those that their servers know. */
  readonly ready: ReadonlySet<LanguageModel>;
  readonly ledger: OpenLedger;
  readonly replies: ReplyStore;
  readonly inputs: RunMaterial;
  readonly journal: RunJournal;
  readonly redactor: Redactor;
  readonly prices: PriceOverrides;
  readonly handoff: RunHandoff | undefined;
}

/** The models with everything around them, and what the engine asks of the world. */
async function prepare(
  start: RunStart,
  { inputs, ...parts }: RunParts,
  signal: AbortSignal,
): Promise<Omit<SkillRun, 'journal' | 'names'>> {
  const { world, skill, tasks, options, attempted } = start;
  const { replies, journal, redactor, prices } = parts;
  const later = writeBehindTexts(openTexts(skill.store));
  const texts = redactedTexts(later, redactor);
  const watch = new StageWatch();
  journal.watch((event) => (event.kind === 'stage' ? watch.begin(event.stage) : undefined));
  const { batches, ...own } = await modelsOfRun(start, { ...parts, watch });
  const all = AbortSignal.any([signal, journal.broken]);
  const context = await runContextFor(
    { world, skill, tasks, options, attempted, inputs, journal, texts, replies, redactor, prices, ...own },
    all,
  );
  const certifications = writeBehindCertifications(context.certifications);
  const settled = async (): Promise<void> => void (await Promise.all([later.settled(), certifications.settled()]));
  const silence: RunContext['silence'] = (least, abort) => watch.silence(least, abort);
  const byHand = isHandoff(own.models.target.identity);
  const asked = { ...context, certifications, silence, byHand };
  return {
    context: batches === undefined ? asked : inBatches(asked, batches),
    models: own.models,
    redactor,
    settled,
    signal: all,
  };
}

function openRunJournal(
  { world, skill, observe, resume }: RunStart,
  { bare, lock }: { readonly bare: RoleModels; readonly lock: HeldLock },
  hide: RedactValue,
): Promise<RunJournal> {
  const isElsewhere = rolesElsewhere(bare, world.attempts).length > 0;
  const store = { ...skill.store, hide };
  return resume === undefined
    ? startRunJournal(store, lock, observe, isElsewhere ? 'workers' : 'plain')
    : resumeRunJournal(store, lock, { runId: resume.runId, observe });
}

function noteStart(
  { skill, tasks, options, ownCaps = {}, purpose }: RunStart,
  journal: RunJournal,
  { bare, inputs }: Pick<RunParts, 'bare' | 'inputs'>,
): void {
  const { split } = tasks.result;
  journal.record({
    kind: 'run-started',
    purpose,
    skillKey: skill.places.skillKey,
    skillName: skill.name,
    skillPath: skill.places.documentPath,
    baseHash: skill.hash,
    options,
    ...(Object.keys(ownCaps).length === 0 ? {} : { ownCaps }),
    models: modelNames(bare),
    tasks: {
      training: split.training.length,
      heldOut: split.heldOut.length,
      sealed: split.sealed.length,
      setAside: split.setAside.length,
    },
    inputs: inputs.hashes,
    ...heldOutTasks(split.heldOut, attemptsNamed(bare, options, inputs.hashes)),
  });
}
