import type { SkillTasks } from '../tasks/skillTasks.js';
import { commandsOf, type CommandOptions } from '../../checks/rules/command.js';
import type { RunOptions } from '../../engine/runOptions.js';
import type { WorkLimits } from '../../ports/agentWork.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { throwAwayChoice } from '../../storage/programs/machineChoices.js';
import type { Task } from '../../tasks/task.js';
import { grouped } from '../../wording/amounts.js';
import { shownName } from '../models/runModels.js';
import { userStore, type World } from '../world.js';
import { workLimits } from './agentSources.js';
import { unplayedNotes } from './unplayedTasks.js';

interface AgentPlan {
  readonly world: World;
  readonly tasks: readonly Task[];
  readonly options: Pick<RunOptions, 'agent' | 'concurrency'>;
  readonly target: LanguageModel;
}

/** What a person should know before agents work on tasks: who they are, what they may take, and what nobody redacts. */
export async function agentNotes({ world, tasks, options, target }: AgentPlan): Promise<readonly string[]> {
  const worked = tasks.filter(({ environment }) => environment === 'agent');
  if (worked.length === 0) return [];
  if (target.identity.simulated) return unplayedNotes(worked, target);
  const limits = largest(worked.map((task) => workLimits(task, options)));
  const beyond = target.mayPassBy?.(limits) ?? 0;
  return [
    `Tasks that ${shownName(target)} works on in folders of their own, with its tools on: ${worked.length}. Each attempt is counted as one call, and takes at most ${grouped(limits.maxTokens)} tokens, ${limits.maxTurns} turns and ${limits.timeLimitMs / 60_000} minutes. What it sends to its server is not redacted.`,
    ...(beyond === 0
      ? []
      : [
          `A cap in tokens may be passed by ${grouped(beyond)} tokens for each attempt under way: what a call took is told when it is over.`,
        ]),
    ...openPythonJudges(worked),
    ...(await throwAwayNotes(world)),
  ];
}

/**
 * Judges that start Python on a script of their own where the agent worked: Python takes modules from the folder of the
 * script before its own, and so what the agent left there. Nothing is changed about their start, since a judge may be
 * meant to import what the agent wrote.
 */
export function openPythonJudges(tasks: readonly Pick<Task, 'checks'>[]): readonly string[] {
  const open = tasks.flatMap(commandsOf).filter(({ folder, ...start }) => folder !== undefined && takesModules(start));
  const lines = new Set(open.map(({ command, arguments: words }) => [command, ...words].join(' ')));
  return [...lines].map(
    (line) =>
      `“${line}” judges in the folder that the agent left, and Python takes modules from there before its own: a csv.py of the agent’s would run as a part of the judge. Where it needs nothing of that folder, start it with -I; otherwise see docs/checks.md.`,
  );
}

/** Whether Python, started so, looks for modules in the folder that it works in. */
function takesModules({ command, arguments: words }: Pick<CommandOptions, 'command' | 'arguments'>): boolean {
  if (!/^python[\d.]*$/u.test(command.split('/').at(-1) ?? '')) return false;
  const at = words.findIndex((word) => word.endsWith('.py') || /^-\w*[cm]$/u.test(word));
  const switches = words.slice(0, at < 0 ? words.length : at);
  return !switches.some((word) => /^-[A-Za-z]*[IP]/u.test(word)) && words[at]?.startsWith('/') !== true;
}

/** What is only told, for nothing hangs on it: who plays the agents on the simulated model. */
export function playedNotes({ tasks, target }: Pick<AgentPlan, 'tasks' | 'target'>): readonly string[] {
  const worked = tasks.filter(({ environment }) => environment === 'agent').length;
  if (worked === 0 || !target.identity.simulated) return [];
  return [`Tasks that a scripted agent of Whetstone plays, which starts no program: ${worked}.`];
}

/** Said before the run, and kept in its report. */
export async function throwAwayNotes(world: World): Promise<readonly string[]> {
  if (!(await throwAwayChoice.isOn(await userStore(world, 'look')))) return [];
  return [
    'You declared this machine one that is thrown away: where there is no sandbox, agents work on it without one.',
  ];
}

function largest(all: readonly WorkLimits[]): WorkLimits {
  const most = (of: keyof WorkLimits): number => Math.max(...all.map((limits) => limits[of]));
  return { maxTokens: most('maxTokens'), maxTurns: most('maxTurns'), timeLimitMs: most('timeLimitMs') };
}

/** What an extension brings may ask whom it likes; declared programs are told with what they run. */
export function uncountedNotes({ read, result: { split } }: Pick<SkillTasks, 'read' | 'result'>): readonly string[] {
  const used = [...split.training, ...split.heldOut, ...split.sealed].map(({ environment }) => environment);
  const known = new Set(['chat', 'tools', 'agent', ...read.environments.keys()]);
  const names = [...new Set(used)].filter((name) => !known.has(name)).sort();
  return names.map((name) => `The tasks in “${name}” are attempted by an extension. What it asks is not counted here.`);
}
