import { prepareCheck } from '../../checks/registry.js';
import type { HarvestedSession } from '../../harvest/harvested.js';
import {
  groundTask,
  type GroundingResult,
  type ProposedTask as Proposed,
  type WhyRefused,
} from '../../harvest/mine/grounded.js';
import { marksBeside, taskByRules, taskIdOf, type MinedTask } from '../../harvest/mine/minedTask.js';
import { sha256 } from '../../hash.js';
import { ProposedTask } from '../../prompts/tasks/mineSession.js';
import type { HarvestedDraft } from '../../storage/harvest/harvestedDrafts.js';
import { makeTask } from '../../tasks/makeTask.js';
import { checkSpecOf } from '../../tasks/readers/whetstoneFile.js';
import type { OpenSkill } from '../openSkill.js';
import type { World } from '../world.js';
import type { MinerAnswer, MinerQuestion } from './askMiner.js';
import type { MiningResult } from './mineSessions.js';
import type { AssignedRequest } from './assignedRequest.js';
import type { MiningPlan } from './miningPlan.js';

/** Drafts that were made of requests, before anybody looked which of them are known already. */
export interface DraftsOfRequests extends Omit<MiningResult, 'skills' | 'pushedOut' | keyof MiningPlan> {
  readonly drafts: readonly SkillDraft[];
  /** What they were made of, or could have been. */
  readonly shown: readonly AssignedRequest[];
}

export interface SkillDraft {
  readonly skill: OpenSkill;
  readonly draft: HarvestedDraft;
}

export function byRules(plan: MiningPlan, world: World): DraftsOfRequests {
  const used = [...sessionsIn(plan)].map(({ mark }) => mark);
  const nothing = { refused: {}, dropped: 0, madeByRules: 0, asked: 0, failed: [], notAsked: 0, partlyShown: 0 };
  return { ...nothing, drafts: draftsByRules(plan.assigned, world), shown: plan.assigned, used };
}

/** A session is gone through for its marks once, however much was asked in it. */
export function draftsByRules(
  requests: readonly AssignedRequest[],
  world: Pick<World, 'clock'>,
): readonly SkillDraft[] {
  const sessions = new Set(requests.map(({ request }) => request.session));
  const marks = new Map([...sessions].map((session) => [session, marksBeside(session)]));
  return requests.map((each) =>
    draftOf(each, taskByRules(each.request, marks.get(each.request.session) ?? []), { by: 'rules', world }),
  );
}

/** What stands on the person's words of what a model replied, and by rules what it lost. */
export function byModel(answers: readonly MinerAnswer[], plan: MiningPlan, world: World): DraftsOfRequests {
  const read = answers.flatMap((answer) => (answer.kind === 'read' ? [answer] : []));
  const found = read.map(({ question, tasks }) => ({
    question,
    grounded: tasks.map((task) => takenOf(task, question)),
  }));
  const grounded = found.flatMap((each) => each.grounded);
  const taken = grounded.flatMap((each) => (each.kind === 'task' ? [each] : []));
  const lost = draftsByRules(found.flatMap(lostBy), world);
  return {
    drafts: [...taken.map(({ of, task }) => draftOf(of, task, { by: 'model', world })), ...lost],
    refused: countOf(grounded.flatMap((each) => (each.kind === 'refused' ? [each.why] : []))),
    dropped: taken.reduce((sum, { dropped }) => sum + dropped, 0),
    madeByRules: lost.length,
    asked: answers.filter((answer) => answer.kind === 'read' || answer.wasAsked).length,
    failed: answers.flatMap((answer) =>
      answer.kind === 'failed' ? [{ source: answer.question.session.source, reason: answer.reason }] : [],
    ),
    notAsked: sessionsIn(plan).size - answers.length,
    partlyShown: read.filter(({ question }) => question.left > 0).length,
    shown: read.flatMap(({ question }) => question.requests),
    used: read.map(({ question }) => question.session.mark),
  };
}

type MinerProposal =
  | (Extract<GroundingResult, { readonly kind: 'task' }> & { readonly of: AssignedRequest })
  | { readonly kind: 'refused'; readonly why: WhyRefused | 'malformed' };

function takenOf(value: unknown, { requests, session }: MinerQuestion): MinerProposal {
  const proposed = proposedTask(value);
  if (proposed === undefined) return { kind: 'refused', why: 'malformed' };
  const shown = requests.map(({ request }) => request);
  const found = groundTask(proposed, shown, session);
  if (found.kind === 'refused') return found;
  const of = requests[proposed.request - 1];
  return of === undefined ? { kind: 'refused', why: 'no-such-request' } : { ...found, of };
}

/**
 * What a reply lost, which is not asked about again: all that was shown where nothing of it was taken, for a server that
 * replies with nothing or with what nobody asked must not use sessions up; else what was corrected and no task is of.
 */
function lostBy({
  question: { requests },
  grounded,
}: {
  readonly question: MinerQuestion;
  readonly grounded: readonly MinerProposal[];
}): readonly AssignedRequest[] {
  const made = new Set(grounded.flatMap((each) => (each.kind === 'task' ? [each.of] : [])));
  if (made.size === 0) return requests;
  return requests.filter((each) => !made.has(each) && each.request.corrections.length > 0);
}

/** With only the checks that are sound; which of them a miner may propose is decided by what they stand on. */
function proposedTask(value: unknown): Proposed | undefined {
  const parsed = ProposedTask.safeParse(value);
  if (!parsed.success) return undefined;
  const { request, prompt, expectations, checks } = parsed.data;
  const task = makeTask({ id: 'proposed', prompt });
  const sound = checks
    .slice(0, mostOffered)
    .map((entry) => checkSpecOf(entry))
    .filter((spec) => prepareCheck(spec, task).kind === 'prepared');
  return { request, prompt, expectations, checks: sound };
}

const mostOffered = 100; // checks of one task: nobody says so much of an answer

function countOf<Key extends string>(keys: readonly Key[]): Readonly<Partial<Record<Key, number>>> {
  const counts: Partial<Record<Key, number>> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

/** As it waits: without anything of the session but the request, and without its name. */
function draftOf(
  { request, skill, how, sessions, fixture }: AssignedRequest,
  { prompt, expectations, checks, marks }: MinedTask,
  { by, world }: { readonly by: HarvestedDraft['by']; readonly world: Pick<World, 'clock'> },
): SkillDraft {
  const { source, id: session } = request.session;
  const draft: HarvestedDraft = {
    task: {
      id: taskIdOf(prompt, skill.name),
      prompt,
      expectations,
      checks,
      tags: [],
      origin: `session ${sha256(`${source}\n${session}`).slice(0, 16)}`,
      ...(fixture === undefined
        ? { environment: 'chat' }
        : { environment: 'agent', agent: { fixture, mode: 'offered' } }),
    },
    source,
    ...(request.sources.length > 1 ? { sources: request.sources } : {}),
    askedAt: request.at,
    sessions,
    corrected: request.isCorrected,
    by,
    ...(by === 'model' ? { ground: 'every-word' } : {}),
    marks,
    skillBy: how,
    minedAt: world.clock.now(),
  };
  return { skill, draft };
}

/** The sessions of requests that belong to a skill. */
export function sessionsIn({ assigned }: Pick<MiningPlan, 'assigned'>): ReadonlySet<HarvestedSession> {
  return new Set(assigned.map(({ request }) => request.session));
}
