import { UserError } from '../errors.js';

/**
 * The most that each option of a run may say. Options come along with a workspace, so each is held before anything is
 * made by its size: far above what helps a run, far below what fills the memory or a bill.
 */
export const optionBounds: Readonly<Record<string, number>> = {
  'train.epochs': 1_000,
  'train.batchSize': 10_000,
  'train.accumulation': 1_000,
  'train.attempts': 64,
  'train.seed': Number.MAX_SAFE_INTEGER,
  'reflect.minibatchSize': 1_000,
  'reflect.analysts': 256,
  'reflect.contrastTasks': 1_000,
  'reflect.reminders': 1_000,
  'reflect.trajectoryTokens': 1_000_000,
  'merge.batchSize': 1_000,
  'edits.budget': 1_000,
  'edits.minimum': 1_000,
  'edits.growth': 1_000,
  'gate.mixedWeight': 1,
  'gate.attributionCalls': 1e9,
  'stop.patience': 100_000,
  'caps.calls': 1e9,
  'caps.tokens': 1e12,
  'caps.usd': 1e6,
  'caps.minutes': 1e6,
  'judge.repeats': 25,
  'answers.target': 1_000_000,
  'answers.optimizer': 1_000_000,
  'answers.judge': 1_000_000,
  'answers.rewrite': 1_000_000,
  'answers.more': 64,
  'thinking.target': 1_000_000,
  'thinking.optimizer': 1_000_000,
  'thinking.judge': 1_000_000,
  'timeouts.target': 86_400,
  'timeouts.optimizer': 86_400,
  'timeouts.judge': 86_400,
  'agent.maxTokens': 100_000_000,
  'agent.maxTurns': 10_000,
  'agent.minutes': 240,
  'slowUpdate.samples': 1_000,
  'consolidate.variants': 13, // four ways to put a request, and two of them at a time
  'consolidate.recall': 1_000,
  'nightly.batchWait': 24, // hours: no batch lasts longer
  concurrency: 256,
  referenceTokens: 1_000_000,
};

/** Characters: some pages of wishes. */
export const longestPreferences = 32_000;

/** Throws a sentence with the bound for the first option above it. Options of runs that began earlier may be. */
export function refuseBeyondBounds(options: object): void {
  for (const [name, value] of leavesOf(options)) {
    const most = optionBounds[name];
    if (typeof value === 'number' && most !== undefined && value > most)
      throw refused(`The option “${name}” is ${value}, and the most is ${most}.`);
    if (name === 'preferences' && typeof value === 'string' && value.length > longestPreferences)
      throw refused(`The preferences are ${value.length} characters long, and the most is ${longestPreferences}.`);
  }
}

/** Throws where a cap would end a run in the middle of a call. Runs that began so go on. */
export function refusePartOfCall(caps: {
  readonly calls?: number | undefined;
  readonly tokens?: number | undefined;
}): void {
  for (const unit of ['calls', 'tokens'] as const) {
    const name = `caps.${unit}`;
    if (!Number.isInteger(caps[unit] ?? 0))
      throw new UserError(
        'options-malformed',
        `The option “${name}” takes a whole number.`,
        'Correct the option and run again.',
      );
  }
}

/** Every option with its whole name, such as `train.epochs`. */
function leavesOf(part: object, before = ''): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(part).flatMap(([name, value]: readonly [string, unknown]) =>
    typeof value === 'object' && value !== null ? leavesOf(value, `${before}${name}.`) : [[`${before}${name}`, value]],
  );
}

function refused(what: string): UserError {
  return new UserError('options-malformed', what, 'Set it lower and run again.');
}
