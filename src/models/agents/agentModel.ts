import { UserError } from '../../errors.js';
import type { AgentEnd, FoundProgram } from '../../ports/agentPrograms.js';
import type { LanguageModel, ModelIdentity, ModelReply, ModelRequest, ModelUsage } from '../../ports/languageModel.js';
import { hidingKnown } from '../../redaction/knownSecrets.js';
import { bookedUsage, type CountedCall } from '../bookedUsage.js';
import { withoutThinking } from '../inWords.js';
import { limitsUntil, limitsWithin, startPatience, type Patience, type PatienceLimits } from '../patience.js';
import { guessTokens, withinTokens } from '../tokens.js';
import { FailedCall } from '../wrappers/failedCall.js';
import { failedAgent, stalledAgent } from './agentFailure.js';
import type { AgentKind, AgentLogin, AgentOutcome, LoginKind } from './agentKind.js';
import { agentPerson, currentLogin, personMissing, type AgentSources } from './agentLogin.js';
import { promptOf } from './agentPrompt.js';
import { toldBy } from './agentTelling.js';
import { agentTranscript, type AgentTranscript } from './agentTranscript.js';
import { reachAgent, sandboxCure } from './inspectAgent.js';
import { agentsAtWork, mayPassBy } from './work/agentsAtWork.js';
import { workJudge } from './work/workJudge.js';
import { workReply } from './work/workReply.js';

/** A program that was looked at: what `inspectAgent` calls ready. */
export interface InstalledAgent {
  readonly program: FoundProgram;
  readonly version: string;
  readonly login?: LoginKind | undefined;
}

export interface AgentChoice {
  readonly installed: InstalledAgent;
  /** Undefined: the program's own choice. */
  readonly model: string | undefined;
  readonly limits?: PatienceLimits | undefined;
}

/** How many bytes an answer may take with everything that a program tells around it. */
const outputLimitBytes = 32 * 1024 * 1024;

/**
 * An agent program as a model: one start for each answer, in an empty folder, with a fresh home and every tool off. It
 * holds to no limit of its own: an answer is stopped where it would pass what was reserved for it.
 */
export function createAgentModel(kind: AgentKind, sources: AgentSources, choice: AgentChoice): LanguageModel {
  const works = agentsAtWork[kind.id];
  const calling = { kind, sources, choice, told: askedOnce(kind, sources, choice) };
  return {
    identity: identityOf(kind, choice),
    atOnce: kind.atOnce,
    async complete(request, signal) {
      signal.throwIfAborted();
      refuseTools(kind, request);
      const { work } = request;
      if (work !== undefined)
        return workReply(
          { kind, sources, program: choice.installed.program, model: choice.model },
          { ...request, work },
          signal,
        );
      refuseWithTools(kind);
      return answered(calling, request, signal);
    },
    mayPassBy: works === undefined ? undefined : (limits) => mayPassBy(works, limits),
    workJudge: works === undefined ? undefined : workJudge(works, sources),
    takesMore: ({ maxOutputTokens }) => ({
      inputTokens: 2 * kind.addsTokens, // it is a guess
      outputTokens: kind.mostOutputTokens(maxOutputTokens, choice.installed.login) - maxOutputTokens,
    }),
    wire: (request) => ({ url: `agent:${kind.id}`, body: { model: choice.model ?? null, ...promptOf(request) } }),
    reach: (signal) => reachAgent(kind, sources, signal, choice.model),
    needsPerson: () => personMissing(kind, sources),
  };
}

function identityOf(kind: AgentKind, { installed, model }: AgentChoice): ModelIdentity {
  return {
    provider: kind.id,
    endpoint: `agent:${kind.id}`,
    model: model ?? 'default',
    simulated: false,
    options: `version=${installed.version}`,
  };
}

function refuseTools(kind: AgentKind, { tools = [] }: ModelRequest): void {
  if (tools.length === 0) return;
  throw new UserError(
    'environment-refused',
    `${kind.label} answers as a model with every tool off, and this environment needs a model that calls tools.`,
    'Choose another model for these tasks, or another environment.',
  );
}

/** One that could run or read something here answers in the sandbox or not at all. */
function refuseWithTools({ label, toolsOff }: AgentKind): void {
  if (toolsOff === 'yes') return;
  throw new FailedCall('endpoint', `The tools of ${label} cannot all be turned off.`, {
    cure: sandboxCure,
    charged: false,
    sent: false,
  });
}

interface Calling {
  readonly kind: AgentKind;
  readonly sources: AgentSources;
  readonly choice: AgentChoice;
  readonly told: (signal: AbortSignal) => Promise<string>;
}

/** What it tells of itself before its first call; asked again where it told nothing. */
function askedOnce(kind: AgentKind, sources: AgentSources, { installed }: AgentChoice): Calling['told'] {
  let known: string | undefined = kind.asks === undefined ? '' : undefined;
  return async (signal) => {
    if (known !== undefined) return known;
    const told = await toldBy({ kind, program: installed.program }, kind.asks ?? [], sources, signal);
    if (told.kind === 'untold')
      throw failedAgent(kind, { kind: 'failed', said: told.why, error: 'endpoint', sent: false });
    known = told.text;
    return known;
  };
}

