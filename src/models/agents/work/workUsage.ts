import type { AgentWork } from '../../../ports/agentWork.js';
import type { ModelRequest, ModelUsage } from '../../../ports/languageModel.js';
import { guessTokens, leastInputTokens, leastTokens, workWorst } from '../../tokens.js';
import type { AgentAtWork } from './agentAtWork.js';
import { mayPassBy } from './agentsAtWork.js';
import type { WorkStory } from './workStory.js';

interface WorkedAttempt {
  readonly agent: Pick<AgentAtWork, 'tellsUsage' | 'callTokens'>;
  readonly request: ModelRequest & { readonly work: Pick<AgentWork, 'limits'> };
  readonly story: Pick<WorkStory, 'used' | 'written'>;
}

/**
 * What an attempt is booked at: the most of what its end tells, what its events told and what we count ourselves. A
 * server may say anything, and a cap must hold: where a figure is missing, or is none that the attempt can have taken,
 * all that was set aside is booked as an estimate.
 */
export function workUsage({ agent, request, story }: WorkedAttempt, end?: ModelUsage): ModelUsage {
  const { limits } = request.work;
  const most = limits.maxTokens + mayPassBy(agent, limits);
  const least = Math.max(1, leastInputTokens(request));
  const isPossible = ({ inputTokens, outputTokens }: Tokens): boolean =>
    inputTokens >= least && outputTokens >= 0 && inputTokens + outputTokens <= most;
  const { used, written } = story;
  const isHeard = agent.tellsUsage && used.isWhole && isPossible(used);
  const told = end !== undefined && isPossible(end) ? asWritten(end, { used, written }) : undefined;
  if (isHeard) return withPrice(told === undefined ? estimated(used) : mostOf(told, used), end);
  if (told !== undefined && !agent.tellsUsage) return withPrice(told, end);
  const known = [told, isPossible(used) ? used : undefined].filter((each) => each !== undefined);
  return withPrice(known.map(estimated).reduce(larger, workWorst(limits)), end);
}

type Tokens = Pick<ModelUsage, 'inputTokens' | 'outputTokens'>;

/** What was written we have seen, but for thoughts: no tokenizer makes less of it. */
function asWritten(end: ModelUsage, { used, written }: Pick<WorkStory, 'used' | 'written'>): ModelUsage {
  if (end.outputTokens >= leastTokens(written)) return end;
  return { ...end, outputTokens: Math.max(used.outputTokens, guessTokens(written)), exact: false };
}

/** Of what was written, the events may hold a guess: their input alone counts against the end. */
function mostOf(told: ModelUsage, { inputTokens }: Tokens): ModelUsage {
  return inputTokens <= told.inputTokens ? told : { ...told, inputTokens, exact: false };
}

function estimated({ inputTokens, outputTokens }: Tokens): ModelUsage {
  return { inputTokens, outputTokens, exact: false };
}

function larger(a: ModelUsage, b: ModelUsage): ModelUsage {
  return a.inputTokens + a.outputTokens < b.inputTokens + b.outputTokens ? b : a;
}

/** With the price that was told, where such tokens can have cost that. */
function withPrice({ inputTokens, outputTokens, exact }: ModelUsage, end: ModelUsage | undefined): ModelUsage {
  const booked = { inputTokens, outputTokens, exact };
  const usd = end?.usd ?? 0;
  return usd > 0 && usd <= (inputTokens + outputTokens) * dearestToken ? { ...booked, usd } : booked;
}

const dearestToken = 0.002; // USD: several times what the dearest model takes for one that it writes
