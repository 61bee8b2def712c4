import type * as z from 'zod';
import { prepareCheck } from '../../checks/registry.js';
import { resolveOptions, type RunOptions } from '../../engine/runOptions.js';
import { UserError } from '../../errors.js';
import { mostTokens } from '../../models/tokens.js';
import type { LanguageModel, ModelReply } from '../../ports/languageModel.js';
import type { SpendCap } from '../../ports/spend.js';
import { answerRoom, roomRequest, type AnswerRoom } from '../../prompts/answerRoom.js';
import { askForReply, type FormRequest } from '../../prompts/replies/askForReply.js';
import {
  DraftedTask,
  draftForAgents,
  draftTasksPrompt,
  draftTasksReply,
  draftTasksReplySchema,
} from '../../prompts/tasks/draftTasks.js';
import { parseReply, type ParsedReply } from '../../prompts/replies/parseReply.js';
import { fence, renderPrompt } from '../../prompts/renderPrompt.js';
import { countTokens } from '../../skill/document/countTokens.js';
import { openReplies } from '../../storage/runs/replies.js';
import { newRunId } from '../../storage/runs/runFolder.js';
import { openLedger } from '../../storage/spend/spendLedger.js';
import { agentOf, makeTask, type TaskSource } from '../../tasks/makeTask.js';
import { checkSpecOf } from '../../tasks/readers/whetstoneFile.js';
import type { Task } from '../../tasks/task.js';
import { lookTwice, uncalledWords } from '../../tasks/uncalledWords.js';
import { refuseUnreachable } from '../models/reachModels.js';
import { smallRoles } from '../models/smallRoles.js';
import { redactorFor, runModels, type RoleModels } from '../models/runModels.js';
import { statedPrices } from '../models/serverCosts.js';
import type { OpenSkill } from '../openSkill.js';
import { promptOverridesOf, showNewPrompts } from '../promptOverrides.js';
import { ofRole } from '../runs/bound/callBound.js';
import { sizeOf } from '../runs/bound/runSize.js';
import { toldSizeOf, type ToldSize } from '../runs/bound/toldSize.js';
import type { World } from '../world.js';
import { readSkillTasks, type SkillTasks } from './skillTasks.js';
import { addDrafts, refuseLinkedTasks } from './taskFiles.js';

/** What drafts a person wants. */
export interface DraftWish {
  readonly count: number;
  readonly trusted: boolean;
  /** What drafting may take at most, beside the caps of the day and the month. */
  readonly caps?: SpendCap | undefined;
}

const usualDrafts = 12_000; // tokens
const mostKnownShown = 40;

/** Lets the optimizer model draft tasks with checks. They arrive as drafts and count for nothing until confirmed. */
export async function draftTasks(
  world: World,
  skill: OpenSkill,
  wish: DraftWish,
  signal: AbortSignal,
): Promise<readonly string[]> {
  await refuseLinkedTasks(skill);
  await showNewPrompts(world, skill, signal);
  const reply = await ask(world, skill, wish, signal);
  if (reply.kind === 'malformed') {
    throw new UserError(
      'model-failed',
      `The model’s reply holds no tasks: ${reply.reason}.`,
      'Try again, or choose another optimizer model.',
    );
  }
  const like = agentTaskAmong(await readSkillTasks(skill));
  const read = reply.value.tasks.flatMap((draft) => readDraft(draft, like)).slice(0, wish.count);
  const isWeak = smallRoles(await world.models(signal)).includes('optimizer');
  const drafts = isWeak ? read.map((draft) => markedDraft(draft, skill.text)) : read;
  if (drafts.length === 0)
    throw new UserError(
      'model-failed',
      'The model drafted no task that could be failed.',
      'Try again, or write tasks by hand.',
    );
  return addDrafts(skill, drafts);
}

/** One question, and a second one with more room where its reply was cut. Known before it is asked. */
export async function draftSizeOf(
  world: World,
  skill: OpenSkill,
  wish: DraftWish,
  signal: AbortSignal,
): Promise<ToldSize> {
  await refuseLinkedTasks(skill);
  await showNewPrompts(world, skill, signal);
  return sizeOfQuestion(world, skill, await questionOf(skill, wish), await world.models(signal));
}

const usualDraft = 160; // tokens
const frame = 500; // tokens around what is said: the form of the reply, the server's own words

