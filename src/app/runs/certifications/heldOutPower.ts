import type { RunInputs } from '../../../engine/journal/runEvents.js';
import type { RunSummary } from '../../../engine/journal/runSummary.js';
import type { RunOptions } from '../../../engine/runOptions.js';
import { attemptsUnder, textName, type HeldOutTasks, type KnownAttempts } from '../../../gate/power/knownAttempts.js';
import { settledTasks, taskPower, type TaskKnown, type TaskPower } from '../../../gate/power/taskPower.js';
import { canonicalJson, sha256 } from '../../../hash.js';
import { shortHash } from '../../../tasks/canonicalHash.js';
import type { Task, HeldOutTask } from '../../../tasks/task.js';
import { powerSentence, settledLines, showsNothing } from '../../../wording/powerSentence.js';
import { english } from '../../../wording/translate.js';
import { isUnplayed } from '../../environments/unplayedTasks.js';
import type { RoleModels } from '../../models/runModels.js';
import { conditionsOf, budgetAhead } from '../certificationStore.js';
import { readByAttempts } from '../runInputs.js';
import type { RunStart } from '../runStart.js';
import { canCertify } from '../../../gate/statistics/errorBudget.js';
import { emptyBudgetAhead } from '../../../wording/preflight/emptyBudget.js';
import { spentBudget } from '../../../wording/verdicts.js';
import { certifies } from '../bound/measureBound.js';
import { namesOfSkills } from './sharedHeldOut.js';
import { skillCertifications } from './skillCertifications.js';

/** Names what attempts depend on beside skill, memory and tasks. The metric is none of it: it reads the same attempts. */
export function attemptsNamed(
  models: Pick<RoleModels, 'target' | 'judge' | 'optimizer'>,
  options: RunOptions,
  { prompts, files }: Pick<RunInputs, 'prompts' | 'files'>,
): string {
  const { metric: _metric, mixedWeight: _weight, ...conditions } = conditionsOf(models, options);
  const { agent, timeouts, answers } = options;
  const more = { agent, timeouts: [timeouts.target, timeouts.judge], again: answers.more, prompts, files };
  return shortHash(sha256(canonicalJson({ ...conditions, ...more })));
}

/** The held-out tasks of a run, as its journal names them; not where there are so many that each says next to nothing. */
export function heldOutTasks(tasks: readonly Task[], under: string): { readonly heldOut?: HeldOutTasks } {
  if (tasks.length > mostTasks) return {};
  return { heldOut: { under, tasks: Object.fromEntries(tasks.map(({ id, contentHash }) => [id, contentHash])) } };
}

const mostTasks = 300; // with every attempt the records of all of them are made anew

/** What is told before a run of what its held-out tasks can show. */
export interface ToldPower {
  /** What they can detect, in words: by the pass rates of earlier attempts where there are enough. */
  readonly power: string;
  /** The same where it is that nothing can be shown, which is told even where nobody asks. */
  readonly powerless?: string | undefined;
  /** It is so because certifications used up the error budget, which the person may start afresh. */
  readonly emptyBudget?: true;
  /** The same in figures, and which of them cannot decide. */
  readonly taskPower: TaskPower;
  /** Those by name and what they cost, in words. */
  readonly settled: readonly string[];
}

interface AheadOfRun extends Pick<RunStart, 'skill' | 'tasks' | 'options' | 'resume'> {
  /** The memory file is read beside the skill; empty where it is not. */
  readonly consolidated?: { readonly memory: string };
}

/** Told from earlier runs that attempted the same tasks under the same text, models and options, where these know enough. */
export async function toldPower(
  ahead: AheadOfRun,
  models: RoleModels,
  runs: readonly RunSummary[],
): Promise<ToldPower> {
  const { skill, tasks, options, consolidated } = ahead;
  const heldOut = tasks.result.split.heldOut.filter((task) => !isUnplayed(task, models.target));
  const { hashes } = await readByAttempts({ skill, tasks, options });
  const memory = consolidated?.memory ?? '';
  const records = attemptsUnder(knownIn(runs), {
    under: attemptsNamed(models, options, hashes),
    text: textName(skill.hash, memory === '' ? undefined : sha256(memory)),
  });
  const { gate } = options;
  const figures = taskPower(knownTasks(heldOut, records), gate);
  const { simulated } = models.target.identity;
  const spent = await emptyBudgetOf(ahead, { heldOut, simulated });
  const power = spent ?? powerSentence(figures, english, gate.rule);
  return {
    power,
    ...(spent !== undefined || showsNothing(figures.n, gate.rule) ? { powerless: power } : {}),
    ...(spent === undefined ? {} : { emptyBudget: true }),
    taskPower: figures,
    settled: settledLines(figures, english),
  };
}

