import type { WhyRefused } from '../../harvest/mine/grounded.js';
import { harvestedDraftsOf, type HarvestedDraft } from '../../storage/harvest/harvestedDrafts.js';
import { markSeen } from '../../storage/harvest/seenSessions.js';
import type { PreviewedRequest } from '../models/previewRequests.js';
import { previewText } from '../models/previewText.js';
import type { OpenSkill } from '../openSkill.js';
import { showNewPrompts } from '../promptOverrides.js';
import { refuseUntrusted } from '../runs/runStart.js';
import type { ToldSize } from '../runs/bound/toldSize.js';
import { userStore, type World } from '../world.js';
import { forbidSending, refuseUnlessSendable, sendingAllowed, type SendingConsents } from './allowsSending.js';
import type { AssignedRequest } from './assignedRequest.js';
import { askMiner, minerPlace, minerQuestions, minerSize, previewMiner, type MinerAnswer } from './askMiner.js';
import { byModel, byRules, draftsByRules, sessionsIn, type SkillDraft } from './madeDrafts.js';
import { emptyFor, minedBefore, minedNow } from './minedBefore.js';
import { miningPlan, type MineWish, type MiningPlan } from './miningPlan.js';

/** What came of mining. */
export interface MiningResult extends Pick<
  MiningPlan,
  | 'suggestions'
  | 'notReplayable'
  | 'unplaced'
  | 'emptied'
  | 'minedBefore'
  | 'waiting'
  | 'waitingFor'
  | 'copies'
  | 'unreadable'
> {
  readonly skills: readonly MinedSkill[];
  /** Proposals of the model that do not stand on what the person said, by why. */
  readonly refused: Readonly<Partial<Record<WhyRefused | 'malformed', number>>>;
  /** Criteria of tasks that were taken which do not. */
  readonly dropped: number;
  /** Drafts that rules made where a model was asked and its reply held nothing for them. */
  readonly madeByRules: number;
  /** Sessions that a model was asked about, those for which that failed or a cap was reached, and those over the limit. */
  readonly asked: number;
  readonly failed: readonly { readonly source: string; readonly reason: string }[];
  readonly notAsked: number;
  /** Sessions that hold more requests than a model is shown at once: the others are left for another time. */
  readonly partlyShown: number;
  /** Drafts that waited longest, and gave way to these: no more wait for a skill than a person reviews. */
  readonly pushedOut: number;
  /** Marks of the sessions that something was made of, or that a model was shown and found nothing in. */
  readonly used: readonly string[];
}

export interface MinedSkill {
  readonly skillPath: string;
  readonly name: string;
  /** Those that wait now; of a dry run those that would. */
  readonly drafts: readonly HarvestedDraft[];
}

/** What mining would do, send and cost. Nothing of it is done. */
export interface MiningPreview extends Pick<
  MiningResult,
  | 'suggestions'
  | 'notReplayable'
  | 'unplaced'
  | 'emptied'
  | 'notAsked'
  | 'partlyShown'
  | 'minedBefore'
  | 'waiting'
  | 'waitingFor'
  | 'copies'
  | 'unreadable'
> {
  /** Without a model; with one it finds its own. */
  readonly skills: readonly MinedSkill[];
  readonly requests: readonly PreviewedRequest[];
  /** The same to be read. */
  readonly text: string;
  readonly size: ToldSize | undefined;
}

/** What a person does with their sessions. */
export interface MiningUseCases {
  /** What mining would find without a model, send to one, and cost. Asks no model and writes no draft. */
  previewMining(wish: MineWish, signal: AbortSignal): Promise<MiningPreview>;
  /** Asks whether words of so many sessions may be sent to the optimizer, and throws without a yes. Asks no model. */
  agreeToSend(sessions: number, signal: AbortSignal): Promise<void>;
  /** Makes drafts of what was asked; they wait in the person's state and count for nothing until confirmed. */
  mineSessions(wish: MineWish, signal: AbortSignal): Promise<MiningResult>;
  /** To how many models the person said that words of their sessions may be sent, and by the nights of how many places. */
  sendingAllowed(): Promise<SendingConsents>;
  /** Takes that back, for all of them: each is asked about again. Gives what it was. */
  forbidSending(signal: AbortSignal): Promise<SendingConsents>;
}

/** Wired to the skills that a wish names, and to the optimizer model. */
export function createMiningUseCases(world: World): MiningUseCases {
  return {
    async previewMining(wish, signal) {
      refuseUntrusted(wish);
      return previewMining(world, wish, signal);
    },
    agreeToSend: (sessions, signal) => refuseUnlessSendable(world, sessions, signal),
    async mineSessions(wish, signal) {
      refuseUntrusted(wish);
      return mineSessions(world, wish, signal);
    },
    sendingAllowed: () => sendingAllowed(world),
    forbidSending: (signal) => forbidSending(world, signal),
  };
}

