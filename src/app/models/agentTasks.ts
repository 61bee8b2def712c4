import { UserError } from '../../errors.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { agentNames, type Task } from '../../tasks/task.js';
import { shownName } from './runModels.js';

/** Tasks that an agent program works on, and a target that is none, or another one. */
interface AgentTasksBeyond {
  readonly message: string;
  readonly cure: string;
}

/** Why the target cannot attempt one of these tasks; undefined where it can attempt all of them. */
export function agentTasksBeyond(
  tasks: readonly Pick<Task, 'id' | 'environment' | 'agent'>[],
  target: LanguageModel,
): AgentTasksBeyond | undefined {
  if (target.identity.simulated) return undefined; // an agent of ours plays them
  const program = agentNames.find((name) => target.identity.endpoint === `agent:${name}`);
  const ours = tasks.filter(({ environment }) => environment === 'agent');
  const beyond = ours.find(({ agent }) => program === undefined || (agent?.program ?? program) !== program);
  if (beyond === undefined) return undefined;
  const wanted = beyond.agent?.program;
  const name = shownName(target);
  return wanted === undefined
    ? {
        message: `The task ${beyond.id} is attempted by an agent program, and the target ${name} is none.`,
        cure: `Choose one as the target (${agentNames.join(', ')}), or disable the task.`,
      }
    : {
        message: `The task ${beyond.id} is attempted by ${wanted}, and the target is ${name}.`,
        cure: `Choose ${wanted} as the target, or take “program” out of the task.`,
      };
}

/** Throws that before anything is spent. */
export function refuseAgentTasks(...given: Parameters<typeof agentTasksBeyond>): void {
  const beyond = agentTasksBeyond(...given);
  if (beyond !== undefined) throw new UserError('environment-refused', beyond.message, beyond.cure);
}
