import type { RunEvent, Stage } from './runEvents.js';
import { planOf, sum, type Phase, type RunPlan } from './runPlan.js';
import { followSilence, isUnanswered, type ServerSilence } from './serverSilence.js';

/** How far a run is. */
export interface RunShare {
  /** Of what the run is expected to take: above 0 from its first event on, never less than before, and 1 only at its end. */
  readonly share: number;
  /** How long the rest may take, in milliseconds, by what it took so far; undefined until that says something. */
  readonly leftMs: number | undefined;
  /** While no call is answered; then nobody knows how long the rest takes. */
  readonly silence?: ServerSilence | undefined;
}

/**
 * Follows one run by its events. Nobody knows beforehand how many steps and passes a run makes: each phase has its part of
 * the whole by what it usually takes, and a phase that goes on for longer only comes nearer to the end of its part. Without
 * an event it says how the run stands now: a server that is silent makes none.
 */
export function followShare(): (event: RunEvent | undefined, at: number) => RunShare {
  let state = unplanned;
  let worked: WorkDone | undefined;
  const listen = followSilence();
  return (event, at) => {
    worked ??= begunAt(at);
    const silence = listen(event, at);
    if (event?.kind === 'run-resumed') [worked, state] = [begunAt(at), { ...state, share: least }];
    const before = state.share;
    if (event !== undefined) {
      state = after(state, event);
      worked = workedOn(worked, { event, at, gained: state.share - before });
    }
    const told = { ...worked, ms: worked.ms + (worked.isStored ? 0 : at - worked.at) };
    const left = silence === undefined ? leftMs(state.share, told) : undefined;
    return { share: state.share, leftMs: left, silence };
  };
}

const [least, most] = [0.01, 0.99];
/** Before this nobody can say how long the rest takes. */
const tellingMs = 3_000;
const tellingShare = 0.04;

/** What a run did by asking: stored replies come at once, and while a server is away nothing is done. */
interface WorkDone {
  readonly share: number;
  readonly ms: number;
  /** The last event. */
  readonly at: number;
  /** Whether what comes in are stored replies just now. */
  readonly isStored: boolean;
}

function begunAt(at: number): WorkDone {
  return { share: least, ms: 0, at, isStored: false };
}

interface Gain {
  readonly event: RunEvent;
  readonly at: number;
  readonly gained: number;
}

function workedOn({ share, ms, at: last, isStored: was }: WorkDone, { event, at, gained }: Gain): WorkDone {
  const isStored = event.kind === 'call' && event.error === undefined ? event.cached : was;
  if (isStored) return { share, ms, at, isStored };
  return { share: share + gained, ms: isUnanswered(event) ? ms : ms + at - last, at, isStored };
}

function leftMs(share: number, worked: Pick<WorkDone, 'share' | 'ms'>): number | undefined {
  if (worked.share < tellingShare || worked.ms < tellingMs || share === 1) return undefined;
  return (worked.ms * (1 - share)) / worked.share;
}

interface State extends RunPlan {
  readonly stage: Stage | undefined;
  /** Rounds of this phase that are done. */
  readonly rounds: number;
  /** What the stage planned before in the same step: candidates are evaluated in parts. */
  readonly before: number;
  /** Stages that began since the last step ended and belong to none: at the end of an epoch. */
  readonly between: number;
  readonly planned: number;
  readonly attempts: number;
  readonly calls: number;
  readonly share: number;
}

const unplanned: State = {
  phases: [],
  step: [],
  stage: undefined,
  rounds: 0,
  before: 0,
  between: 0,
  planned: 0,
  attempts: 0,
  calls: 0,
  share: least,
};

const nothingDone = { planned: 0, attempts: 0, calls: 0 };

