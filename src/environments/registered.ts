import * as z from 'zod';
import { isFatal, messageOf, ModelError } from '../errors.js';
import type {
  AttemptResult,
  AttemptsToReflect,
  Environment,
  RegisteredEnvironment,
  StepToReflect,
} from '../ports/environment.js';
import type { Task } from '../tasks/task.js';
import { deepestNesting, nestingIn } from '../tasks/json/nesting.js';

const Message = z.object({
  kind: z.literal('message'),
  role: z.enum(['system', 'user', 'assistant']),
  text: z.string(),
});
const ToolTurn = z.object({ kind: z.literal('tool'), name: z.string(), arguments: z.string(), result: z.string() });
const StepTurn = z.object({
  kind: z.literal('step'),
  action: z.string(),
  feedback: z.string().default(''),
  reasoning: z.string().optional(),
});

/** What another extension may give back; whatever it leaves out has a harmless meaning. */
const Answered = z.object({
  kind: z.literal('answered'),
  answer: z.string(),
  toolsCalled: z.array(z.object({ name: z.string(), arguments: z.string().default('{}') })).default([]),
  transcript: z.array(z.union([Message, ToolTurn, StepTurn])).default([]),
  usage: z
    .object({ inputTokens: z.number(), outputTokens: z.number(), exact: z.boolean() })
    .default({ inputTokens: 0, outputTokens: 0, exact: false }),
  cached: z.boolean().default(false),
  failure: z.string().optional(),
  scores: z.object({ hard: z.number(), soft: z.number(), reason: z.string().optional() }).optional(),
  extras: z.record(z.string(), z.unknown()).default({}),
});
const Invalid = z.object({ kind: z.literal('invalid'), reason: z.string() });
const Result = z.discriminatedUnion('kind', [Answered, Invalid]);

/**
 * An environment of another extension, held to the contract of ours: what it throws, or gives back in no usable form,
 * makes that one attempt invalid and is never a score. Only what no retry mends ends the run.
 */
export function createRegisteredEnvironment(given: RegisteredEnvironment): Environment {
  return {
    name: given.name,
    async attempt(request, signal) {
      signal.throwIfAborted();
      try {
        const result: unknown = await given.rollout(request, signal);
        signal.throwIfAborted();
        return scoredWhereItFailed(readResult(result, given.name), request.task);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ModelError && isFatal(error.kind)) throw error;
        return { kind: 'invalid', reason: `The environment “${given.name}” failed: ${messageOf(error)}` };
      }
    },
  };
}

const reflectionMs = 120_000; // as long as a program has without a limit of its own

/** What it has to say on a step, in whatever form; throws what it throws, and where it takes longer than its time. */
export async function registeredReflection(
  given: RegisteredEnvironment,
  { attempts, step, limitMs = reflectionMs }: ReflectionRequest,
  signal: AbortSignal,
): Promise<unknown> {
  signal.throwIfAborted();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`It did not answer within ${limitMs / 1000} s.`)), limitMs);
  const either = AbortSignal.any([signal, late.signal]);
  const ended = new Promise<never>((_, reject) => {
    either.addEventListener('abort', () => reject(either.reason), { once: true });
  });
  try {
    return await Promise.race([given.reflect?.(attempts, either, step), ended]);
  } finally {
    clearTimeout(timer);
  }
}

interface ReflectionRequest {
  readonly attempts: readonly AttemptsToReflect[];
  readonly step: StepToReflect;
  readonly limitMs?: number | undefined;
}

function readResult(result: unknown, name: string): AttemptResult {
  const read = Result.safeParse(result);
  if (!read.success) {
    const why = z.prettifyError(read.error).replaceAll(/\s+/gu, ' ');
    return { kind: 'invalid', reason: `The environment “${name}” gave no usable result: ${why}` };
  }
  if (read.data.kind === 'invalid') return read.data;
  const { failure, scores, ...rest } = read.data;
  const extras = plainExtras(rest.extras);
  if (extras === undefined)
    return { kind: 'invalid', reason: `The environment “${name}” gave extras that cannot be written as JSON.` };
  return {
    ...rest,
    extras,
    failure,
    scores: scores === undefined ? undefined : { hard: scores.hard, soft: scores.soft, reason: scores.reason },
  };
}

/** A failure that the skill caused is a fail also where the task has nothing of its own to be judged by. */
function scoredWhereItFailed(result: AttemptResult, task: Task): AttemptResult {
  if (result.kind === 'invalid' || result.failure === undefined || result.scores !== undefined) return result;
  if (task.checks.length + task.expectations.length > 0 || task.expectedOutput !== undefined) return result;
  return { ...result, scores: { hard: 0, soft: 0, reason: result.failure } };
}

const Extras = z.record(z.string(), z.unknown());

/** Extras are stored and shown as JSON: as that, or undefined where they hold themselves or are nested without end. */
function plainExtras(extras: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  try {
    const json = JSON.stringify(extras);
    return nestingIn(json) > deepestNesting ? undefined : Extras.parse(JSON.parse(json));
  } catch {
    return undefined; // a value that JSON does not know: the caller says so
  }
}
