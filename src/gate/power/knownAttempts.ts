import type { GateMetric, GateRule } from '../verdict/verdict.js';

/** How the attempts at one task came out under one text. */
export interface TaskTally {
  /** Those with a result. */
  readonly attempts: number;
  readonly passed: number;
  /** Sum of the soft scores. */
  readonly soft: number;
}

/** What of the gate decides what a task can show. */
export interface GateSettings {
  readonly rule: GateRule;
  readonly metric: GateMetric;
  readonly mixedWeight: number;
  readonly noRegression: boolean;
}

/** Under what a run attempts its held-out tasks, and which these are. */
export interface HeldOutTasks {
  /** Names the models, options and texts that an attempt depends on beside the skill: others say nothing here. */
  readonly under: string;
  /** Content hash by id: a task that was changed since is another one. */
  readonly tasks: Readonly<Record<string, string>>;
}

/** What a run came to know of its held-out tasks, under the text that it began with and under those that it certified. */
export interface KnownAttempts extends HeldOutTasks {
  readonly baseHash: string;
  readonly gate: GateSettings;
  /** By the text that was read ({@link textName}), then by task. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, TaskTally>>>>;
}

/** A text of the skill, and the memory file where one was read beside it. */
export function textName(skillHash: string, memoryHash: string | undefined): string {
  return memoryHash === undefined ? skillHash : `${skillHash} ${memoryHash}`;
}

interface HeldAttempt {
  readonly stage: string;
  readonly skillHash: string;
  readonly memoryHash?: string | undefined;
  readonly taskId: string;
  readonly cached: boolean;
  readonly outcome:
    | { readonly kind: 'scored'; readonly hard: number; readonly soft: number }
    | { readonly kind: 'invalid' };
}

/**
 * With one more attempt, where it tells something: a held-out task, with a result, made now. A stored answer was counted
 * by the run that paid for it. Candidates that were never certified are left out: there are many, and few are kept.
 */
export function withAttempt(known: KnownAttempts, attempt: HeldAttempt): KnownAttempts {
  const { outcome, taskId, skillHash } = attempt;
  const counts = attempt.stage === 'certify' || skillHash === known.baseHash;
  if (!counts || attempt.cached || outcome.kind === 'invalid' || !Object.hasOwn(known.tasks, taskId)) return known;
  const name = textName(skillHash, attempt.memoryHash);
  const rows = known.texts[name] ?? {};
  const one = { attempts: 1, passed: outcome.hard === 1 ? 1 : 0, soft: outcome.soft };
  return { ...known, texts: { ...known.texts, [name]: { ...rows, [taskId]: sum(rows[taskId], one) } } };
}

/** All that runs know of tasks under one text, by content hash. */
export function attemptsUnder(
  runs: readonly KnownAttempts[],
  { under, text }: { readonly under: string; readonly text: string },
): ReadonlyMap<string, TaskTally> {
  const found = new Map<string, TaskTally>();
  for (const run of runs.filter((each) => each.under === under)) {
    for (const [id, record] of Object.entries(run.texts[text] ?? {})) {
      const hash = run.tasks[id];
      if (hash !== undefined) found.set(hash, sum(found.get(hash), record));
    }
  }
  return found;
}

function sum(a: TaskTally | undefined, b: TaskTally): TaskTally {
  if (a === undefined) return b;
  // Sums of tenths would drift: what is stored reads as it was given.
  const soft = Math.round((a.soft + b.soft) * 10_000) / 10_000;
  return { attempts: a.attempts + b.attempts, passed: a.passed + b.passed, soft };
}
