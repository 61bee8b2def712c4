import type { AttemptRequest, AttemptResult, Environment } from '../ports/environment.js';
import type { LanguageModel } from '../ports/languageModel.js';
import type { ProgramReach, ProgramRequest, ProgramResult, Programs } from '../ports/programs.js';
import type { TargetServers } from '../ports/targetClient.js';
import type { RoomOptions } from '../prompts/answerRoom.js';
import type { EnvironmentDeclaration, TargetLimits } from '../tasks/readers/whetstoneFile.js';
import { whyNotAllowed, type AllowedPrograms } from './allowedToRun.js';
import { AttemptTarget } from './attemptTarget.js';
import { declaredStart, type ModuleStart } from './declaredStart.js';
import { attemptBatch } from './programBatch.js';
import { lineFor, readResult } from './programReply.js';

/** What a declared program or module is started with. */
export interface StartSources extends AllowedPrograms {
  readonly programs: Programs;
  /** The folder of the skill: the declaration's folder is relative to it. */
  readonly folder: string;
  readonly moduleStart: ModuleStart;
}

export interface ProgramSources extends StartSources {
  /** The run's target, for those that are declared to ask it, and where they reach it. */
  readonly target: LanguageModel;
  readonly servers: TargetServers;
  readonly room?: RoomOptions | undefined;
}

const outputLimitBytes = 4_000_000;

/**
 * A declared program or module attempts the task and judges itself: it gets one JSON line `{phase, split, seed, task,
 * skill, memory, options, target?}` and gives `{id, hard, soft, fail_reason?, conversation?, ...}`. It runs only after the
 * person allowed exactly this content, in a throw-away copy of its folder. Its own time limit is the skill's doing and scored.
 */
export function createProgramEnvironment(
  name: string,
  declared: EnvironmentDeclaration,
  sources: ProgramSources,
): Environment {
  const start = declaredStart(declared, sources.folder, sources.moduleStart);
  const { target, room, servers } = sources;
  const targetOf = (request: AttemptRequest, limits: TargetLimits): AttemptTarget =>
    new AttemptTarget({ target, room, environment: name, request, limits });
  const run: RunLine = (line, { variables = {}, servedAt, ...limits }, signal) =>
    sources.programs.run(
      {
        ...start.started,
        environment: { ...start.started.environment, ...variables },
        reach: withPort(start.started.reach, servedAt),
        input: `${JSON.stringify(line)}\n`,
        travels: true,
        ...limits,
      },
      signal,
    );
  const attempt: Environment['attempt'] = async (request, signal) => {
    const refused = await whyNotAllowed(start, sources, signal);
    if (refused !== undefined) return invalid(refused);
    const line = lineFor(request, declared.options);
    const limits = { timeLimitMs: declared.timeLimitSeconds * 1000, outputLimitBytes };
    const read = (result: ProgramResult): AttemptResult => readResult(result, request, declared.timeLimitSeconds);
    if (declared.target === undefined) return read(await run(line, limits, signal));
    const runWith: WithTarget['run'] = (more, abort, at) => run({ ...line, ...more }, { ...limits, ...at }, abort);
    return withTarget(targetOf(request, declared.target), { servers, run: runWith, read }, signal);
  };
  if (declared.batch !== true) return { name, attempt };
  return {
    name,
    attempt: async (request, signal) => (await batch([request], signal))[0] ?? invalid(''),
    attemptBatch: batch,
  };

  async function batch(requests: readonly AttemptRequest[], signal: AbortSignal): Promise<readonly AttemptResult[]> {
    const refused = await whyNotAllowed(start, sources, signal);
    if (refused !== undefined) return requests.map(() => invalid(refused));
    const limits = declared.target;
    const targets = limits === undefined ? [] : requests.map((request) => targetOf(request, limits));
    return attemptBatch({ declared, requests, targets, servers, run }, signal);
  }
}

/** Runs what was declared, with this line to read. */
type RunLine = (
  line: object,
  limits: Pick<ProgramRequest, 'timeLimitMs' | 'outputLimitBytes'> & {
    readonly variables?: Readonly<Record<string, string>>;
    /** The address of this machine where its target answers. */
    readonly servedAt?: string | undefined;
  },
  signal: AbortSignal,
) => Promise<ProgramResult>;

function withPort(reach: ProgramReach | undefined, address: string | undefined): ProgramReach | undefined {
  return address === undefined ? reach : { ...reach, ports: [Number(new URL(address).port)] };
}

interface WithTarget {
  readonly servers: TargetServers;
  readonly run: (
    more: object,
    signal: AbortSignal,
    at: { readonly variables: Readonly<Record<string, string>>; readonly servedAt: string },
  ) => Promise<ProgramResult>;
  readonly read: (result: ProgramResult) => AttemptResult;
}

/** Runs it with an address to ask the target at, which is gone when it ends. */
async function withTarget(
  asked: AttemptTarget,
  { servers, run, read }: WithTarget,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const server = await servers.open([asked]);
  const [token = ''] = server.tokens;
  const target = { url: server.url, token, model: asked.model };
  // As clients of such servers look for them.
  const variables = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: token };
  try {
    const at = { variables, servedAt: server.url };
    return asked.settle(read(await run({ target }, AbortSignal.any([signal, asked.ended]), at)));
  } catch (error) {
    signal.throwIfAborted();
    if (!asked.ended.aborted) throw error;
    return asked.settle({ kind: 'invalid', reason: '' });
  } finally {
    await server.close();
  }
}

function invalid(reason: string): AttemptResult {
  return { kind: 'invalid', reason };
}
