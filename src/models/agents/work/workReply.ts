import { UserError } from '../../../errors.js';
import type { AgentEnd } from '../../../ports/agentPrograms.js';
import type { AgentWork, WorkLeft } from '../../../ports/agentWork.js';
import type { ModelReply, ModelRequest, ModelUsage } from '../../../ports/languageModel.js';
import type { Workplace, WorkRun } from '../../../ports/workplace.js';
import { hidingKnown } from '../../../redaction/knownSecrets.js';
import type { FailedCall } from '../../wrappers/failedCall.js';
import { failedAgent, stalledAgent } from '../agentFailure.js';
import type { AgentFailure, AgentKind, AgentLogin } from '../agentKind.js';
import { agentPerson, currentLogin, type AgentSources } from '../agentLogin.js';
import { folded, promptOf } from '../agentPrompt.js';
import type { AgentAtWork, WorkAsk, WorkOutcome } from './agentAtWork.js';
import { agentsAtWork } from './agentsAtWork.js';
import { HeardWork, type WorkLimit } from './hearWork.js';
import { reachOf } from './workReach.js';
import { workUsage } from './workUsage.js';

/** A program that is asked to work. */
interface WorkCall {
  readonly kind: AgentKind;
  readonly sources: AgentSources;
  readonly program: WorkRun['program'];
  readonly model: string | undefined;
}

type WorkRequest = ModelRequest & { readonly work: AgentWork };

/** Of both outputs together; an agent that tells more has gone astray. */
const outputLimitBytes = 64 * 1024 * 1024;

/**
 * An agent program that works in a folder of its own, as a reply: what it said last, and what it did and left behind.
 * An attempt that came to one of its limits is a reply too, so that it is kept and judged as failed; where the world
 * failed, or its model never answered, the call failed.
 */
export async function workReply(call: WorkCall, request: WorkRequest, signal: AbortSignal): Promise<ModelReply> {
  const { kind, sources, model } = call;
  const { fixture, skill, canaries } = request.work;
  const agent = agentsAtWork[kind.id];
  if (agent === undefined || sources.workplaces === undefined) throw cannotWork(kind);
  const login = await currentLogin(kind, sources, signal, model);
  const { skillsFolder } = agent;
  const place = await sources.workplaces.open({ fixture, skill, canaries, skillsFolder }, signal);
  try {
    const attempt = new Attempt({ ...call, agent, login, place }, request);
    const ending = await attempt.run(signal);
    return await attempt.lookedAt(ending, signal);
  } finally {
    await place.close();
  }
}

function cannotWork({ label }: AgentKind): UserError {
  return new UserError(
    'environment-refused',
    `${label} cannot work in a folder here.`,
    'Choose claude-code, codex, copilot-cli, gemini-cli or opencode as target, on a machine with a sandbox.',
  );
}

/** How an attempt ended that is a reply; `usage` as the program told at its end. */
interface WorkEnding {
  readonly ended: WorkLeft['ended'];
  readonly text: string;
  readonly usage: ModelUsage | undefined;
}

interface AtPlace extends WorkCall {
  readonly agent: AgentAtWork;
  readonly login: AgentLogin;
  readonly place: Workplace;
}

/** One attempt: the program's run, then what it left. */
class Attempt {
  readonly #at: AtPlace;
  readonly #request: WorkRequest;
  readonly #ask: Omit<WorkAsk, 'folders'>;
  readonly #heard: HeardWork;
  #raw: string | undefined;

