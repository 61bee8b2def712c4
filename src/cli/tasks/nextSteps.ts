import { minimumHeldOutTasks } from '../../gate/statistics/certification.js';
import type { SkillOverview } from '../../app/results/overview.js';
import { count } from '../../wording/amounts.js';
import { typedWord } from '../../wording/shownText.js';
import { english } from '../../wording/translate.js';
import { oneLine } from '../terminal.js';

type Tasks = NonNullable<SkillOverview['tasks']>;

/** Where tasks come from, for a skill that has none. */
export function waysToTasks(skill: string): string {
  const typed = typedWord(skill);
  return oneLine(
    `“whetstone mine ${typed}” looks for some in your past sessions with agents, “whetstone tasks draft ${typed}” has a model draft some; or write evals/evals.json by hand.`,
  );
}

/** Whether nothing of the skill counts, waits or is brought: it needs tasks before anything else. */
export function hasNoTasks(tasks: SkillOverview['tasks']): boolean {
  if (tasks === undefined) return true;
  const { training, heldOut, sealed, drafts, setAside, disabled, broken, broughtBy = [] } = tasks;
  return [training, heldOut, sealed, drafts, setAside, disabled, broken, broughtBy].every(({ length }) => length === 0);
}

const fewestTraining = 2;

/** What comes after tasks were confirmed: to train, or what is missing before that and what to type for it. */
export function afterConfirming(skill: string, tasks: Tasks): readonly string[] {
  const typed = typedWord(skill);
  const { training, heldOut, drafts, broughtBy = [] } = tasks;
  const isEnough = training.length >= fewestTraining && heldOut.length >= minimumHeldOutTasks;
  if (isEnough || broughtBy.length > 0) return trainingLines(typed, tasks);
  const wait = drafts.length === 1 ? '1 draft still waits' : `${drafts.length} drafts still wait`;
  return [
    missingSentence(tasks),
    drafts.length === 0
      ? `Next: ${waysToTasks(skill)}`
      : `Next: ${wait}. whetstone tasks list ${typed}, then whetstone tasks confirm ${typed} <id>...`,
  ];
}

function missingSentence({ training, heldOut, sealed }: Tasks): string {
  const fewest = fewestTraining + minimumHeldOutTasks;
  const there = training.length + heldOut.length + sealed.length;
  const needed = `At least ${fewest} are needed, ${fewestTraining} to learn from and ${minimumHeldOutTasks} to prove it on`;
  if (there < fewest) return `The skill has ${count(there, 'task', english)} now. ${needed}: ${fewest - there} more.`;
  return `The skill has ${training.length} training and ${heldOut.length} held-out tasks now. ${needed}: confirm more, out of other sessions.`;
}

/** A chat model attempts no task of an agent, and would be refused as the target. */
function trainingLines(typed: string, { training, heldOut, sealed }: Tasks): readonly string[] {
  const forAgents = [...training, ...heldOut, ...sealed].filter(({ environment }) => environment === 'agent').length;
  if (forAgents === 0) return [`Next: whetstone optimize ${typed}`];
  return [
    `${forAgents === 1 ? '1 task is' : `${forAgents} tasks are`} for an agent: an agent program has to be the target.`,
    `Next: whetstone optimize ${typed} --target claude-code`,
  ];
}

/** What is typed to look at drafts and to confirm them. */
export function draftLines(skill: string): readonly string[] {
  const typed = typedWord(skill);
  return [`  whetstone tasks show ${typed} <id>`, `  whetstone tasks confirm ${typed} <id>...`];
}