function after(state: State, event: RunEvent): State {
  switch (event.kind) {
    case 'run-started':
      return { ...state, ...planOf(event) };
    case 'stage':
      return advanced({ ...begun(state, event), ...nothingDone, planned: event.planned });
    case 'attempt':
      return advanced({ ...state, attempts: state.attempts + (event.stage === state.stage ? 1 : 0) });
    case 'call':
      return event.of === undefined || event.of.stage === state.stage
        ? advanced({ ...state, calls: state.calls + (isDone(event) ? 1 : 0) })
        : state;
    case 'step-ended':
      return advanced({ ...state, ...nothingDone, stage: 'rollout', rounds: state.rounds + 1, before: 0 });
    case 'run-ended':
      return { ...state, share: 1 };
    case 'run-resumed':
    case 'optimizer-replied':
    case 'patches':
    case 'merged':
    case 'edit-budget':
    case 'reminders':
    case 'selected':
    case 'rewritten':
    case 'applied':
    case 'epoch-compared':
    case 'front':
    case 'slow-update':
    case 'meta-skill':
    case 'worths':
    case 'certification':
    case 'sealed':
    case 'verdict':
    case 'note':
      return state;
  }
}

/** A call that failed is made again. */
function isDone({ role, error }: Extract<RunEvent, { kind: 'call' }>): boolean {
  return role !== 'judge' && error === undefined;
}

/** Passes and blocks are counted by their number, steps when they end, everything else as it begins again. */
function begun(state: State, { stage, step }: Extract<RunEvent, { kind: 'stage' }>): State {
  const phase = phaseOf(stage);
  const isSame = state.stage !== undefined && phaseOf(state.stage) === phase;
  const anew = { ...state, stage, before: 0, between: 0 };
  if (phase === 'certify' || phase === 'attribute') return { ...anew, rounds: Math.max(0, step - 1) };
  if (phase !== 'training') return { ...anew, rounds: isSame ? state.rounds + 1 : 0 };
  const before = state.stage === stage ? state.before + state.planned : 0;
  const between = state.step.some(([each]) => each === stage) ? 0 : state.between + 1;
  return { ...state, stage, before, between, rounds: isSame ? state.rounds : 0 };
}

/** The share where the run stands now; one that seems to go back (a second document is trained) stands still. */
function advanced(state: State): State {
  const { phases, stage } = state;
  const at = stage === undefined ? -1 : phases.findIndex(({ phase }) => phase === phaseOf(stage));
  const here = phases[at];
  if (here === undefined) return state;
  const all = sum(phases.map(({ attempts }) => attempts));
  const before = sum(phases.slice(0, at).map(({ attempts }) => attempts));
  const share = (before + here.attempts * partOf(state.rounds + inRound(state), here.rounds)) / all;
  return { ...state, share: Math.min(most, Math.max(state.share, share)) };
}

/** How much of a phase is done after so many rounds: nearly all after those that are expected, and never quite all. */
function partOf(done: number, expected: number): number {
  const within = 0.9;
  if (done <= expected) return (within * done) / expected;
  return within + (1 - within) * (1 - 2 ** (expected - done));
}

/** How much of the current round is done. */
function inRound(state: State): number {
  const { stage, before, between, planned, attempts, calls, step } = state;
  const at = step.findIndex(([each]) => each === stage);
  const weights = step.map(([, weight]) => weight);
  const here = weights[at] ?? 0;
  const done = planned === 0 ? 0 : Math.min(planned, Math.max(attempts, Math.min(calls, planned - 0.5)));
  // Nobody knows how many there are between two steps: each takes half of what is left.
  if (at < 0 && between > 0) return 1 - 2 ** (1 - between) + (done / Math.max(1, planned)) * 2 ** -between;
  const part = (before + done) / Math.max(1, before + planned, stage === 'evaluate' ? here : 0);
  return at < 0 ? part : (sum(weights.slice(0, at)) + part * here) / sum(weights);
}

function phaseOf(stage: Stage): Phase {
  if (stage === 'baseline' || stage === 'attribute' || stage === 'certify' || stage === 'sealed') return stage;
  return 'training';
}