  constructor(at: AtPlace, request: WorkRequest) {
    const { limits, mode, skill } = request.work;
    const { firstByteMs, idleMs } = at.kind.limits;
    this.#at = at;
    this.#request = request;
    const prompt = folded(promptOf(request));
    this.#ask = { limits, mode, prompt, skill: skill?.name, model: at.model, login: at.login };
    this.#heard = new HeardWork(at.agent, {
      ...this.#ask,
      firstMs: request.timeoutMs ?? Math.max(firstByteMs, idleMs),
      idleMs,
      restMs: request.restMs ?? Infinity,
    });
  }

  async run(signal: AbortSignal): Promise<WorkEnding> {
    const { place, sources, login } = this.#at;
    try {
      const end = await place.run(this.#program(), AbortSignal.any([signal, this.#heard.signal]));
      return this.#stopped() ?? this.#endingOf(end);
    } catch (error) {
      signal.throwIfAborted();
      const stopped = this.#stopped();
      if (stopped === undefined) throw error;
      return stopped;
    } finally {
      this.#heard.end();
      this.#raw = await sources.keepLines?.(this.#heard.lines.map(hidingKnown(login.secrets)));
    }
  }

  async lookedAt(ending: WorkEnding, signal: AbortSignal): Promise<ModelReply> {
    const { place } = this.#at;
    const { tooMuch, ...seen } = await place.left(this.#heard.lines, signal);
    const ended = tooMuch ? 'output' : ending.ended;
    const judged: WorkLeft['judged'][number][] = [];
    // What was ended at a limit has failed, whatever lies there.
    const judges = ended === 'done' ? this.#request.work.judges : [];
    for (const judge of judges) judged.push(await place.judge(judge, signal));
    const isSent = ended === 'done' && this.#request.work.returns === true;
    const folder = isSent ? { folder: await place.changes(signal) } : {};
    const raw = this.#raw === undefined ? {} : { raw: this.#raw };
    const end = { kind: 'end', ok: ended === 'done', reason: ended } as const;
    return {
      text: ending.text,
      finish: ended === 'done' ? 'stop' : 'length',
      toolCalls: [],
      usage: this.#usage(ending.usage),
      cached: false,
      work: { ...seen, events: [...this.#heard.story.events, end], judged, ended, ...folder, ...raw },
    };
  }

  #program(): WorkRun {
    const { sources, program, agent, login, model } = this.#at;
    const person = agentPerson(sources);
    const { secrets: own = {} } = agent.start({ ...this.#ask, folders: { home: '', work: '', temporary: '' } });
    const reach = reachOf({ agent, login, model, person, program }, own);
    const { secrets: hidden = {} } = reach;
    const shown = Object.fromEntries(Object.entries(login.variables).filter(([name]) => hidden[name] === undefined));
    return {
      program,
      outputLimitBytes,
      onLine: this.#heard.take,
      reach,
      start: (folders) => {
        const { secrets: _hidden, ...start } = agent.start({ ...this.#ask, folders });
        const environment = { ...agent.environment(folders, person), ...shown, ...start.environment };
        return { ...start, environment, files: { ...login.files, ...start.files } };
      },
    };
  }

  /** Where we ended it: what it said afterwards, or how it ended, is of no interest. */
  #stopped(): WorkEnding | undefined {
    const { why } = this.#heard;
    if (why === undefined) return undefined;
    if (typeof why === 'string') return this.#atLimit(why);
    if (why.kind === 'silence') throw this.#withUse(stalledAgent(this.#at.kind, why.ranOut));
    return this.#fail(why);
  }

  #endingOf(end: AgentEnd): WorkEnding {
    switch (end.kind) {
      case 'not-started':
        return this.#fail({ kind: 'failed', said: end.reason, error: 'endpoint', sent: false });
      case 'output-too-large':
        if (this.#heard.story.hasAnswered) return this.#atLimit('output');
        return this.#fail({ kind: 'failed', said: 'it wrote more than is read', error: 'malformed' });
      case 'exited':
        return this.#ofOutcome(this.#at.agent.read({ ...this.#heard.said, code: end.code, left: end.left }));
    }
  }

  #ofOutcome(outcome: WorkOutcome): WorkEnding {
    const { story } = this.#heard;
    if (outcome.kind === 'failed') return this.#fail(outcome);
    if (outcome.kind === 'turns') return { ...this.#atLimit('turns'), usage: outcome.usage };
    if (!story.hasAnswered)
      return this.#fail({ kind: 'failed', said: 'it ended without any answer of a model', error: 'malformed' });
    const text = outcome.text.trim() === '' ? story.lastWords : outcome.text;
    return { ended: 'done', text, usage: outcome.usage };
  }

  #atLimit(ended: WorkLimit): WorkEnding {
    return { ended, text: this.#heard.story.lastWords, usage: undefined };
  }

  #fail(failure: AgentFailure): never {
    const { kind, login, model } = this.#at;
    throw this.#withUse(failedAgent(kind, failure, { login, model }));
  }

  /** A call that failed after its model had answered costs what is told; all that was set aside where nothing is. */
  #withUse(error: FailedCall): FailedCall {
    if (!this.#heard.story.hasAnswered) return error;
    const { inputTokens, outputTokens } = this.#usage();
    return error.saying(inputTokens + outputTokens);
  }

  #usage(end?: ModelUsage): ModelUsage {
    const { agent, login } = this.#at;
    const { usd, ...booked } = workUsage({ agent, request: this.#request, story: this.#heard.story }, end);
    // The price is its vendor's for a key: a plan costs nothing more, and other servers bill as they like.
    return login.kind === 'api-key' && usd !== undefined ? { ...booked, usd } : booked;
  }
}
