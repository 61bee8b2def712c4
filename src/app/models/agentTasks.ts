import { agentOfSpec } from '../../models/agents/agentKinds.js';
import { presetOf } from '../../models/openai/presets.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { agentNames, type AgentName, type Task } from '../../tasks/task.js';
import { namesHandoff } from '../handoff/handoffSpec.js';
import { typedWord } from '../../wording/shownText.js';
import type { SkillTasks } from '../tasks/skillTasks.js';
import type { World } from '../world.js';
import { namesEditorModel } from './editorModels.js';
import { shownName } from './runModels.js';
import { firstNames, refuseUnfit, type Unfit } from './unfitTarget.js';

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
  { skillPath, only }: { readonly skillPath: string; readonly only?: readonly string[] | undefined },
): void {
  const named = targetNamed(target?.() ?? '');
  const { training, heldOut, sealed } = tasks.result.split;
  const wanted = only === undefined ? undefined : tasks.read.tasks.filter(({ id }) => only.includes(id));
  if (named !== undefined) refuseAgentTasks(wanted ?? [...training, ...heldOut, ...sealed], named, skillPath);
}

/** Why the target cannot attempt all of these tasks; undefined where it can. */
export function agentTasksBeyond(
  tasks: readonly Pick<Task, 'id' | 'environment' | 'agent'>[],
  { name, simulated, program }: AgentTarget,
  skillPath: string,
): Unfit | undefined {
  if (simulated) return undefined; // an agent of ours plays them
  const ours = tasks.filter(({ environment }) => environment === 'agent');
  const beyond = ours.filter(({ agent }) => program === undefined || (agent?.program ?? program) !== program);
  const [first] = beyond;
  if (first === undefined) return undefined;
  const wanted = first.agent?.program;
  const same = beyond.filter(({ agent }) => agent?.program === wanted);
  // A target that is no program is none for any of them.
  return wanted === undefined || (program === undefined && same.length < beyond.length)
    ? withoutProgram(beyond, name, skillPath)
    : withAnother(same, { name, wanted, skillPath });
}

/** What is typed to leave all of them out. */
function disabling(beyond: readonly { readonly id: string }[], skillPath: string): string {
  return `“whetstone tasks disable ${[skillPath, ...beyond.map(({ id }) => id)].map(typedWord).join(' ')}”`;
}

function withoutProgram(beyond: readonly { readonly id: string }[], name: string, skillPath: string): Unfit {
  const cure = `Choose one as the target (${agentNames.join(', ')}), or the simulated model to try it: a scripted agent of Whetstone works on them then. Or disable the tasks (in a terminal ${disabling(beyond, skillPath)}).`;
  if (beyond.length === 1)
    return {
      message: `The task ${firstNames(beyond)} is attempted by an agent program, and the target ${name} is none.`,
      cure,
    };
  return {
    message: `${beyond.length} tasks are attempted by an agent program, and the target ${name} is none: ${firstNames(beyond)}.`,
    cure,
  };
}

function withAnother(
  beyond: readonly { readonly id: string }[],
  { name, wanted, skillPath }: { readonly name: string; readonly wanted: AgentName; readonly skillPath: string },
): Unfit {
  const cure = `Choose ${wanted} as the target, or the simulated model to try it; or take “program” out of the tasks, or disable them (in a terminal ${disabling(beyond, skillPath)}).`;
  if (beyond.length === 1)
    return { message: `The task ${firstNames(beyond)} is attempted by ${wanted}, and the target is ${name}.`, cure };
  return {
    message: `${beyond.length} tasks are attempted by ${wanted}, and the target is ${name}: ${firstNames(beyond)}.`,
    cure,
  };
}

/** Throws that before anything is spent. */
export function refuseAgentTasks(...given: Parameters<typeof agentTasksBeyond>): void {
  refuseUnfit(agentTasksBeyond(...given));
}