export async function previewMining(world: World, wish: MineWish, signal: AbortSignal): Promise<MiningPreview> {
  const plan = await miningPlan(world, wish, 'look', signal);
  const { assigned: _, later: _later, empty: _marks, ...told } = plan;
  const [first] = plan.assigned;
  if (wish.by === 'rules' || first === undefined) {
    const skills = await skillsOf(plan.assigned, world);
    return { ...told, skills, notAsked: 0, partlyShown: 0, requests: [], text: '', size: undefined };
  }
  const questions = await minerQuestions(plan, first.skill, wish.mostSessions);
  const shown = questions.flatMap((question) => question.requests);
  const place = await minerPlace(world, first.skill, wish);
  const requests = await previewMiner(place, questions, signal);
  return {
    ...told,
    skills: await skillsOf(shown, world),
    notAsked: sessionsIn(plan).size - questions.length,
    partlyShown: questions.filter(({ left }) => left > 0).length,
    requests,
    text: previewText(requests),
    size: await minerSize(place, questions, await world.models(signal)),
  };
}

/** What is drafted of requests where nothing of it is lost; a model is shown no others. */
function skillsOf(requests: readonly AssignedRequest[], world: World): Promise<MiningPreview['skills']> {
  const drafts = bySkill(draftsByRules(requests, world));
  return Promise.all(drafts.map(async ([skill, found]) => minedSkill(skill, await unknownOf(skill, found))));
}

export async function mineSessions(world: World, wish: MineWish, signal: AbortSignal): Promise<MiningResult> {
  const plan = await miningPlan(world, wish, 'work', signal);
  const [first] = plan.assigned;
  const made =
    wish.by === 'rules' || first === undefined
      ? byRules(plan, world)
      : byModel(await askedMiner(world, { plan, wish, skill: first.skill }, signal), plan, world);
  const waiting = await Promise.all(
    bySkill(made.drafts).map(async ([skill, drafts]) => {
      const { added, pushedOut } = await harvestedDraftsOf(skill.store).add(await unknownOf(skill, drafts), signal);
      return { mined: minedSkill(skill, added), pushedOut };
    }),
  );
  for (const [skill, marks] of minedNow(plan, made.shown)) await harvestedDraftsOf(skill.store).addMined(marks, signal);
  for (const [skill, marks] of plan.empty) await emptyFor(skill).add(marks, signal);
  await markSeen(await userStore(world), made.used, signal);
  const { drafts: _, shown: _shown, ...told } = made;
  const { assigned: _requests, later: _later, empty: _marks, ...found } = plan;
  const pushedOut = waiting.reduce((sum, each) => sum + each.pushedOut, 0);
  return { ...found, ...told, skills: waiting.map(({ mined }) => mined), pushedOut };
}

async function askedMiner(
  world: World,
  { plan, wish, skill }: { readonly plan: MiningPlan; readonly wish: MineWish; readonly skill: OpenSkill },
  signal: AbortSignal,
): Promise<readonly MinerAnswer[]> {
  await showNewPrompts(world, skill, signal);
  const questions = await minerQuestions(plan, skill, wish.mostSessions);
  await refuseUnlessSendable(world, questions.length, signal);
  const place = await minerPlace(world, skill, wish);
  wish.asking?.(questions.length);
  return askMiner(place, questions, signal);
}

function bySkill(drafts: readonly SkillDraft[]): readonly (readonly [OpenSkill, readonly HarvestedDraft[]])[] {
  const skills = new Map<OpenSkill, HarvestedDraft[]>();
  for (const { skill, draft } of drafts) skills.set(skill, [...(skills.get(skill) ?? []), draft]);
  return [...skills];
}

/** Without those whose words a task or a draft of the skill has already, or that were turned down; of equal ones the first. */
async function unknownOf(skill: OpenSkill, drafts: readonly HarvestedDraft[]): Promise<readonly HarvestedDraft[]> {
  const { isKnown } = await minedBefore(skill);
  const ids = new Set<string>();
  return drafts.filter(({ task }) => {
    const isFirst = !ids.has(task.id);
    ids.add(task.id);
    return isFirst && !isKnown(task);
  });
}

function minedSkill({ places, name }: OpenSkill, drafts: readonly HarvestedDraft[]): MinedSkill {
  return { skillPath: places.skillPath, name, drafts };
}
