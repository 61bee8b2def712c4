import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import { unlessMissing } from '../files/fileErrors.js';
import { sha256 } from '../../hash.js';
import { isKnown, type KnownList, namesOf, rememberSkill, type SkillSighting } from './knownSkills.js';
import { makeUserState, type Surroundings, userStateFolder } from './userState.js';
import { refuseLinkOut } from './linkedSkill.js';
import { findRoot, type RootRequest } from './workspaceRoot.js';
import { chooseWorkspaceState, type WorkspaceStateChoice } from './workspaceState.js';

/** A skill, and what the face knows about where it was opened. */
export interface PlacesRequest extends Surroundings, Omit<RootRequest, 'skillPath'> {
  /** The skill file, as the person named it: links are followed. */
  readonly skillPath: string;
  /** `look` writes nothing at all, `work` (the default) makes the folders and tests that they can hold state. */
  readonly purpose?: 'look' | 'work';
  /** `known`: the file may be gone where a skill is remembered at its path. Its folder may be gone with it. */
  readonly missing?: 'refused' | 'known';
  /** The skills that are remembered, where many are looked at together; read for this one alone by default. */
  readonly known?: KnownList | undefined;
  /** Why a folder cannot hold state; the real test by default. */
  readonly faultOf?: WorkspaceStateChoice['faultOf'];
}

/** Where everything of one skill lies. All paths are real and absolute. */
export interface Places {
  readonly userState: string;
  /** `.whetstone` of the root, or a folder in user state that stands in for it. */
  readonly workspaceState: string;
  /** Where `split.json`, `prompts/` and `config.yaml` are read: the root's `.whetstone`, even where it is read-only. */
  readonly sharedState: string;
  readonly storedIn: 'workspace' | 'user';
  /** Undefined for a skill outside every root. */
  readonly root: string | undefined;
  readonly skillPath: string;
  /** How proposals name the skill file: relative to the root with forward slashes, absolute without a root. */
  readonly documentPath: string;
  /** Names the skill in its workspace: the hash of `documentPath`, kept when the skill moves. */
  readonly skillKey: string;
  /** Names the skill in user state; follows it to another root as well. */
  readonly skillId: string;
  /** Hash of the real path: what locks are keyed by. */
  readonly lockKey: string;
  /** What the person should know about where things lie, as sentences. */
  readonly note: string | undefined;
}

/**
 * Finds the two stores of a skill. The extension and the command line both ask here and nowhere else, so that they see
 * the same proposals. Throws `skill-missing` without a file and `store-unusable` without a usable user state.
 */
export async function findPlaces(request: PlacesRequest): Promise<Places> {
  const purpose = request.purpose ?? 'work';
  const found = await realSkillPath(request.skillPath);
  const skillPath = found ?? (await knownPath(request));
  await refuseLinkOut(request, skillPath);
  const root = await findRoot({ ...request, skillPath });
  const userState = purpose === 'work' ? await makeUserState(request) : userStateFolder(request);
  const state = await chooseWorkspaceState({ root, skillPath, userState, purpose, faultOf: request.faultOf });
  const documentPath = root === undefined ? skillPath : path.relative(root, skillPath).split(path.sep).join('/');
  const bytes = found === undefined ? new Uint8Array() : await readFile(skillPath);
  const sighting: SkillSighting = { skillPath, root, documentPath, contentHash: sha256(bytes) };
  const names = await namesOf(userState, sighting, request.known);
  // A file that is gone may lie elsewhere by now: it is recognised there by the content that is remembered.
  if (purpose === 'work' && found !== undefined) await rememberSkill(userState, sighting, names);
  return {
    userState,
    workspaceState: state.folder,
    sharedState: state.shared,
    storedIn: state.storedIn,
    root,
    skillPath,
    documentPath,
    skillKey: names.skillKey,
    skillId: names.skillId,
    lockKey: sha256(skillPath),
    note: state.note,
  };
}

async function realSkillPath(given: string): Promise<string | undefined> {
  const real = await unlessMissing(realpath(given));
  const found = real === undefined ? undefined : await unlessMissing(stat(real));
  return found?.isFile() === true ? real : undefined;
}

/** Where a skill was that is gone now; refused where the caller needs the file, and where none was known there. */
async function knownPath({ skillPath: given, missing, ...surroundings }: PlacesRequest): Promise<string> {
  const isGone = (await unlessMissing(lstat(given))) === undefined;
  if (missing === 'known' && isGone) {
    const skillPath = await realPathOfGone(path.resolve(given));
    if (await isKnown(userStateFolder(surroundings), skillPath)) return skillPath;
  }
  throw new UserError(
    'skill-missing',
    `There is no skill file at ${given}.`,
    'Give the path of a SKILL.md, or of the folder that holds one.',
  );
}

/** Links are followed as far as there is something. */
async function realPathOfGone(given: string): Promise<string> {
  const real = await unlessMissing(realpath(given));
  const folder = path.dirname(given);
  if (real !== undefined || folder === given) return real ?? given;
  return path.join(await realPathOfGone(folder), path.basename(given));
}
