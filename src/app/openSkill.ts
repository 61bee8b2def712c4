import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { UserError } from '../errors.js';
import { decodeSkill } from '../skill/document/decodeSkill.js';
import { sha256 } from '../hash.js';
import type { ScriptParser } from '../ports/scriptParser.js';
import { parseSkill } from '../skill/document/skillDocument.js';
import type { KnownList } from '../storage/state/knownSkills.js';
import { findPlaces, type Places } from '../storage/state/places.js';
import { recoverAll } from '../storage/adoption/recover.js';
import { redactingValues } from '../redaction/redactValue.js';
import { scriptParserFor } from './environments/scriptParsers.js';
import { redactorFor } from './models/runModels.js';
import { stayOutOf } from '../searchedFolders.js';
import { lookAtUserStore, openSkillStore, type SkillStore } from '../storage/state/store.js';
import { skillBringers } from './tasks/skillBringers.js';
import { refuseUntrustedWrite, type World } from './world.js';

/** Which skill, and where its state belongs. Both faces fill it in from what the person pointed at. */
export interface SkillRequest {
  /** A SKILL.md, or the folder that holds one. */
  readonly skillPath: string;
  readonly workspaceFolders: readonly string[];
  readonly explicitRoot?: string | undefined;
  /** The working directory, where a command line asks. */
  readonly cwd?: string | undefined;
}

/** Where a skill lies, and its stores; nothing is known of what its file holds. */
export interface SkillPlace {
  readonly places: Places;
  readonly store: SkillStore;
}

/** A skill with its text as it is on disk now, and its stores. */
export interface OpenSkill extends SkillPlace {
  readonly text: string;
  readonly hash: string;
  /** The front matter's name, else the folder's. */
  readonly name: string;
  /** The folder that holds the skill: fixtures and references are relative to it. */
  readonly folder: string;
  /** Tells whether its scripts parse; nothing is started before it is asked. */
  readonly scriptParser: ScriptParser;
}

/**
 * Opens the skill that a request names. `look` writes nothing, not even a folder; `work` is refused in a workspace that is
 * not trusted. `known`: for many in one look.
 */
export async function openSkill(
  world: World,
  request: SkillRequest,
  purpose: 'look' | 'work',
  known?: KnownList,
): Promise<OpenSkill> {
  const { places, store } = await placeOf(world, request, { purpose, known, missing: 'refused' });
  const text = decodeSkill(await filledBytes(places.skillPath), places.documentPath);
  const folder = path.dirname(places.skillPath);
  const name = parseSkill(text).frontMatter?.name ?? path.basename(folder);
  if (places.note !== undefined && purpose === 'work') world.tell(places.note);
  const scriptParser = skillParser(world, places);
  return { places, store, text, hash: sha256(text), name, folder, scriptParser };
}

/** An editor that saves a file empties it, and fills it a moment later. */
async function filledBytes(file: string): Promise<Uint8Array> {
  for (let look = 1; ; look += 1) {
    const bytes = await readFile(file);
    if (bytes.length > 0 || look === mostLooks) return bytes;
    await wait(lookMs);
  }
}

const lookMs = 25;
const mostLooks = 8; // a file that is empty is told as such within a fifth of a second

/** What parses the scripts of a skill. */
export function skillParser(world: World, { root, workspaceState, skillPath }: Places): ScriptParser {
  const closed = [root, workspaceState, path.dirname(skillPath)].filter((place) => place !== undefined);
  return scriptParserFor(world, closed);
}

/**
 * The same without reading the file: undo and restore give bytes back, whatever the file holds by now, and where it is
 * gone.
 */
export async function openPlace(world: World, request: SkillRequest, purpose: 'look' | 'work'): Promise<SkillPlace> {
  return placeOf(world, request, { purpose, missing: 'known' });
}

interface PlaceWish {
  readonly purpose: 'look' | 'work';
  readonly missing: 'refused' | 'known';
  readonly known?: KnownList | undefined;
}

async function placeOf(world: World, request: SkillRequest, wanted: PlaceWish): Promise<SkillPlace> {
  const { purpose, missing } = wanted;
  if (purpose === 'work') refuseUntrustedWrite(world);
  const skillPath = await skillFile(request.skillPath, missing);
  stayOutOf([path.dirname(skillPath), ...request.workspaceFolders]);
  const { environment, platform, home, clock } = world;
  const places = await findPlaces({ ...request, ...wanted, skillPath, environment, platform, home });
  if (purpose === 'look') return { places, store: { ...(await lookAtUserStore(places.userState, clock)), places } };
  const store = await openSkillStore(places, clock);
  // What a kill left half done in an adoption is set right before anything is read.
  await recoverAll(store, new AbortController().signal);
  return { places, store: { ...store, hide: redactingValues(await redactorFor(world, store)) } };
}

async function skillFile(given: string, missing: PlaceWish['missing']): Promise<string> {
  const found = await stat(given).catch(() => undefined);
  const inside = path.join(given, 'SKILL.md');
  // A folder that is gone is known by its name: a skill is a Markdown file.
  if (found === undefined && missing === 'known' && path.extname(given) !== '.md') return inside;
  if (found?.isDirectory() !== true) return given;
  if (missing === 'known') return inside;
  if ((await stat(inside).catch(() => undefined))?.isFile() === true) return inside;
  throw noSkillIn(given, await skillBringers(given).catch(() => []));
}

/** An environment that is declared in the folder may bring the text of its first skill. */
function noSkillIn(folder: string, [bringer, another]: readonly string[]): UserError {
  const where = path.resolve(folder);
  if (bringer === undefined) {
    const cure = 'Give the path of a SKILL.md, or of the folder that holds one.';
    return new UserError('skill-missing', `There is no SKILL.md in ${where}.`, cure);
  }
  const shown = folder.includes(' ') ? JSON.stringify(folder) : folder;
  const words = `whetstone new ${shown} --from-environment${another === undefined ? '' : ` ${bringer}`}`;
  return new UserError(
    'skill-missing',
    `There is no SKILL.md in ${where}, and the environment “${bringer}” brings one.`,
    `Have it written (“New Skill”, in a terminal “${words}”).`,
  );
}
