import { candidateSteps } from './candidateStep.js';
import { stagesOfSteps, type RunEvent, type Stage } from './runEvents.js';
import { firstOrigins, originsAfter, type TextOrigins } from './upstreamWords.js';

/** An event with the time at which it was written down. */
export interface TimedEvent {
  readonly at: number;
  readonly event: RunEvent;
}

type Of<Kind extends RunEvent['kind']> = Extract<RunEvent, { kind: Kind }>;

/** What one stage of one step took. */
export interface StageTally {
  readonly ms: number;
  readonly calls: number;
  readonly tokens: number;
}

/** Everything that a run wrote down about one step. */
export interface StepLog {
  readonly step: number;
  readonly rollouts: readonly Of<'attempt'>[];
  readonly patches: readonly Of<'patches'>[];
  readonly merged: Of<'merged'> | undefined;
  readonly budget: Of<'edit-budget'> | undefined;
  readonly selected: Of<'selected'> | undefined;
  readonly reminders: Of<'reminders'> | undefined;
  readonly rewritten: Of<'rewritten'> | undefined;
  readonly applied: Of<'applied'> | undefined;
  /** At this step's candidate, whenever they were made. */
  readonly evaluations: readonly Of<'attempt'>[];
  readonly ended: Of<'step-ended'> | undefined;
  /** After the step; undefined where nothing says what the run began with. */
  readonly origins: TextOrigins | undefined;
  readonly stages: Readonly<Partial<Record<Stage, StageTally>>>;
}

/** The events of a run, sorted by step. What a run does before and after its steps is left out. */
export function stepLogs(events: readonly TimedEvent[]): readonly StepLog[] {
  const located = locate(events);
  // Calls alone make no step: what was asked ahead for one that never came was asked in vain.
  const ofSteps = located.filter(({ step, event }) => step > 0 && event.kind !== 'call');
  const steps = [...new Set(ofSteps.map(({ step }) => step))].sort((a, b) => a - b);
  const evaluations = evaluationsByStep(located);
  const origins = originsByStep(events);
  return steps.map((step) => {
    const own = located.filter((each) => each.step === step);
    const log = { ...logOf(step, own, evaluations.get(step) ?? []), origins: origins.get(step) };
    return log.rollouts.length > 0 ? log : { ...log, rollouts: learnedFrom(events, own) };
  });
}

/** With a front a step learns from attempts that were made when its parent was measured, in whichever step that was. */
function learnedFrom(events: readonly TimedEvent[], own: readonly EventOfStep[]): StepLog['rollouts'] {
  const front = own.map(({ event }) => event).findLast((event) => event.kind === 'front');
  if (front === undefined) return [];
  const tasks = new Set(front.tasks);
  return events
    .map(({ event }) => event)
    .filter((event) => event.kind === 'attempt')
    .filter((event) => event.stage === 'front' && event.skillHash === front.parentHash && tasks.has(event.taskId));
}

interface EventOfStep extends TimedEvent {
  readonly step: number;
  readonly stage: Stage | undefined;
  /** Since the event before it. */
  readonly ms: number;
}

const inSteps: ReadonlySet<Stage> = new Set(stagesOfSteps);

/** Each event with the step and the stage that it fell into; 0 is outside of all steps. */
function locate(events: readonly TimedEvent[]): readonly EventOfStep[] {
  let step = 0;
  let stage: Stage | undefined;
  let before = events[0]?.at ?? 0;
  return events.map(({ at, event }) => {
    const found = { at, event, step, stage, ms: Math.max(0, at - before), ...madeAhead(event, stage) };
    before = at;
    if (event.kind === 'stage') {
      stage = event.stage;
      step = inSteps.has(event.stage) ? event.step : 0;
    }
    if (event.kind === 'step-ended') step = 0;
    return found;
  });
}

/** The stage that a call was made for; the time that it took belongs to the one that the run was in. */
function madeAhead(event: RunEvent, stage: Stage | undefined): Partial<EventOfStep> {
  return event.kind === 'call' && event.of !== undefined && event.of.stage !== stage ? { ...event.of, ms: 0 } : {};
}

/** The attempts at held-out tasks, by the step of the candidate that was tried. */
function evaluationsByStep(located: readonly EventOfStep[]): ReadonlyMap<number, readonly Of<'attempt'>[]> {
  const stepOf = candidateSteps();
  const bySteps = new Map<number, readonly Of<'attempt'>[]>();
  for (const { step, event } of located) {
    if (step === 0 || event.kind !== 'attempt' || event.stage !== 'evaluate') continue;
    const own = stepOf(event);
    bySteps.set(own, [...(bySteps.get(own) ?? []), event]);
  }
  return bySteps;
}

/** Where the best text and the current one came from, after each step. */
function originsByStep(events: readonly TimedEvent[]): ReadonlyMap<number, TextOrigins> {
  const bySteps = new Map<number, TextOrigins>();
  let origins: TextOrigins | undefined;
  for (const { event } of events) {
    if (event.kind === 'run-started') origins = firstOrigins(event.baseHash);
    if (origins === undefined || (event.kind !== 'step-ended' && event.kind !== 'slow-update')) continue;
    origins = originsAfter(origins, event);
    if (event.kind === 'step-ended') bySteps.set(event.step, origins);
  }
  return bySteps;
}

function logOf(
  step: number,
  located: readonly EventOfStep[],
  evaluations: StepLog['evaluations'],
): Omit<StepLog, 'origins'> {
  const events = located.map((each) => each.event);
  const attempts = (stage: Stage): readonly Of<'attempt'>[] =>
    events.filter((event) => event.kind === 'attempt').filter((event) => event.stage === stage);
  return {
    step,
    rollouts: attempts('rollout'),
    patches: events.filter((event) => event.kind === 'patches'),
    merged: events.findLast((event) => event.kind === 'merged'),
    budget: events.findLast((event) => event.kind === 'edit-budget'),
    selected: events.findLast((event) => event.kind === 'selected'),
    reminders: events.findLast((event) => event.kind === 'reminders'),
    rewritten: events.findLast((event) => event.kind === 'rewritten'),
    applied: events.findLast((event) => event.kind === 'applied'),
    evaluations,
    ended: events.findLast((event) => event.kind === 'step-ended'),
    stages: tallies(located),
  };
}

function tallies(located: readonly EventOfStep[]): StepLog['stages'] {
  const stages: Partial<Record<Stage, StageTally>> = {};
  for (const { stage, ms, event } of located) {
    if (stage === undefined) continue;
    const before = stages[stage] ?? { ms: 0, calls: 0, tokens: 0 };
    const paid = event.kind === 'call' && !event.cached;
    stages[stage] = {
      ms: before.ms + ms,
      calls: before.calls + (paid ? (event.calls === 0 ? 0 : 1) : 0),
      tokens: before.tokens + (paid ? event.tokens : 0),
    };
  }
  return stages;
}
