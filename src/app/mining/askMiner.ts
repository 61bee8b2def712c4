import type * as z from 'zod';
import { concurrently } from '../../engine/concurrently.js';
import { resolveOptions, type RunOptions } from '../../engine/runOptions.js';
import { isFatal, isWaiting, messageOf, ModelError } from '../../errors.js';
import type { HarvestedSession } from '../../harvest/harvested.js';
import { mostTokens } from '../../models/tokens.js';
import { redactRequest } from '../../models/wrappers/withRedaction.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { answerRoom, roomRequest, type AnswerRoom } from '../../prompts/answerRoom.js';
import { askForReply, type FormRequest } from '../../prompts/replies/askForReply.js';
import {
  mineSessionPrompt,
  mineSessionReply,
  mineSessionReplySchema,
  shownSession,
  type ShownRequest,
} from '../../prompts/tasks/mineSession.js';
import { parseReply, type ParsedReply } from '../../prompts/replies/parseReply.js';
import { renderPrompt } from '../../prompts/renderPrompt.js';
import { countTokens } from '../../skill/document/countTokens.js';
import { openReplies } from '../../storage/runs/replies.js';
import { newRunId } from '../../storage/runs/runFolder.js';
import { openLedger } from '../../storage/spend/spendLedger.js';
import type { PreviewedRequest } from '../models/previewRequests.js';
import { refuseUnreachable } from '../models/reachModels.js';
import { nameOf, redactorFor, runModels, type RoleModels } from '../models/runModels.js';
import { statedPrices } from '../models/serverCosts.js';
import type { OpenSkill } from '../openSkill.js';
import { promptOverridesOf } from '../promptOverrides.js';
import { ofRole } from '../runs/bound/callBound.js';
import { sizeOf } from '../runs/bound/runSize.js';
import { toldSizeOf, type ToldSize } from '../runs/bound/toldSize.js';
import { configLayersOf, workspaceConfigOf, type Layer } from '../runs/workspaceConfig.js';
import { sourceName } from '../../wording/harvest/draftWords.js';
import type { World } from '../world.js';
import { maySend } from './allowsSending.js';
import type { AssignedRequest } from './assignedRequest.js';
import type { MineWish, MiningPlan } from './miningPlan.js';

/** One session as a miner is asked about it. */
export interface MinerQuestion {
  readonly session: HarvestedSession;
  /** In the order in which the miner is shown them. */
  readonly requests: readonly AssignedRequest[];
  /** How many requests of the session are left for another time. */
  readonly left: number;
  readonly content: string;
}

/** What a miner said of a session. */
export type MinerAnswer =
  | { readonly kind: 'read'; readonly question: MinerQuestion; readonly tasks: readonly unknown[] }
  | {
      readonly kind: 'failed';
      readonly question: MinerQuestion;
      readonly reason: string;
      /** False where a cap let no call begin: nothing of the session was sent. */
      readonly wasAsked: boolean;
    };

/** Where a miner is asked from: the prompts and the state of a skill, and the caps of the person. */
export interface MinerPlace {
  readonly world: World;
  readonly skill: OpenSkill;
  readonly options: RunOptions;
  /** What its calls are booked under. */
  readonly runId: string;
}

export const mostTasksOfSession = 3;
const mostShown = 8; // requests of one session
const longestAsked = 2_000; // characters
const longestAnswer = 400;
const usualReply = 4_000; // tokens
const usualTask = 160;
const frame = 500; // tokens around what is said: the form of the reply, the server's own words

export async function minerPlace(
  world: World,
  skill: OpenSkill,
  wish: Pick<MineWish, 'caps' | 'runId'>,
): Promise<MinerPlace> {
  const { caps = {}, runId = newRunId(world.clock.now()) } = wish;
  const { everywhere, here } = configLayersOf(await workspaceConfigOf(skill), skill);
  return { world, skill, options: resolveOptions('standard', [...[everywhere, here].map(patience), { caps }]), runId };
}

