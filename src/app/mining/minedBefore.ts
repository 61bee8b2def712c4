import { canonicalJson, sha256 } from '../../hash.js';
import { parseSkill } from '../../skill/document/skillDocument.js';
import { emptySessionsOf, type EmptySessions } from '../../storage/harvest/emptySessions.js';
import { harvestedDraftsOf } from '../../storage/harvest/harvestedDrafts.js';
import { makeTask, type TaskSource } from '../../tasks/makeTask.js';
import { sameTextKey } from '../../tasks/split/nearDuplicates.js';
import type { OpenSkill } from '../openSkill.js';
import { waitingDrafts } from '../tasks/waitingDrafts.js';
import { readSkillTasks } from '../tasks/skillTasks.js';
import type { AssignedRequest } from './assignedRequest.js';

/** What was mined for a skill before: none of it is asked about, or drafted, again. */
export interface MinedBefore {
  /** Drafts out of sessions that wait for the person. */
  readonly waiting: number;
  /** Whether the request, or all that its session holds for the skill, was mined, whatever came of it. */
  readonly isMined: (request: PlaceInSession) => boolean;
  /** Whether a task or a draft has these words, or one that was confirmed or turned down had them. */
  readonly isKnown: (task: TaskSource) => boolean;
}

/** A request by its session and its place in it. */
export interface PlaceInSession {
  readonly session: { readonly mark: string };
  readonly index: number;
}

/** Stands for one request of a session, where not all that the session holds for a skill was mined at once. */
function markOfRequest({ session, index }: PlaceInSession): string {
  return `${session.mark}#${index}`;
}

/** The sessions that gave nothing for the skill as agents are told of it now. */
export function emptyFor({ store, name, text }: OpenSkill): EmptySessions {
  const description = parseSkill(text).frontMatter?.description ?? '';
  return emptySessionsOf(store, sha256(canonicalJson([name, description])));
}

/** Why a night need not look at a session again for the skill: it was mined for it as a whole, or gave nothing. */
export async function doneFor(
  skill: OpenSkill,
): Promise<(session: { readonly mark: string }) => 'mined' | 'empty' | undefined> {
  const [mined, empty] = await Promise.all([harvestedDraftsOf(skill.store).mined(), emptyFor(skill).all()]);
  return ({ mark }) => (mined.has(mark) ? 'mined' : empty.has(mark) ? 'empty' : undefined);
}

export async function minedBefore(skill: OpenSkill): Promise<MinedBefore> {
  const drafts = harvestedDraftsOf(skill.store);
  const [marks, settled, all] = [await drafts.mined(), await drafts.settled(), await drafts.all()];
  const read = (await readSkillTasks(skill))?.read;
  const there = [...(read?.tasks ?? []), ...(read?.broken ?? []).map(({ task }) => task)];
  const known = new Set([...settled, ...[...there, ...all.map(({ task }) => makeTask(task))].map(sameTextKey)]);
  return {
    waiting: (await waitingDrafts(skill, there)).length,
    isMined: (request) => marks.has(request.session.mark) || marks.has(markOfRequest(request)),
    isKnown: (task) => known.has(sameTextKey(makeTask(task))),
  };
}

/** What is not asked about again for a skill: a session whose requests for it were all shown, else those requests alone. */
export function minedNow(
  {
    assigned,
    later,
  }: {
    readonly assigned: readonly AssignedRequest[];
    readonly later: readonly Pick<AssignedRequest, 'request' | 'skill'>[];
  },
  shown: readonly AssignedRequest[],
): ReadonlyMap<OpenSkill, readonly string[]> {
  const wasShown = new Set<Pick<AssignedRequest, 'request' | 'skill'>>(shown);
  const left = [...assigned, ...later].filter((each) => !wasShown.has(each));
  const marks = new Map<OpenSkill, Set<string>>();
  for (const { skill, request } of shown) {
    const isWhole = !left.some((other) => other.skill === skill && other.request.session === request.session);
    const mark = isWhole ? request.session.mark : markOfRequest(request);
    marks.set(skill, (marks.get(skill) ?? new Set()).add(mark));
  }
  return new Map([...marks].map(([skill, each]) => [skill, [...each]]));
}