/** What the tasks of a run could show when it ended: its own attempts count, and those of the runs before it. */
export function powerOfRun(runs: readonly RunSummary[], run: RunSummary): TaskPower | undefined {
  const { known } = run;
  if (known === undefined) return undefined;
  const text = Object.keys(known.texts).find(isOf(known.baseHash));
  if (text === undefined) return undefined;
  const before = runs.filter(({ runId, startedAt }) => runId !== run.runId && startedAt <= run.startedAt);
  const records = attemptsUnder(knownIn([...before, run]), { under: known.under, text });
  const tasks = Object.entries(known.tasks).map(([id, contentHash]) => ({ id, contentHash }));
  return taskPower(knownTasks(tasks, records), known.gate);
}

/** Which of the tasks came out the same in every known attempt, and what they can show, which takes longer to find out. */
export interface SettledNow extends Pick<TaskPower, 'alwaysPass' | 'alwaysFail'> {
  readonly power: () => TaskPower;
}

/**
 * The same for a view, which knows no models: under what the newest run attempted the text of today. Undefined where no
 * task is settled.
 */
export function settledNow(
  runs: readonly RunSummary[],
  heldOut: readonly Task[],
  skillHash: string,
): SettledNow | undefined {
  const known = knownIn(runs); // newest first
  for (const { texts, under, gate } of known) {
    const text = Object.keys(texts).find(isOf(skillHash));
    if (text === undefined) continue;
    const tasks = knownTasks(heldOut, attemptsUnder(known, { under, text }));
    const settled = settledTasks(tasks, gate);
    const none = settled.alwaysPass.length + settled.alwaysFail.length === 0;
    return none ? undefined : { ...settled, power: () => taskPower(tasks, gate) };
  }
  return undefined;
}

function isOf(skillHash: string): (text: string) => boolean {
  return (text) => text === skillHash || text.startsWith(textName(skillHash, ''));
}

function knownIn(runs: readonly RunSummary[]): readonly KnownAttempts[] {
  return runs.flatMap(({ known }) => known ?? []);
}

function knownTasks(
  tasks: readonly Pick<Task, 'id' | 'contentHash'>[],
  records: ReturnType<typeof attemptsUnder>,
): readonly TaskKnown[] {
  return tasks.map(({ id, contentHash }) => ({ id, record: records.get(contentHash) }));
}

/**
 * That a run which is about to begin can prove nothing, because the error budget of its held-out tasks pays for no
 * certification, and what settles it. Undefined where it does, or where the run asks for none. A run that goes on may
 * have paid already.
 */
async function emptyBudgetOf(
  { skill, tasks, options, resume }: Pick<RunStart, 'skill' | 'tasks' | 'options' | 'resume'>,
  { heldOut, simulated }: { readonly heldOut: readonly HeldOutTask[]; readonly simulated: boolean },
): Promise<string | undefined> {
  if (!certifies(options, heldOut)) return undefined;
  const split = { ...tasks.result.split, heldOut };
  const budget = await budgetAhead(skill.store, { ...tasks.result, split }, { simulated });
  if (canCertify(budget) || (await hasPaid(skill.store, resume?.runId))) return undefined;
  const { spentBy } = await namesOfSkills(skill.store, budget);
  return emptyBudgetAhead(spentBudget(budget, heldOut.length, spentBy), english);
}

async function hasPaid(store: RunStart['skill']['store'], run: string | undefined): Promise<boolean> {
  if (run === undefined) return false;
  const reading = await skillCertifications(store).read();
  return reading.kind === 'verified' && reading.body.begun.some((each) => each.run === run);
}
