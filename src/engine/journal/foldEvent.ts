import { withAttempt as knownWith } from '../../gate/power/knownAttempts.js';
import type { AttemptEvent } from './attemptEvent.js';
import type { RunEvent } from './runEvents.js';
import type { StepAction, UpstreamAction } from './upstreamWords.js';
import { withWorkerCall } from '../../wording/programs/workerCalls.js';
import { noSpend, type EpochSummary, type RunSummary, type StageSpend, type StepSummary } from './runSummary.js';
import { spent } from './spend/spent.js';

/** The summary after one more event, which happened at `at`. */
export function foldEvent(summary: RunSummary, event: RunEvent, at: number): RunSummary {
  return applied(event.kind === 'run-resumed' ? summary : timed(summary, at), event, at);
}

function applied(summary: RunSummary, event: RunEvent, at: number): RunSummary {
  switch (event.kind) {
    case 'run-started': {
      const { purpose, skillKey, skillName, skillPath, models, tasks } = event;
      return { ...summary, purpose, skillKey, skillName, skillPath, models, tasks, ...knownAtStart(event) };
    }
    case 'run-resumed':
      return resumed(summary, at);
    case 'stage':
      return { ...summary, progress: { stage: event.stage, step: event.step, done: 0, planned: event.planned } };
    case 'attempt':
      return withAttempt(summary, event);
    case 'call':
      return withCall(summary, event);
    case 'step-ended':
      return { ...summary, steps: [...summary.steps, stepOf(event, summary.front)] };
    case 'sealed':
      return { ...summary, sealed: { before: event.before, after: event.after, n: event.n } };
    case 'verdict':
      return { ...summary, verdict: event.verdict, proposalId: event.proposalId };
    case 'note':
      return { ...summary, notes: [...summary.notes, event.text] };
    case 'run-ended':
      return { ...summary, outcome: event.outcome, reason: event.reason, endedAt: at, progress: undefined };
    case 'edit-budget':
      return withKeptBudget(summary, event);
    case 'patches':
    case 'reminders':
    case 'merged':
    case 'selected':
      return withFallbacks(summary, event);
    case 'epoch-compared':
      return { ...summary, epochs: [...(summary.epochs ?? []), comparedOf(event)] };
    case 'slow-update':
      return { ...summary, epochs: (summary.epochs ?? []).map((epoch) => withSlowUpdate(epoch, event)) };
    case 'front':
      return { ...summary, front: frontOf(event) };
    case 'meta-skill':
      return withNotes(summary, event);
    case 'optimizer-replied':
    case 'rewritten':
    case 'applied':
    case 'worths':
    case 'certification':
      return summary;
  }
}

function knownAtStart({ heldOut, baseHash, options }: Extract<RunEvent, { kind: 'run-started' }>) {
  if (heldOut === undefined) return {};
  const { rule, metric, mixedWeight, noRegression } = options.gate;
  return { known: { ...heldOut, baseHash, gate: { rule, metric, mixedWeight, noRegression }, texts: {} } };
}

/** What a step did, as the paper's trainer calls it: a tie, and a candidate that changes nothing, are rejected there. */
export function upstreamAction(action: StepAction): UpstreamAction {
  return action === 'keep_as_branch' || action === 'skip_no_change' ? 'reject' : action;
}

/** The time since the last event belongs to the stage that the run is in. */
function timed(summary: RunSummary, at: number): RunSummary {
  const passed = Math.max(0, at - summary.updatedAt);
  const stage = summary.progress?.stage;
  const moved = { ...summary, updatedAt: at, workedMs: summary.workedMs + passed };
  if (stage === undefined) return moved;
  const before = stageSpend(summary, stage);
  return { ...moved, stages: { ...summary.stages, [stage]: { ...before, ms: before.ms + passed } } };
}

/** A resumed run makes its steps again; what was spent and how long it worked stays. */
function resumed(summary: RunSummary, at: number): RunSummary {
  return {
    ...summary,
    updatedAt: at,
    endedAt: undefined,
    resumed: summary.resumed + 1,
    outcome: 'running',
    reason: '',
    verdict: undefined,
    proposalId: undefined,
    steps: [],
    epochs: undefined,
    front: undefined,
    progress: undefined,
    invalidAttempts: 0,
    skillUse: undefined,
    sealed: undefined,
    notes: [],
  };
}

