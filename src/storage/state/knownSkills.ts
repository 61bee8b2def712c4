import { readdir, readFile, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { skillKey } from '../../skill/document/fingerprint.js';
import { durableWrite } from '../files/durableWrite.js';
import { unlessMissing } from '../files/fileErrors.js';
import { sha256 } from '../../hash.js';
import { makeFolderInside } from '../files/insideFolder.js';
import { parseJson } from '../../parseJson.js';

/** Where a skill lies now, and what it holds. Real paths. */
export interface SkillSighting {
  readonly skillPath: string;
  readonly root: string | undefined;
  /** Relative to the root, with forward slashes; absolute without one. */
  readonly documentPath: string;
  readonly contentHash: string;
}

/** What a skill is known by. `skillKey` names it in its workspace, `skillId` in user state. */
export interface SkillNames {
  readonly skillKey: string;
  readonly skillId: string;
}

const knownSkill = z.object({
  format: z.literal('whetstone-known-skill'),
  version: z.literal(1),
  skillPath: z.string(),
  root: z.string().optional(),
  contentHash: z.string(),
  skillKey: z.string(),
  skillId: z.string(),
});
type KnownSkill = z.output<typeof knownSkill>;

/** Gives every skill that is remembered. */
export type KnownList = () => Promise<readonly KnownSkill[]>;

/** Reads the list when it is first asked for, and not again: for those who name many skills in one look. */
export function readKnownOnce(userState: string): KnownList {
  let read: ReturnType<KnownList> | undefined;
  return () => (read ??= allKnown(userState));
}

/**
 * The names of a skill: by its path, or, where nothing is known at that path, those of the skill with the same content
 * whose file is gone. So receipts, budgets and proposals follow a skill that was moved. Reads only.
 */
export async function namesOf(
  userState: string,
  sighting: SkillSighting,
  all: KnownList = () => allKnown(userState),
): Promise<SkillNames> {
  const own = await readKnown(fileOf(userState, sighting.skillPath));
  if (own !== undefined) return own;
  const others = await all();
  return (await movedFrom(others, sighting)) ?? freshNames(others, sighting);
}

/** Whether a skill is remembered at this real path. */
export async function isKnown(userState: string, skillPath: string): Promise<boolean> {
  return (await readKnown(fileOf(userState, skillPath))) !== undefined;
}

/** Remembers the skill where it lies now, and forgets where it lay. */
export async function rememberSkill(userState: string, sighting: SkillSighting, names: SkillNames): Promise<void> {
  const file = fileOf(userState, sighting.skillPath);
  const before = await readKnown(file);
  if (before?.contentHash === sighting.contentHash && before.root === sighting.root) return;
  const { skillPath, root, contentHash } = sighting;
  const known = {
    format: 'whetstone-known-skill',
    version: 1,
    skillPath,
    root,
    contentHash,
    skillKey: names.skillKey,
    skillId: names.skillId,
  };
  await makeFolderInside(userState, path.dirname(file));
  await durableWrite(file, `${JSON.stringify(known)}\n`, { mode: 0o600 });
  if (before === undefined) await forgetFormerPlaces(userState, skillPath, names);
}

/** Forgets a skill; what is kept under its names is not touched. */
export async function forgetSkill(userState: string, skillPath: string): Promise<void> {
  await unlessMissing(unlink(fileOf(userState, skillPath)));
}

async function movedFrom(others: readonly KnownSkill[], sighting: SkillSighting): Promise<SkillNames | undefined> {
  for (const known of others.filter(({ contentHash }) => contentHash === sighting.contentHash)) {
    const stillThere = (await unlessMissing(stat(known.skillPath))) !== undefined;
    if (!stillThere && known.root === sighting.root) return known;
    if (!stillThere) return { skillId: known.skillId, skillKey: freshNames(others, sighting).skillKey };
  }
  return undefined;
}

/** Names from the path; numbered where a skill that moved away took them along. */
function freshNames(others: readonly KnownSkill[], sighting: SkillSighting): SkillNames {
  const { root, documentPath, skillPath } = sighting;
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : ` (${number})`;
    const names = { skillKey: skillKey(documentPath + ending), skillId: shortHash(skillPath + ending) };
    const taken = others.some(
      (known) => known.skillId === names.skillId || (known.skillKey === names.skillKey && known.root === root),
    );
    if (!taken) return names;
  }
}

async function forgetFormerPlaces(userState: string, skillPath: string, { skillId }: SkillNames): Promise<void> {
  for (const known of await allKnown(userState)) {
    if (known.skillId === skillId && known.skillPath !== skillPath) await forgetSkill(userState, known.skillPath);
  }
}

async function allKnown(userState: string): Promise<readonly KnownSkill[]> {
  const names = (await unlessMissing(readdir(folderOf(userState)))) ?? [];
  const files = names.filter((name) => name.endsWith('.json')).sort();
  const read = await Promise.all(files.map((name) => readKnown(path.join(folderOf(userState), name))));
  return read.filter((known) => known !== undefined);
}

/** It only helps: where it is broken, the skill is named by its path. */
async function readKnown(file: string): Promise<KnownSkill | undefined> {
  const text = await unlessMissing(readFile(file, 'utf8'));
  return text === undefined ? undefined : knownSkill.safeParse(parseJson(text)).data;
}

function fileOf(userState: string, skillPath: string): string {
  return path.join(folderOf(userState), `${shortHash(skillPath)}.json`);
}

function folderOf(userState: string): string {
  return path.join(userState, 'skills');
}

const shortHashLength = 32; // 128 bits: no two paths of one machine meet

function shortHash(text: string): string {
  return sha256(text).slice(0, shortHashLength);
}
