import type { AgentId } from '../../../ports/agentPrograms.js';
import type { WorkLimits } from '../../../ports/agentWork.js';
import type { AgentAtWork } from './agentAtWork.js';
import { claudeWork } from './claudeWork.js';
import { codexWork } from './codexWork.js';
import { copilotWork } from './copilotWork.js';
import { geminiWork } from './geminiWork.js';
import { opencodeWork } from './opencodeWork.js';

/** The programs that can work in a folder; the real ones have been run so. */
export const agentsAtWork: Readonly<Partial<Record<AgentId, AgentAtWork>>> = {
  'claude-code': claudeWork,
  codex: codexWork,
  'copilot-cli': copilotWork,
  'gemini-cli': geminiWork,
  opencode: opencodeWork,
};

/**
 * By how many tokens one attempt may pass what was set aside for it. What each call took is known when it is over, so one
 * call may go beyond; where a program tells it at its end alone, all of its calls may. As many attempts as are under way
 * at the same time may do so, then none is started any more.
 */
export function mayPassBy(
  { tellsUsage, callTokens }: Pick<AgentAtWork, 'tellsUsage' | 'callTokens'>,
  { maxTokens, maxTurns }: WorkLimits,
): number {
  return tellsUsage ? callTokens : Math.max(0, (maxTurns + 1) * callTokens - maxTokens);
}