/** How long a call may take is said once, for runs and for this. */
function patience({ timeouts }: Layer): Layer {
  return timeouts === undefined ? {} : { timeouts };
}

/** A question for each session that holds something for a skill; those with what came up most often first. */
export async function minerQuestions(
  { assigned }: Pick<MiningPlan, 'assigned'>,
  skill: OpenSkill,
  mostSessions: number,
): Promise<readonly MinerQuestion[]> {
  const overrides = await promptOverridesOf(skill);
  const sessions = new Map<HarvestedSession, AssignedRequest[]>();
  for (const each of assigned) {
    const { session } = each.request;
    sessions.set(session, [...(sessions.get(session) ?? []), each]);
  }
  return [...sessions].slice(0, mostSessions).map(([session, found]) => {
    const requests = firstShown(found);
    const given = { budget: mostTasksOfSession, session: shownSession(requests.map(shownRequest)) };
    const left = found.length - requests.length;
    return { session, requests, left, content: renderPrompt(mineSessionPrompt, given, overrides) };
  });
}

/** What was corrected tells most. Then those that came first, in the order in which they were made. */
function firstShown(found: readonly AssignedRequest[]): readonly AssignedRequest[] {
  const inOrder = found.toSorted((a, b) => a.request.index - b.request.index);
  const first = [...inOrder.filter(isCorrected), ...inOrder.filter((each) => !isCorrected(each))].slice(0, mostShown);
  return inOrder.filter((each) => first.includes(each));
}

function isCorrected({ request }: AssignedRequest): boolean {
  return request.corrections.length > 0;
}

function shownRequest({ request }: AssignedRequest): ShownRequest {
  const { session, index, asked, corrections } = request;
  return {
    asked: asked.slice(0, longestAsked),
    answer: (session.exchanges[index]?.answer ?? '').slice(0, longestAnswer),
    remarks: corrections,
  };
}

/** One question a session, and a second one with more room where its reply was cut. */
export async function minerSize(
  place: MinerPlace,
  questions: readonly MinerQuestion[],
  models: RoleModels,
): Promise<ToldSize> {
  const { world, skill, options } = place;
  const room = roomFor(models.optimizer, options);
  const asks = room.second === room.first ? 1 : 2;
  const sum = (of: (content: string) => number): number =>
    questions.reduce((all, { content }) => all + of(content) + frame, 0);
  const once = {
    calls: questions.length,
    inputTokens: sum(countTokens),
    outputTokens: questions.length * usualTask,
  };
  const most = {
    calls: asks * questions.length,
    inputTokens: asks * sum(mostTokens),
    outputTokens: questions.length * (asks === 1 ? room.first : room.first + room.second),
  };
  const whole = sizeOf(ofRole('optimizer', { least: once, usual: once, most }), models, await statedPrices(world));
  const told = await toldSizeOf({ world, skill, options, ownCaps: options.caps }, models, { whole });
  return { ...told, repeatsHeld: true }; // no more calls are made, see askMiner
}

/** Exactly what would be sent to whom, without its secrets. Asks nobody. */
export async function previewMiner(
  { world, skill, options }: MinerPlace,
  questions: readonly MinerQuestion[],
  signal: AbortSignal,
): Promise<readonly PreviewedRequest[]> {
  const { optimizer } = await world.models(signal);
  const redactor = await redactorFor(world, skill.store);
  return questions.map(({ content, session }) => {
    const request = requestOf(content, roomFor(optimizer, options), false);
    const clean = redactRequest(request, redactor);
    const { role, attempt: _, ...plain } = clean;
    const wire = optimizer.wire?.(clean);
    return {
      role,
      about: `a session with ${sourceName(session.source)}`,
      model: nameOf(optimizer),
      url: wire?.url,
      body: wire?.body ?? plain,
      redacted: redactor.redact(content).found.map(({ kind }) => kind),
    };
  });
}