function stepOf(event: Extract<RunEvent, { kind: 'step-ended' }>, front: RunSummary['front']): StepSummary {
  const {
    step,
    epoch,
    action: decision,
    trainingScore,
    candidateScore,
    currentScore,
    bestScore,
    originalScore,
  } = event;
  const scores = { trainingScore, candidateScore, currentScore, bestScore, originalScore, scoredOn: event.scoredOn };
  const named = front?.rows.find(({ hash }) => hash === front.choiceHash);
  const onTraining = front && { onTraining: { candidate: front.candidate, chosen: named } };
  return { step, epoch, action: upstreamAction(decision), decision, ...scores, ...onTraining, reason: event.reason };
}

function comparedOf(event: Extract<RunEvent, { kind: 'epoch-compared' }>): EpochSummary {
  const { epoch, improved, regressed, persistentFail, stableSuccess } = event;
  return { epoch, improved, regressed, persistentFail, stableSuccess };
}

function frontOf({ rows, choiceHash, candidate }: Extract<RunEvent, { kind: 'front' }>): RunSummary['front'] {
  return { rows, choiceHash, candidate };
}

function withSlowUpdate(epoch: EpochSummary, event: Extract<RunEvent, { kind: 'slow-update' }>): EpochSummary {
  const { action, reason, before, after } = event;
  return epoch.epoch === event.epoch ? { ...epoch, slowUpdate: { action, reason, before, after } } : epoch;
}

function withNotes(summary: RunSummary, event: Extract<RunEvent, { kind: 'meta-skill' }>): RunSummary {
  if (event.lost === undefined) return summary;
  const why = event.lost.replace(/(?<![.\s])[.\s]*$/, '');
  const text = `Epoch ${event.epoch}: the notes of the optimizer stay as they were, because ${why}.`;
  return { ...summary, notes: [...summary.notes, text] };
}

function withKeptBudget(summary: RunSummary, event: Extract<RunEvent, { kind: 'edit-budget' }>): RunSummary {
  if (event.lost === undefined) return summary;
  const text = `Step ${event.step}: the scheduled edit budget (${event.scheduled}) was kept, because ${event.lost}`;
  return { ...summary, notes: [...summary.notes, text] };
}

const longestReason = 400;

function withAttempt(summary: RunSummary, event: AttemptEvent): RunSummary {
  const worked = { ...usedBy(summary.skillUse, event), ...workedBy(summary.agentWork, event) };
  const known = summary.known === undefined ? {} : { known: knownWith(summary.known, event) };
  const told = { ...summary, progress: advanced(summary.progress, event), ...worked, ...known };
  if (event.outcome.kind !== 'invalid') return told;
  const lastInvalid = event.outcome.reason.slice(0, longestReason);
  return { ...told, invalidAttempts: summary.invalidAttempts + 1, lastInvalid };
}

function usedBy({ used, of } = { used: 0, of: 0 }, { usedSkill }: AttemptEvent): Pick<RunSummary, 'skillUse'> {
  return usedSkill === undefined ? {} : { skillUse: { used: used + (usedSkill ? 1 : 0), of: of + 1 } };
}

/** What an agent left is kept of every attempt of its, but for sealed tasks. */
function workedBy(
  { attempts, tokens } = { attempts: 0, tokens: 0 },
  { workHash, tokens: taken }: AttemptEvent,
): Pick<RunSummary, 'agentWork'> {
  return workHash === undefined ? {} : { agentWork: { attempts: attempts + 1, tokens: tokens + taken } };
}

function advanced(progress: RunSummary['progress'], event: AttemptEvent): RunSummary['progress'] {
  return progress?.stage === event.stage ? { ...progress, done: progress.done + 1 } : progress;
}

function withCall(before: RunSummary, event: Extract<RunEvent, { kind: 'call' }>): RunSummary {
  const spend = { ...before.spend, [event.role]: spent(before.spend[event.role], event) };
  const { worker, error, why } = event;
  const workers = worker === undefined ? {} : { workers: withWorkerCall(before.workers ?? [], worker, why ?? error) };
  const summary = { ...before, spend, ...workers };
  const stage = event.of?.stage ?? summary.progress?.stage;
  if (stage === undefined) return summary;
  const inStage = stageSpend(summary, stage);
  return { ...summary, stages: { ...summary.stages, [stage]: { ...inStage, ...spent(inStage, event) } } };
}

function stageSpend({ stages }: RunSummary, stage: keyof RunSummary['stages']): StageSpend {
  return stages[stage] ?? { ...noSpend, ms: 0 };
}

function withFallbacks(
  summary: RunSummary,
  event: Extract<RunEvent, { kind: 'patches' | 'reminders' | 'merged' | 'selected' }>,
): RunSummary {
  const said = 'lost' in event ? event.lost : event.fallback === undefined ? [] : [event.fallback];
  return said.length === 0
    ? summary
    : { ...summary, notes: [...summary.notes, ...said.map((text) => `Step ${event.step}: ${text}`)] };
}
