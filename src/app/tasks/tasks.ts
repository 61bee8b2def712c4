import type * as z from 'zod';
import { prepareCheck } from '../../checks/registry.js';
import { UserError } from '../../errors.js';
import { resolveOptions } from '../../engine/runOptions.js';
import { DraftedTask, draftTasksPrompt, draftTasksReply, draftTasksReplySchema } from '../../prompts/draftTasks.js';
import { fence, renderPrompt } from '../../prompts/renderPrompt.js';
import type { LanguageModel, ModelReply, ModelRequest } from '../../ports/languageModel.js';
import { answerRoom, roomRequest, type AnswerRoom } from '../../prompts/answerRoom.js';
import { askForReply } from '../../prompts/askForReply.js';
import { parseReply, type ParsedReply } from '../../prompts/parseReply.js';
import { newRunId } from '../../storage/runs/runFolder.js';
import { openReplies } from '../../storage/runs/replies.js';
import { openLedger } from '../../storage/spend/spendLedger.js';
import { makeTask, type TaskSource } from '../../tasks/makeTask.js';
import type { Side, Task } from '../../tasks/task.js';
import { checkSpecOf } from '../../tasks/readers/whetstoneFile.js';
import { openSkill, type OpenSkill, type SkillRequest } from '../openSkill.js';
import { refuseUntrusted } from '../runs/runStart.js';
import { tasksIn, type TaskInText } from '../../tasks/readers/tasksIn.js';
import type { RemovedTask, TaskChange } from '../../tasks/writeTasks.js';
import { promptOverridesOf, showNewPrompts } from '../promptOverrides.js';
import { capLines } from '../models/modelNotes.js';
import { refuseUnreachable } from '../models/reachModels.js';
import { statedPrices } from '../models/serverCosts.js';
import { redactorFor, runModels } from '../models/runModels.js';
import { readSkillTasks, refuseTooFew, type SkillTasks } from './skillTasks.js';
import {
  addDrafts,
  changeTasks,
  importTasks,
  refuseLinkedTasks,
  removeTask,
  restoreTask,
  type ImportResult,
} from './taskFiles.js';
import type { ImportSource } from './readImport.js';
import { overviewOf } from '../results/overview.js';
import { openTexts } from '../../storage/files/contentStore.js';
import { moveTask } from './moveTask.js';
import { createSkill, descriptionProblem, nameProblem, type NewSkill } from './newSkill.js';
import { judgedBy, taskView, type TaskView } from './taskView.js';
import { userStore, type World } from '../world.js';

