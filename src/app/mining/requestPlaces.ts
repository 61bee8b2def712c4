import path from 'node:path';
import { concurrently } from '../../engine/concurrently.js';
import { isInside } from '../../isInside.js';
import { knownCommit, type KnownCommit } from '../../storage/programs/workplace/exportCommit.js';
import type { World } from '../world.js';
import type { AssignedRequest, NotReplayable } from './assignedRequest.js';

type Fixture = AssignedRequest['fixture'];

/** A request with what it is attempted in, or with why it cannot be attempted. */
export interface PlacedRequest<Found> {
  readonly each: Found;
  /** Undefined where the request needs no files. */
  readonly place: Fixture | NotReplayable['why'];
}

const mostGits = 4; // at a time: a month of sessions names hundreds of commits

/** What needs no files is attempted as it is; what does, in its repository as it was. Each commit is asked for once. */
export function withPlaces<Found extends Pick<AssignedRequest, 'request' | 'skill'>>(
  requests: readonly Found[],
  world: Pick<World, 'environment'>,
  signal: AbortSignal,
): Promise<readonly PlacedRequest<Found>[]> {
  const known = commitsOf(world, signal);
  return concurrently(requests, mostGits, async (each) => ({ each, place: await placeOf(each, known) }));
}

type AskCommit = (repository: string, commit: string, root: string) => Promise<KnownCommit>;

function commitsOf({ environment }: Pick<World, 'environment'>, signal: AbortSignal): AskCommit {
  const asked = new Map<string, Promise<KnownCommit>>();
  return (repository, commit, root) => {
    const key = JSON.stringify([repository, commit, root]);
    const answer = asked.get(key) ?? knownCommit({ repository, commit, environment, workspace: [root] }, signal);
    asked.set(key, answer);
    return answer;
  };
}

async function placeOf(
  { request, skill }: Pick<AssignedRequest, 'request' | 'skill'>,
  known: AskCommit,
): Promise<Fixture | NotReplayable['why']> {
  if (request.files === undefined) return undefined;
  const { git, realFolder } = request.session;
  if (git.commit === undefined) return 'no-commit';
  const root = skill.places.root ?? skill.folder;
  const found = await known(realFolder, git.commit, root);
  if (found.kind !== 'known') return found.kind;
  // What a run hands to an agent: a repository of the workspace, or the one that the skill lies in.
  if (!isInside(root, found.repository) && !isInside(found.repository, skill.folder)) return 'elsewhere';
  const repository = path.relative(skill.folder, found.repository).split(path.sep).join('/');
  return { repository: repository === '' ? '.' : repository, commit: found.commit };
}
