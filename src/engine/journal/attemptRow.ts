import { whyOf, saidAbout } from './diagnostics.js';
import type { SidedTask } from '../../tasks/task.js';
import type { RunEvent } from './runEvents.js';
import { upstreamHash } from './upstreamWords.js';

type Json = Readonly<Record<string, unknown>>;
type AttemptEvent = Extract<RunEvent, { kind: 'attempt' }>;

/** What is known of an attempt beside the journal's own line; each part may be missing. */
export interface AttemptFacts {
  /** Undefined for what is no task of the files: a variant, or one that was recalled. */
  readonly task?: SidedTask | undefined;
  readonly type?: string | undefined;
  readonly response?: string | undefined;
  /** What was said of its checks. */
  readonly reasons?: readonly string[] | undefined;
  /** What the target read; `{skill}` stands for the skill, which lies beside it. */
  readonly prompts?: { readonly system: string; readonly user: string } | undefined;
  /** What the environment had to say beside its scores. */
  readonly extras?: Json | undefined;
}

/**
 * One attempt in the words of the paper's trainer. What an environment said beside its scores stands among them, and
 * takes the place of none. Reference answers are told of training tasks alone.
 */
export function attemptRow(event: AttemptEvent, facts: AttemptFacts = {}): Json {
  const { task, type = '', response, prompts } = facts;
  return {
    ...extrasOf(facts),
    id: event.taskId,
    attempt: event.attempt,
    ...scoresOf(event),
    n_turns: event.outcome.kind === 'scored' ? (event.turns ?? 1) : 0,
    fail_reason: failReason(event, facts),
    task_type: type,
    ...(task === undefined ? {} : { question: task.prompt }),
    predicted_answer: response ?? '',
    ...referenceOf(task),
    ...(prompts === undefined ? {} : { target_system_prompt: prompts.system, target_user_prompt: prompts.user }),
    skill_hash: upstreamHash(event.skillHash),
    failed_checks: event.checks.filter(({ pass }) => !pass).map(({ check }) => check),
    response: response ?? null,
    tokens: event.tokens,
    latency_ms: event.latencyMs,
    cached: event.cached,
  };
}

/** A share that an environment gave for `hard` is told as it came; the gate counts what passed. */
function scoresOf({ outcome }: AttemptEvent): Json {
  if (outcome.kind === 'invalid') return { hard: null, soft: null };
  return { hard: hardOf(outcome), soft: outcome.soft };
}

/** `hard` as the environment gave it, where that was a share. */
export function hardOf({ hard, givenHard }: Extract<AttemptEvent['outcome'], { kind: 'scored' }>): number {
  return givenHard ?? hard;
}

function failReason(event: AttemptEvent, { task, reasons = [] }: AttemptFacts): string {
  const { outcome } = event;
  if (outcome.kind === 'invalid') return outcome.reason;
  const said = [...new Set(saidAbout(event, reasons).map(({ reason }) => reason))].join(' ');
  if (said !== '' || event.checks.every(({ pass }) => pass)) return said;
  return whyOf(task, event);
}

function referenceOf(task: SidedTask | undefined): Json {
  if (task?.side !== 'training') return {};
  const { references, referenceText = references.join(' | ') } = task;
  return referenceText === '' ? {} : { reference_text: referenceText };
}

/** Of tasks that nothing may be learned from, what names their answer is left out. */
function extrasOf({ task, extras = {} }: AttemptFacts): Json {
  if (task?.side === 'training') return extras;
  return Object.fromEntries(Object.entries(extras).filter(([name]) => name !== 'reference_text'));
}