async function sizeOfQuestion(
  world: World,
  skill: OpenSkill,
  { content, options, count }: DraftQuestion,
  models: RoleModels,
): Promise<ToldSize> {
  const room = roomFor(models.optimizer, options);
  const once = { calls: 1, inputTokens: countTokens(content) + frame, outputTokens: count * usualDraft };
  const asks = room.second === room.first ? 1 : 2;
  const most = {
    calls: asks,
    inputTokens: asks * (mostTokens(content) + frame),
    outputTokens: asks === 1 ? room.first : room.first + room.second,
  };
  const bound = ofRole('optimizer', { least: once, usual: once, most });
  const whole = sizeOf(bound, models, await statedPrices(world));
  return toldSizeOf({ world, skill, options, ownCaps: options.caps }, models, { whole }); // no file says any
}

interface DraftQuestion {
  readonly content: string;
  readonly count: number;
  readonly options: RunOptions;
  /** Asked anew once there are more tasks. */
  readonly attempt: number;
}

async function questionOf(skill: OpenSkill, { count, caps = {} }: DraftWish): Promise<DraftQuestion> {
  const tasks = await readSkillTasks(skill);
  const known = tasks === undefined ? [] : shownTasks(tasks);
  return {
    content: await promptOf(skill, known, count),
    count,
    options: resolveOptions('standard', [{ caps }]),
    attempt: (tasks?.read.tasks.length ?? 0) + 1,
  };
}

function roomFor({ identity }: Pick<LanguageModel, 'identity'>, options: RunOptions): AnswerRoom {
  return answerRoom({ role: 'optimizer', identity, usual: usualDrafts }, options);
}

async function ask(world: World, skill: OpenSkill, wish: DraftWish, signal: AbortSignal): Promise<Drafts> {
  const question = await questionOf(skill, wish);
  const { options } = question;
  const ledger = openLedger(skill.store);
  const replies = openReplies(skill.store);
  try {
    const models = await world.models(signal);
    const { callCap, caps } = await sizeOfQuestion(world, skill, question, models);
    const parts = {
      world,
      replies,
      ledger,
      redactor: await redactorFor(world, skill.store),
      documents: [],
      runId: newRunId(world.clock.now()),
      options,
      callCap,
      prices: await statedPrices(world),
      record: () => undefined,
    };
    await refuseUnreachable(models, { world, attended: true }, signal);
    for (const line of caps) world.tell(line);
    const { optimizer } = runModels(models, parts);
    const drafted = await draftsFrom(optimizer, { ...question, room: roomFor(optimizer, options) }, signal);
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
    const request: FormRequest = {
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
  const words =
    known.length === 0
      ? undefined
      : {
          words: [
            `# Tasks that exist already\n\n${fence('known', prompts)}`,
            ...(known.some(isForAgents) ? [draftForAgents] : []),
          ].join('\n\n'),
        };
  const given = { budget: count, skill: skill.text, known: words };
  return renderPrompt(draftTasksPrompt, given, await promptOverridesOf(skill));
}

function isForAgents({ environment }: Task): boolean {
  return environment === 'agent';
}

/** The task that drafts are like, where an agent works on those that the optimizer was shown. */
function agentTaskAmong(tasks: SkillTasks | undefined): Task | undefined {
  return tasks === undefined ? undefined : shownTasks(tasks).findLast(isForAgents);
}

/** What the optimizer may see: it wrote the drafts, and learns from training tasks. The others stay proof. */
function shownTasks({ read, result }: SkillTasks): readonly Task[] {
  return [...result.split.training, ...read.tasks.filter((task) => task.draft)];
}

/** Of a small model: one that asks for what nothing calls for is marked, and never confirmed with others. */
function markedDraft(draft: TaskSource, skill: string): TaskSource {
  const { prompt, checks = [], expectations = [], tags = [] } = draft;
  const isDoubtful = uncalledWords({ prompt, checks, expectations }, skill).length > 0;
  return isDoubtful ? { ...draft, tags: [...tags, lookTwice] } : draft;
}

/** A draft with only the checks that are sound; one that nothing could fail is dropped. */
function readDraft(value: unknown, like: Task | undefined): readonly TaskSource[] {
  const parsed = DraftedTask.safeParse(value);
  if (!parsed.success) return [];
  const { id, prompt, expectations, tags } = parsed.data;
  const where = like === undefined ? {} : { environment: like.environment, ...agentOf(like) };
  const task = makeTask({ id, prompt, ...where });
  const checks = parsed.data.checks
    .map((entry) => checkSpecOf(entry))
    .filter((spec) => prepareCheck(spec, task).kind === 'prepared');
  return checks.length + expectations.length === 0 ? [] : [{ id, prompt, expectations, checks, tags, ...where }];
}
