import { parseJson } from '../parseJson.js';
import type { AttemptRequest, AttemptResult } from '../ports/environment.js';
import type { ProgramRequest, ProgramResult } from '../ports/programs.js';
import type { TargetServer, TargetServers } from '../ports/targetClient.js';
import type { EnvironmentDeclaration } from '../tasks/readers/whetstoneFile.js';
import type { AttemptTarget } from './attemptTarget.js';
import { andTold, endedWith, notStarted } from './badEnd.js';
import { lineFor, readReplyOf, splitOf } from './programReply.js';

/** Runs what was declared, with this line to read. */
type RunLine = (line: object, limits: BatchLimits, signal: AbortSignal) => Promise<ProgramResult>;
type BatchLimits = Pick<ProgramRequest, 'timeLimitMs' | 'outputLimitBytes'> & {
  readonly servedAt: string | undefined;
};

interface BatchParts {
  readonly declared: EnvironmentDeclaration;
  readonly requests: readonly AttemptRequest[];
  /** One for each request; none where the target is not asked. */
  readonly targets: readonly AttemptTarget[];
  readonly servers: TargetServers;
  readonly run: RunLine;
}

const outputBytesEach = 4_000_000;
const mostOutputBytes = 64_000_000;

/**
 * A whole batch in one start: the line holds `batch` and `attempts`, and one line of output for each attempt names it by
 * `id` and `attempt`. What has no line is invalid; whose doing a time limit is nobody can tell, so it is no score here.
 */
export async function attemptBatch(parts: BatchParts, signal: AbortSignal): Promise<readonly AttemptResult[]> {
  const { declared, requests, targets, servers, run } = parts;
  const server = targets.length === 0 ? undefined : await servers.open(targets);
  const limits = {
    timeLimitMs: declared.timeLimitSeconds * 1000 * requests.length,
    outputLimitBytes: Math.min(outputBytesEach * requests.length, mostOutputBytes),
    servedAt: server?.url,
  };
  try {
    const fatal = targets.map((target) => target.fatal);
    const result = await run(batchLine(parts, server), limits, AbortSignal.any([signal, ...fatal]));
    return settled(readBatch(result, requests, declared.timeLimitSeconds), targets);
  } catch (error) {
    signal.throwIfAborted();
    if (!targets.some(({ fatal }) => fatal.aborted)) throw error;
    return settled(
      requests.map(() => ({ kind: 'invalid', reason: '' })),
      targets,
    );
  } finally {
    await server?.close();
  }
}

function settled(results: readonly AttemptResult[], targets: readonly AttemptTarget[]): readonly AttemptResult[] {
  return results.map((result, index) => targets[index]?.settle(result) ?? result);
}

function batchLine({ declared, requests, targets }: BatchParts, server: TargetServer | undefined): object {
  const [first] = requests;
  const attempts = requests.map((request, index) => ({
    ...lineFor(request, declared.options),
    ...(server === undefined
      ? {}
      : { target: { url: server.url, token: server.tokens[index], model: targets[index]?.model } }),
  }));
  const { phase = 'single', seed = 0 } = first ?? {};
  const batch = { phase, split: splitOf(phase), seed, batch_size: requests.length };
  return { batch, seed, options: declared.options ?? {}, attempts };
}

function readBatch(
  result: ProgramResult,
  requests: readonly AttemptRequest[],
  seconds: number,
): readonly AttemptResult[] {
  const lines = result.kind === 'exited' ? result.output.split('\n').filter((line) => line.trim() !== '') : [];
  const rows = lines.flatMap((line) => rowOf(line));
  const reason = noReplyReason(result, { seconds, attempts: requests.length });
  return requests.map((request) => {
    const alone = requests.filter(({ task }) => task.id === request.task.id).length === 1;
    const own = rows.findLast(
      ({ id, attempt }) => id === request.task.id && (attempt === request.attempt || (alone && attempt === undefined)),
    );
    if (own === undefined) return { kind: 'invalid', reason };
    return own.error === undefined
      ? readReplyOf(own.line, request.task.id)
      : { kind: 'invalid', reason: `The program gave no result for this task: ${own.error}` };
  });
}

interface Row {
  readonly id: string;
  readonly attempt: number | undefined;
  readonly error: string | undefined;
  readonly line: string;
}

function rowOf(line: string): readonly Row[] {
  const value = parseJson(line);
  if (typeof value !== 'object' || value === null || !('id' in value)) return [];
  const attempt = 'attempt' in value && typeof value.attempt === 'number' ? value.attempt : undefined;
  const error = 'error' in value && !('hard' in value) && typeof value.error === 'string' ? value.error : undefined;
  return [{ id: String(value.id), attempt, error, line }];
}

function noReplyReason(
  result: ProgramResult,
  { seconds, attempts }: { readonly seconds: number; readonly attempts: number },
): string {
  switch (result.kind) {
    case 'timed-out':
      return andTold(`The program did not end within ${seconds * attempts} s, ${seconds} s for each attempt.`, result);
    case 'output-too-large':
      return andTold('The program wrote too much.', result);
    case 'not-started':
      return notStarted(result.reason);
    case 'exited':
      return result.code === 0 ? 'The program wrote no result for this task.' : endedWith(result);
  }
}
