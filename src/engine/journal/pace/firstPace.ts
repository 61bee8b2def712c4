import type { RunEvent } from '../runEvents.js';
import { isUnanswered } from '../serverSilence.js';
import { msOfWork, noWork, type RoleWork, tokensOf } from './roleWork.js';

/** What the first calls of a run tell of the whole of it. */
export interface FirstPace {
  /** How long the run takes from its beginning, as it usually goes. */
  readonly minutes: number;
  readonly answered: number;
  /** Sent and received. */
  readonly tokensPerSecond: number;
}

/** What a run usually asks. */
export interface UsualWork {
  readonly calls: number;
  readonly roles?: RoleWork | undefined;
}

/**
 * Follows the first answers of a run that usually asks so much, and tells once how long it takes at their tokens a second. The
 * first answer is left out of that: a model is loaded for it. So is the time in which no server was there. Where answers
 * take minutes, fewer of them tell.
 */
export function followFirstPace(usual: UsualWork): (event: RunEvent, at: number) => FirstPace | undefined {
  let [answered, since, last] = [0, 0, 0];
  let made = noWork;
  let isTold = false;
  const passed = (event: RunEvent, at: number): void => {
    if (isUnanswered(event)) since += at - last;
    if (event.kind === 'call') last = at;
  };
  return (event, at) => {
    passed(event, at);
    if (isTold || !isAnswer(event)) return undefined;
    answered += 1;
    if (answered === 1) since = at;
    else made = withCall(made, event);
    const [after, ms] = [answered - 1, Math.max(1, at - since)];
    if (after < enough && (after < fewest || ms < longMs)) return undefined;
    isTold = true;
    const byTokens = usual.roles && msOfWork(usual.roles, made, ms);
    const runMs = byTokens ?? (ms / after) * usual.calls;
    return { minutes: runMs / 60_000, answered, tokensPerSecond: (1_000 * tokensOf(made)) / ms };
  };
}

function withCall(
  made: RoleWork,
  { role, tokens }: Pick<Extract<RunEvent, { kind: 'call' }>, 'role' | 'tokens'>,
): RoleWork {
  const before = made[role];
  return { ...made, [role]: { calls: before.calls + 1, tokens: before.tokens + tokens } };
}

const enough = 4;
const fewest = 1;
const longMs = 120_000; // nobody waits longer to hear how long it takes

/** What a model said just now: no stored reply, and none that a killed process had booked. */
function isAnswer(event: RunEvent): event is Extract<RunEvent, { kind: 'call' }> {
  return event.kind === 'call' && event.error === undefined && !event.cached && event.calls === undefined;
}