/** What a person does with the tasks of a skill. */
export interface TaskUseCases {
  /** Adds, edits, enables, disables, confirms or removes a task; everything else in the files stays as it is. */
  changeTasks(request: SkillRequest & { readonly change: TaskChange }, signal: AbortSignal): Promise<void>;
  /** Throws where a run would have nothing to learn from, or nothing to prove it on. Writes nothing. */
  refuseWithoutTasks(request: SkillRequest): Promise<void>;
  /** What an answer to the task is judged by, a sentence each. */
  judgedBy(task: Task): readonly string[];
  /** Everything that is shown of one task, with the answers that are kept of it. Asks no model. */
  showTask(request: SkillRequest & { readonly task: string }): Promise<TaskView>;
  /** Puts a task, and those that go along with it, on another side; gives their ids. Refused where it would spoil a proof. */
  moveTask(
    request: SkillRequest & { readonly task: string; readonly side: Side },
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  /** Deletes a task; what it gives back brings it back. */
  removeTask(request: SkillRequest & { readonly task: string }, signal: AbortSignal): Promise<RemovedTask>;
  restoreTask(request: SkillRequest & { readonly removed: RemovedTask }, signal: AbortSignal): Promise<void>;
  /** Writes a new skill with its first tasks, never over anything that is there; gives the path of its file. */
  createSkill(wanted: NewSkill, signal: AbortSignal): Promise<string>;
  /** Why a text cannot be the name or the description of a skill; undefined where it can. */
  nameProblem(name: string): string | undefined;
  descriptionProblem(description: string): string | undefined;
  /** Where the tasks stand in the text of a task file; empty while it cannot be read. */
  tasksIn(text: string): readonly TaskInText[];
  /** Brings in tasks of another tool; every field without an equal is reported. */
  importTasks(request: SkillRequest & { readonly source: ImportSource }, signal: AbortSignal): Promise<ImportResult>;
  /** Lets the optimizer model draft tasks; gives their ids. Drafts count for nothing until confirmed. */
  draftTasks(
    request: SkillRequest & { readonly count: number; readonly trusted: boolean },
    signal: AbortSignal,
  ): Promise<readonly string[]>;
}

/** Wired to the files beside the skill that a request names, and to the optimizer model. */
export function createTaskUseCases(world: World): TaskUseCases {
  const open = (request: SkillRequest): Promise<OpenSkill> => openSkill(world, request, 'work');
  return {
    changeTasks: async (request) => changeTasks(await open(request), request.change),
    async refuseWithoutTasks(request) {
      const skill = await openSkill(world, request, 'look');
      refuseTooFew(skill, await readSkillTasks(skill));
    },
    judgedBy,
    async showTask(request) {
      const skill = await openSkill(world, request, 'look');
      const texts = openTexts(await userStore(world, 'look'));
      return taskView(skill, await overviewOf(skill), { id: request.task, texts });
    },
    moveTask: async (request) => moveTask(await open(request), { id: request.task, side: request.side }),
    removeTask: async (request) => removeTask(await open(request), request.task),
    restoreTask: async (request) => restoreTask(await open(request), request.removed),
    tasksIn,
    createSkill: (wanted) => createSkill(world, wanted),
    nameProblem,
    descriptionProblem,
    importTasks: async (request) => importTasks(await open(request), request.source),
    async draftTasks(request, signal) {
      refuseUntrusted(request);
      return draftTasks(world, await open(request), request.count, signal);
    },
  };
}

const usualDrafts = 12_000; // tokens
const mostKnownShown = 40;

/** Lets the optimizer model draft tasks with checks. They arrive as drafts and count for nothing until confirmed. */
async function draftTasks(
  world: World,
  skill: OpenSkill,
  count: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  await refuseLinkedTasks(skill);
  await showNewPrompts(world, skill, signal);
  const reply = await ask(world, skill, count, signal);
  if (reply.kind === 'malformed') {
    throw new UserError(
      'model-failed',
      `The model’s reply holds no tasks: ${reply.reason}.`,
      'Try again, or choose another optimizer model.',
    );
  }
  const drafts = reply.value.tasks.flatMap(readDraft).slice(0, count);
  if (drafts.length === 0)
    throw new UserError(
      'model-failed',
      'The model drafted no task that could be failed.',
      'Try again, or write tasks by hand.',
    );
  return addDrafts(skill, drafts);
}

async function ask(world: World, skill: OpenSkill, count: number, signal: AbortSignal): Promise<Drafts> {
  const tasks = await readSkillTasks(skill);
  const known = tasks === undefined ? [] : shownTasks(tasks);
  const ledger = openLedger(skill.store);
  const replies = openReplies(skill.store);
  try {
    const prices = await statedPrices(world);
    const parts = {
      world,
      replies,
      ledger,
      redactor: await redactorFor(world, skill.store),
      documents: [],
      runId: newRunId(world.clock.now()),
      options: resolveOptions('standard', []),
      prices,
      record: () => undefined,
    };
    const models = await world.models(signal);
    await refuseUnreachable(models, { clock: world.clock, attended: true }, signal);
    for (const line of capLines(models, prices, Object.values(world.caps()))) world.tell(line);
    const { optimizer } = runModels(models, parts);
    const content = await promptOf(skill, known, count);
    const attempt = (tasks?.read.tasks.length ?? 0) + 1;
    const room = answerRoom({ role: 'optimizer', identity: optimizer.identity, usual: usualDrafts }, parts.options);
    const drafted = await draftsFrom(optimizer, { content, attempt, room }, signal);
    if (drafted.kind === 'parsed' && drafted.cut === true) world.tell(draftsCut);
    return drafted;
  } finally {
    await ledger.close();
  }
}

const draftsCut = 'The reply with the drafts was cut off: its last draft was dropped.';

type Drafts = ParsedReply<z.infer<typeof draftTasksReply>>;

/** Asks once more, with more room, where the reply was cut. Of one that is cut again, whole drafts count. */
async function draftsFrom(
  optimizer: LanguageModel,
  { content, attempt, room }: { readonly content: string; readonly attempt: number; readonly room: AnswerRoom },
  signal: AbortSignal,
): Promise<Drafts> {
  const askedWith = async (isSecond: boolean): Promise<Drafts> => {
    const request: ModelRequest = {
      role: 'optimizer',
      messages: [{ role: 'user', content }],
      ...roomRequest(room, isSecond),
      replySchema: draftTasksReplySchema,
      attempt,
    };
    return (await askForReply(optimizer, request, readDrafts, signal)).parsed;
  };
  const first = await askedWith(false);
  if (first.cut !== true || room.second === room.first) return first;
  const second = await askedWith(true);
  return second.kind === 'malformed' && first.kind === 'parsed' ? first : second;
}

function readDrafts(text: string, finish: ModelReply['finish']): Drafts {
  return parseReply(text, draftTasksReply, finish);
}

async function promptOf(skill: OpenSkill, known: readonly Task[], count: number): Promise<string> {
  const prompts = known
    .slice(-mostKnownShown)
    .map((task) => `- ${task.prompt.slice(0, 200)}`)
    .join('\n');
  const words = known.length === 0 ? undefined : { words: `# Tasks that exist already\n\n${fence('known', prompts)}` };
  const given = { budget: count, skill: skill.text, known: words };
  return renderPrompt(draftTasksPrompt, given, await promptOverridesOf(skill));
}

/** What the optimizer may see: it wrote the drafts, and learns from training tasks. The others stay proof. */
function shownTasks({ read, result }: SkillTasks): readonly Task[] {
  return [...result.split.training, ...read.tasks.filter((task) => task.draft)];
}

/** A draft with only the checks that are sound; one that nothing could fail is dropped. */
function readDraft(value: unknown): readonly TaskSource[] {
  const parsed = DraftedTask.safeParse(value);
  if (!parsed.success) return [];
  const { id, prompt, expectations, tags } = parsed.data;
  const task = makeTask({ id, prompt });
  const checks = parsed.data.checks
    .map((entry) => checkSpecOf(entry))
    .filter((spec) => prepareCheck(spec, task).kind === 'prepared');
  return checks.length + expectations.length === 0 ? [] : [{ id, prompt, expectations, checks, tags }];
}