/** Asks about every session. One that fails costs no other; a cap ends the asking, and what was found until then counts. */
export async function askMiner(
  place: MinerPlace,
  questions: readonly MinerQuestion[],
  signal: AbortSignal,
): Promise<readonly MinerAnswer[]> {
  const { world, skill, options, runId } = place;
  const ledger = openLedger(skill.store);
  try {
    const models = await world.models(signal);
    const { calls, caps } = await minerSize(place, questions, models);
    await refuseUnreachable(models, { world, attended: world.interactive === true }, signal);
    for (const line of caps) world.tell(line);
    const { optimizer } = runModels(models, {
      world,
      replies: openReplies(skill.store),
      ledger,
      redactor: await redactorFor(world, skill.store),
      documents: [],
      runId,
      options,
      callCap: calls.high, // the bound that was told holds, whatever the server does
      prices: await statedPrices(world),
      record: () => undefined,
    });
    const room = roomFor(optimizer, options);
    return await concurrently(questions, options.concurrency, async (question) =>
      (await maySend(world, models.optimizer))
        ? await answered(optimizer, question, room, signal)
        : { kind: 'failed', question, reason: takenBack, wasAsked: false },
    );
  } finally {
    await ledger.close();
  }
}

/** Said by another window or terminal meanwhile: what is asked already cannot be called back. */
const takenBack = 'You took back meanwhile that words of your sessions may be sent.';

async function answered(
  optimizer: LanguageModel,
  question: MinerQuestion,
  room: AnswerRoom,
  signal: AbortSignal,
): Promise<MinerAnswer> {
  try {
    const reply = await tasksFrom(optimizer, question.content, room, signal);
    if (reply.kind === 'malformed') return { kind: 'failed', question, reason: reply.reason, wasAsked: true };
    return { kind: 'read', question, tasks: reply.value.tasks.slice(0, mostTasksOfSession) };
  } catch (error) {
    const isPassed = error instanceof ModelError && (error.kind === 'cap' || !isFatal(error.kind));
    if (signal.aborted || isWaiting(error) || !isPassed) throw error;
    const wasAsked = error.kind !== 'cap' || error.cause instanceof ModelError;
    return { kind: 'failed', question, reason: whyOf(error), wasAsked };
  }
}

/** A cap that was reached by asking again says little: what failed before comes first. */
function whyOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return [...(cause instanceof ModelError ? [cause.message] : []), messageOf(error)].join(' ');
}

type Reply = ParsedReply<z.infer<typeof mineSessionReply>>;

async function tasksFrom(
  optimizer: LanguageModel,
  content: string,
  room: AnswerRoom,
  signal: AbortSignal,
): Promise<Reply> {
  const askedWith = async (isSecond: boolean): Promise<Reply> => {
    const request = requestOf(content, room, isSecond);
    const asked = await askForReply(
      optimizer,
      request,
      (text, finish) => parseReply(text, mineSessionReply, finish),
      signal,
    );
    return asked.parsed;
  };
  const first = await askedWith(false);
  if (first.cut !== true || room.second === room.first) return first;
  const second = await askedWith(true).catch((error: unknown) => {
    if (error instanceof ModelError && error.kind === 'cap') return first; // what was answered counts
    throw error;
  });
  return second.kind === 'malformed' && first.kind === 'parsed' ? first : second;
}

function requestOf(content: string, room: AnswerRoom, isSecond: boolean): FormRequest {
  return {
    role: 'optimizer',
    messages: [{ role: 'user', content }],
    ...roomRequest(room, isSecond),
    replySchema: mineSessionReplySchema,
    attempt: 1,
  };
}

function roomFor({ identity }: Pick<LanguageModel, 'identity'>, options: RunOptions): AnswerRoom {
  return answerRoom({ role: 'optimizer', identity, usual: usualReply }, options);
}
