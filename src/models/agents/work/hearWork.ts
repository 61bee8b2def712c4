import type { WorkLeft } from '../../../ports/agentWork.js';
import { agentTranscript, toldTooMuch, type AgentTranscript } from '../agentTranscript.js';
import type { AgentFailure, AgentSoFar } from '../agentKind.js';
import type { AgentAtWork, WorkAsk } from './agentAtWork.js';
import { WorkStory } from './workStory.js';

/** One of the limits of an attempt. */
export type WorkLimit = Exclude<WorkLeft['ended'], 'done'>;

export interface Hearing extends Pick<WorkAsk, 'prompt' | 'skill' | 'mode' | 'limits'> {
  /** How long its model may take for its first answer. */
  readonly firstMs: number;
  /** How long the model may be silent while no tool is at work. */
  readonly idleMs: number;
  /** How long the run may still take. */
  readonly restMs: number;
}

const mostLetters = 32 * 1024 * 1024; // of lines that are kept

/** Why an agent was ended: at a limit, because of what it told, or because nothing came. */
type Why = WorkLimit | AgentFailure | { readonly kind: 'silence'; readonly ranOut: string };

/** Listens to an agent while it works, and ends it where it comes to a limit or need not go on. */
export class HeardWork {
  readonly story: WorkStory;
  /** All that it told, as far as that is kept. */
  readonly lines: string[] = [];
  readonly #agent: AgentAtWork;
  readonly #hearing: Hearing;
  readonly #stop = new AbortController();
  readonly #transcript: AgentTranscript;
  readonly #first: NodeJS.Timeout;
  readonly #total: NodeJS.Timeout;
  #letters = 0;
  #lastAt = performance.now();
  #why: Why | undefined;

  constructor(agent: AgentAtWork, hearing: Hearing) {
    const { prompt, skill, mode, limits, firstMs, restMs } = hearing;
    this.#agent = agent;
    this.#hearing = hearing;
    const isBrought = mode === 'forced' && agent.forcedByPrompt;
    this.story = new WorkStory(agent, prompt, skill === undefined ? undefined : { name: skill, isBrought });
    this.#transcript = agentTranscript(agent, {
      most: Infinity,
      beat: () => (this.#lastAt = performance.now()),
      heard: (event) => this.#hear(event),
      stop: () => this.#end(this.#toldWhy()),
    });
    this.#first = setTimeout(() => this.#end(silence(`no answer within ${seconds(firstMs)}`)), firstMs);
    this.#total = setTimeout(() => this.#end(this.#timeIsUp()), Math.min(limits.timeLimitMs, restMs));
  }

  readonly take = (line: string): void => {
    this.#letters += line.length;
    if (this.#letters <= mostLetters) this.lines.push(line);
    this.#transcript.take(line);
  };

  /** Aborted where it is ended. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get said(): AgentSoFar {
    return this.#transcript.said();
  }

  get why(): Why | undefined {
    return this.#why;
  }

  /** To be called in any case: stops the clocks. */
  end(): void {
    clearTimeout(this.#first);
    clearTimeout(this.#total);
  }

  #hear(event: Parameters<AgentAtWork['tell']>[0]): void {
    const { story } = this;
    for (const told of this.#agent.tell(event)) story.take(told);
    if (story.hasAnswered) clearTimeout(this.#first);
    if (story.turns > this.#hearing.limits.maxTurns) this.#end('turns');
    if (this.#agent.tellsUsage && this.#isUsedUp()) this.#end('tokens');
  }

  /** What is written costs more than what is read: no more than a quarter of the limit is set aside for it. */
  #isUsedUp(): boolean {
    const { inputTokens, outputTokens } = this.story.used;
    const { maxTokens } = this.#hearing.limits;
    return inputTokens + outputTokens >= maxTokens || outputTokens >= maxTokens / 4;
  }

  #end(why: Why | undefined): void {
    this.#why ??= why;
    this.#stop.abort(new Error('it need not go on'));
  }

  #toldWhy(): Why | undefined {
    const stopped = this.#transcript.stopped();
    if (stopped?.kind !== 'failed') return undefined;
    return stopped === toldTooMuch && this.story.hasAnswered ? 'output' : stopped;
  }

  #timeIsUp(): Why {
    const { limits, restMs, idleMs } = this.#hearing;
    if (restMs < limits.timeLimitMs) return silence('the time of the run is used up');
    if (!this.story.hasAnswered) return silence(`no answer within ${seconds(limits.timeLimitMs)}`);
    const silentMs = performance.now() - this.#lastAt;
    // The model was waited for, and nothing that the agent does.
    if (this.#agent.tellsCalls && !this.story.isAtTool && silentMs >= idleMs)
      return silence(`the answer stalled for ${seconds(silentMs)}`);
    return 'time';
  }
}

function silence(ranOut: string): Why {
  return { kind: 'silence', ranOut };
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`;
}
