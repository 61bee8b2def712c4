import { criteriaOf } from '../../checks/criteria.js';
import type { HeldOutTask, Task } from '../../tasks/task.js';
import type { RunEvent } from './runEvents.js';

type AttemptEvent = Extract<RunEvent, { kind: 'attempt' }>;

/** The last attempts at one held-out task, under the skill as it was and as it would be. */
export interface HeldOutAttempts {
  readonly task: HeldOutTask;
  readonly before: AttemptEvent | undefined;
  readonly after: AttemptEvent | undefined;
}

/** The attempts that a diagnosis is about; `after` is whatever was tried last, where nothing was proposed. */
export function heldOutAttempts(
  events: readonly RunEvent[],
  tasks: readonly HeldOutTask[],
  baseHash: string,
): readonly HeldOutAttempts[] {
  const stages = new Set(['baseline', 'evaluate', 'slow-update', 'certify']);
  const attempts = events.filter((event) => event.kind === 'attempt').filter(({ stage }) => stages.has(stage));
  const isBefore = underOriginal(attempts, baseHash);
  return tasks.map((task) => {
    const own = attempts.filter((event) => event.taskId === task.id);
    return {
      task,
      before: own.findLast(isBefore),
      after: own.findLast((event) => !isBefore(event)),
    };
  });
}

/** Tells attempts under the documents as they were from those under changed ones. */
export function underOriginal(attempts: readonly AttemptEvent[], baseHash: string): (event: AttemptEvent) => boolean {
  // A night may evolve the memory file beside a skill that stays: the first attempt tells which one it began with.
  const memory = attempts.find((event) => event.skillHash === baseHash)?.memoryHash;
  return (event) => event.skillHash === baseHash && event.memoryHash === memory;
}

const mostShown = 200;

/** How one attempt went, in as much detail as it takes to see why, and no more of the answer than its beginning. */
export function diagnosisOf(
  task: HeldOutTask,
  event: AttemptEvent | undefined,
  { answer, reasons = [] }: { readonly answer: string | undefined; readonly reasons?: readonly string[] },
): Readonly<Record<string, unknown>> | null {
  if (event === undefined) return null;
  const { outcome } = event;
  return {
    kind: outcome.kind,
    hard: outcome.kind === 'scored' ? outcome.hard : null,
    soft: outcome.kind === 'scored' ? outcome.soft : null,
    answer_length: answer?.length ?? null,
    answer_head: answer?.slice(0, mostShown) ?? null,
    why: whyOf(task, event),
    said: saidAbout(event, reasons),
    tokens: event.tokens,
    latency_ms: event.latencyMs,
  };
}

/** The last sentence in which the run said that a call gave no answer; undefined where every one did. */
export function lastCallError(events: readonly RunEvent[]): string | undefined {
  return events.flatMap(errorsIn).at(-1) ?? lastCallOf(events);
}

/** A run may end at a cap while its server is silent, before any attempt came to an end. */
function lastCallOf(events: readonly RunEvent[]): string | undefined {
  const last = events.findLast((event) => event.kind === 'call' && event.error !== 'cap');
  return last?.kind === 'call' && last.error !== undefined ? `The last call failed: ${last.error}.` : undefined;
}

/** Which criteria were not met, in words where the task is known. They stand in the order of the checks, first the checks of the task, then its expectations. */
export function whyOf(task: Task | undefined, { outcome, checks }: AttemptEvent): string {
  if (outcome.kind === 'invalid') return outcome.reason;
  const found = task === undefined ? undefined : criteriaOf(task);
  const failed = checks.flatMap(({ check, pass }, index) => {
    if (pass) return [];
    const criterion = found?.kind === 'criteria' ? found.criteria[index] : undefined;
    return [criterion?.name === check ? criterion.criterion : check];
  });
  return failed.length === 0 ? 'Every check passed.' : `Not met: ${failed.join(' ')}`;
}

/** What a judge, a program or a check said about each check that failed, as far as the run kept it. */
export function saidAbout(
  { checks }: Pick<AttemptEvent, 'checks'>,
  reasons: readonly string[],
): readonly { readonly check: string; readonly reason: string }[] {
  return checks.flatMap(({ check, pass }, index) => {
    const reason = reasons[index];
    return pass || reason === undefined || reason === '' ? [] : [{ check, reason }];
  });
}

function errorsIn(event: RunEvent): readonly string[] {
  if (event.kind === 'attempt') return event.outcome.kind === 'invalid' ? [event.outcome.reason] : [];
  if (event.kind === 'run-ended') return event.outcome === 'failed' ? [event.reason] : [];
  const said = event.kind === 'patches' ? event.lost : 'fallback' in event ? [event.fallback ?? ''] : [];
  return said.filter((reason) => reason.includes('the call failed'));
}
