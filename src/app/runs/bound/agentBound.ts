import type { RunOptions } from '../../../engine/runOptions.js';
import { countTokens } from '../../../skill/document/countTokens.js';
import type { Task } from '../../../tasks/task.js';
import { workLimits } from '../../environments/agentSources.js';
import { allRuns } from '../../models/modelNotes.js';
import { modelNames, type RoleModels } from '../../models/runModels.js';
import type { OpenSkill } from '../../openSkill.js';
import { agentTokensOf } from '../estimates.js';
import { ofRole, type RoleCalls, type CallBound } from './callBound.js';

/** What attempts of agents are made with. */
export interface AgentBoundInput {
  /** What lies there as the skill. */
  readonly text: string;
  readonly options: Pick<RunOptions, 'agent'>;
  readonly models: Pick<RoleModels, 'target'>;
  /** What an agent's attempt took before on this target; a guess is made where it is missing. */
  readonly agentTokens?: number | undefined;
}

/** What earlier runs of a skill know of attempts at these tasks. */
export async function knownOfAttempts(
  skill: OpenSkill,
  tasks: readonly Task[],
  models: RoleModels,
): Promise<Pick<AgentBoundInput, 'agentTokens'>> {
  if (!tasks.some(({ environment }) => environment === 'agent')) return {};
  return { agentTokens: agentTokensOf(await allRuns(skill), modelNames(models).target) };
}

const usualTurns = 8;
const usualTurnMs = 8_000;
const usualRead = 4_000; // tokens of a turn: what the program itself says, and what it has seen so far
const usualWritten = 300; // of a turn
const scripted = { read: 200, written: 60 }; // of the scripted agent, which reads once: its own few steps

/**
 * One call of ours, in which the agent may take all that its attempt may: at worst every token is one that it wrote. Usually
 * it takes what it took before, where that is known. `words`: of the task.
 */
export function agentBound(
  { text, options, models, agentTokens }: AgentBoundInput,
  task: Task,
  words: string,
): CallBound {
  const { maxTokens, maxTurns, timeLimitMs } = workLimits(task, options);
  const { simulated } = models.target.identity;
  const turns = simulated ? 1 : Math.min(usualTurns, maxTurns);
  const lasting = (workMs: number) => (simulated ? {} : { workMs });
  const read = countTokens(words) + (simulated ? scripted.read : usualRead + countTokens(text));
  const written = simulated ? scripted.written : usualWritten;
  const guessed = { inputTokens: turns * read, outputTokens: turns * written };
  const usual = agentTokens === undefined ? guessed : comingTo(guessed, agentTokens);
  const least = { inputTokens: Math.min(read, usual.inputTokens), outputTokens: usual.outputTokens };
  return ofRole('target', {
    least: { calls: 1, ...atMost(least, { inputTokens: maxTokens, outputTokens: written }) },
    usual: {
      calls: 1,
      ...atMost(usual, { inputTokens: maxTokens, outputTokens: maxTokens }),
      ...lasting(Math.min(turns * usualTurnMs, timeLimitMs)),
    },
    most: { calls: 1, inputTokens: 0, outputTokens: maxTokens, ...lasting(timeLimitMs) },
  });
}

type Tokens = Pick<RoleCalls, 'inputTokens' | 'outputTokens'>;

/** Read and written in the same proportion, so many tokens together. */
function comingTo({ inputTokens, outputTokens }: Tokens, tokens: number): Tokens {
  const share = tokens / (inputTokens + outputTokens);
  return { inputTokens: Math.ceil(inputTokens * share), outputTokens: Math.ceil(outputTokens * share) };
}

function atMost(tokens: Tokens, most: Tokens): Tokens {
  return {
    inputTokens: Math.min(tokens.inputTokens, most.inputTokens),
    outputTokens: Math.min(tokens.outputTokens, most.outputTokens),
  };
}