async function answered(calling: Calling, request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
  signal.throwIfAborted();
  const { kind, sources, choice } = calling;
  const login = await currentLogin(kind, sources, signal, choice.model);
  const told = await calling.told(signal);
  const limits = limitsWithin(choice.limits ?? kind.limits, request.timeoutMs);
  const patience = startPatience(limitsUntil(limits, request.restMs), signal);
  const stop = new AbortController();
  const transcript = agentTranscript(kind, {
    most: request.maxOutputTokens,
    beat: patience.beat,
    stop: () => stop.abort(new Error('it need not go on')),
  });
  try {
    const heard = AbortSignal.any([patience.signal, stop.signal]);
    const end = await sources.programs.run(runOf(calling, { request, login, transcript, told }), heard);
    const outcome = stoppedBy(kind, transcript) ?? outcomeOf(kind, transcript, end);
    return toReply(calling, outcome, { request, login, transcript });
  } catch (error) {
    signal.throwIfAborted();
    const stopped = error instanceof FailedCall ? undefined : stoppedBy(kind, transcript);
    if (stopped?.kind === 'answered') return toReply(calling, stopped, { request, login, transcript });
    const failed =
      stopped === undefined ? tookTooLong(kind, patience) : failedAgent(kind, stopped, { login, model: choice.model });
    throw withToldUse(kind, transcript, failed ?? error);
  } finally {
    patience.end();
  }
}

interface Asking {
  readonly request: ModelRequest;
  readonly login: AgentLogin;
  readonly transcript: AgentTranscript;
  readonly told: string;
}

function runOf({ kind, sources, choice }: Calling, { request, login, transcript, told }: Asking) {
  const person = agentPerson(sources);
  const { maxOutputTokens } = request;
  return {
    program: choice.installed.program,
    outputLimitBytes,
    onLine: transcript.take,
    start: (folders: Parameters<AgentKind['environment']>[0]) => {
      const start = kind.call({ ...promptOf(request), maxOutputTokens, model: choice.model, login, folders, told });
      return {
        ...start,
        environment: { ...kind.environment(folders, person), ...login.variables, ...start.environment },
        files: { ...login.files, ...start.files },
      };
    },
  };
}

/** Where we ended it: what it said afterwards, or how it ended, is of no interest. */
function stoppedBy(kind: AgentKind, transcript: AgentTranscript): AgentOutcome | undefined {
  const stopped = transcript.stopped();
  if (stopped?.kind !== 'cut') return stopped;
  return { kind: 'answered', text: stopped.text, usage: kind.used?.(transcript.said().events), cut: true };
}

/** A call that failed costs what its events tell, where that is more than what a failed one is booked at. */
function withToldUse(kind: AgentKind, transcript: AgentTranscript, error: unknown): unknown {
  const used = kind.used?.(transcript.said().events);
  if (used === undefined || !(error instanceof FailedCall)) return error;
  return error.saying(used.inputTokens + used.outputTokens);
}

function outcomeOf(kind: AgentKind, transcript: AgentTranscript, end: AgentEnd): AgentOutcome {
  switch (end.kind) {
    case 'exited':
      return kind.read({ ...transcript.said(), code: end.code, left: end.left });
    case 'output-too-large':
      return { kind: 'failed', said: 'it wrote more than is read', error: 'malformed' };
    case 'not-started':
      return { kind: 'failed', said: end.reason, error: 'endpoint' };
  }
}

type AgentCall = Pick<Asking, 'request' | 'login' | 'transcript'>;

function toReply(
  { kind, choice }: Calling,
  outcome: AgentOutcome,
  { request, login, transcript }: AgentCall,
): ModelReply {
  if (outcome.kind === 'failed') throw failedAgent(kind, outcome, { login, model: choice.model });
  // What says our key back must not get it into an answer, and with that into a store.
  const whole = hidingKnown(login.secrets)(withoutThinking(outcome.text));
  const received = longer(outcome.text, transcript.said().written);
  const usage = billed(usedBy(kind, outcome.usage, { request, received }), login);
  if (whole.trim() === '' && outcome.cut !== true) {
    throw new FailedCall('malformed', `The answer of ${kind.label} was empty.`, { charged: true, usage });
  }
  const isLong = guessTokens(whole) > request.maxOutputTokens;
  const text = isLong ? withinTokens(whole, request.maxOutputTokens) : whole;
  return { text, finish: isLong || outcome.cut === true ? 'length' : 'stop', toolCalls: [], usage, cached: false };
}

/** A program passes on what its server says, so its figures are believed as far as a server's are. */
function usedBy(kind: AgentKind, told: ModelUsage | undefined, call: CountedCall): ModelUsage {
  const said = { input: told?.inputTokens, output: told?.outputTokens, total: undefined, usd: told?.usd };
  return bookedUsage(said, { ...call, added: kind.addsTokens });
}

function longer(a: string, b: string): string {
  return a.length < b.length ? b : a;
}

/** The price that a program tells is its vendor's for a key: a plan costs nothing more, and other servers bill as they like. */
function billed(usage: ModelUsage, { kind }: AgentLogin): ModelUsage {
  const { usd, ...counted } = usage;
  return kind !== 'api-key' || usd === undefined ? counted : { ...counted, usd };
}

function tookTooLong(kind: AgentKind, patience: Patience): FailedCall | undefined {
  const ranOut = patience.ranOut();
  return ranOut === undefined ? undefined : stalledAgent(kind, ranOut);
}
