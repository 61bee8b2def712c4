import { UserError } from '../../errors.js';
import { agentOfSpec } from '../../models/agents/agentKinds.js';
import { presetOf } from '../../models/openai/presets.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { agentNames, type AgentName, type Task } from '../../tasks/task.js';
import { namesHandoff } from '../handoff/handoffSpec.js';
import type { SkillTasks } from '../tasks/skillTasks.js';
import type { World } from '../world.js';
import { namesEditorModel } from './editorModels.js';
import { shownName } from './runModels.js';

/** A target as far as tasks of agents ask: whether it is a program, and which. */
interface AgentTarget {
  readonly name: string;
  readonly simulated: boolean;
  readonly program: AgentName | undefined;
}

export function targetOf(model: LanguageModel): AgentTarget {
  const { endpoint, simulated } = model.identity;
  return { name: shownName(model), simulated, program: agentNames.find((name) => endpoint === `agent:${name}`) };
}

/** What the person wrote names it, before anybody is asked for a key; undefined where it names no model that there is. */
function targetNamed(spec: string): AgentTarget | undefined {
  if (/^simulated(?:\?|$)/u.test(spec)) return { name: 'simulated', simulated: true, program: undefined };
  const agent = agentOfSpec(spec);
  const program = agentNames.find((name) => name === agent?.kind.id);
  if (agent === undefined && !namesModel(spec)) return undefined;
  // An address may hold a user's name and a key.
  const [name = ''] = (isAddress(spec) ? (spec.split('#')[1] ?? 'a server of yours') : spec).split('?');
  return { name, simulated: false, program };
}

function namesModel(spec: string): boolean {
  const [provider = ''] = spec.split('/');
  return isAddress(spec) || presetOf(provider) !== undefined || namesEditorModel(spec) || namesHandoff(spec);
}

function isAddress(spec: string): boolean {
  return /^https?:\/\//u.test(spec);
}

/** Throws where the target that the person named cannot attempt these tasks: before it is asked for, or a key for it. */
export function refuseNamedTarget(
  { target }: Pick<World, 'target'>,
  tasks: SkillTasks,
  only?: readonly string[],
): void {
  const named = targetNamed(target?.() ?? '');
  const { training, heldOut, sealed } = tasks.result.split;
  const wanted = only === undefined ? undefined : tasks.read.tasks.filter(({ id }) => only.includes(id));
  if (named !== undefined) refuseAgentTasks(wanted ?? [...training, ...heldOut, ...sealed], named);
}

/** Tasks that an agent program works on, and a target that is none, or another one. */
interface AgentTasksBeyond {
  readonly message: string;
  readonly cure: string;
}

/** Why the target cannot attempt one of these tasks; undefined where it can attempt all of them. */
export function agentTasksBeyond(
  tasks: readonly Pick<Task, 'id' | 'environment' | 'agent'>[],
  { name, simulated, program }: AgentTarget,
): AgentTasksBeyond | undefined {
  if (simulated) return undefined; // an agent of ours plays them
  const ours = tasks.filter(({ environment }) => environment === 'agent');
  const beyond = ours.find(({ agent }) => program === undefined || (agent?.program ?? program) !== program);
  if (beyond === undefined) return undefined;
  const wanted = beyond.agent?.program;
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
