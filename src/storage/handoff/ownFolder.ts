import { chmod, lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { UserError } from '../../errors.js';
import { unlessMissing } from '../files/fileErrors.js';
import { seal, unseal, type Sealing } from '../files/sealedFile.js';
import { refuseLeaving, removeInside } from '../files/writeInside.js';
import type { SkillStore } from '../state/store.js';
import { lookAtAnswer } from './answerFile.js';

/**
 * Whose a folder of prompts is. An agent is told to work in it, and reads what lies there as its orders: a clone can bring
 * a folder whose name it guessed, with orders of its own. Ours is the one whose `about.json` is sealed with this user's
 * key, and prompts come only into one that holds nothing else than we and those who answer write there.
 */
export const aboutName = 'about.json';

const AboutSchema = z.object({ skill: z.string(), run: z.string(), id: z.string() });
type About = z.output<typeof AboutSchema>;
type Store = Pick<SkillStore, 'key' | 'places'>;

/** What stands in `about.json`. */
export function aboutText({ key }: Store, folder: string, about: About): string {
  return seal(sealingOf(key, folder), about);
}

/** What was sealed there; undefined where this user's Whetstone did not make the folder. */
export async function aboutOf({ key }: Store, folder: string): Promise<About | undefined> {
  const found = await lookAtAnswer(path.join(folder, aboutName));
  if (found.kind !== 'complete') return undefined;
  const reading = unseal(sealingOf(key, folder), found.text);
  if (reading.kind === 'verified') return reading.body;
  // Version 1 had no seal. The id of a run holds what was drawn for it, and no clone can guess that.
  const isOfRun = reading.kind === 'made-elsewhere' && reading.body.run === path.basename(folder);
  return isOfRun && drawnId.test(reading.body.run) ? reading.body : undefined;
}

const drawnId = /^\d{8}-\d{6}-[0-9a-f]{6,}$/u;

function sealingOf(key: Store['key'], folder: string): Sealing<About> {
  return {
    key,
    format: { format: 'whetstone-handoff', version: 2, schema: AboutSchema },
    about: path.basename(folder),
  };
}

/** Throws where a folder of prompts is a link: we make none, and what is done there would be done elsewhere. */
export async function refuseLinked(folder: string): Promise<void> {
  if (!(await isLinked(folder))) return;
  throw new UserError(
    'leads-outside',
    `${folder} is a link, and no link is followed to prompts: nothing was written or deleted where it leads.`,
    'Remove the link, or put the folder itself in its place.',
  );
}

/** Whether the folder, or the one that all of them lie in, is a link. */
export async function isLinked(folder: string): Promise<boolean> {
  const found = await Promise.all([path.dirname(folder), folder].map((place) => unlessMissing(lstat(place))));
  return found.some((each) => each?.isSymbolicLink() === true);
}

/** Throws where something lies there that is not ours and no answer; it stays as it is. */
export async function refuseStrangers(store: Store, folder: string): Promise<void> {
  if ((await unlessMissing(lstat(folder))) === undefined) return;
  await refuseLinked(folder);
  await refuseLeaving(store.places.workspaceState, folder);
  const names = await namesIn(folder);
  const isOurs = (await aboutOf(store, folder)) !== undefined;
  const strangers = names.filter((name) => !(isOurs ? isOwnName(name) : draftOfAbout.test(name)));
  if (strangers.length === 0) return;
  throw isOurs
    ? new UserError(
        'made-elsewhere',
        `${folder} holds more than prompts and answers (${strangers.length}), which an agent that answers there could take for its orders, so no prompt was written.`,
        'Look at what lies there, hidden files too, move what is no answer elsewhere, then try again.',
      )
    : new UserError(
        'made-elsewhere',
        `${folder} was not made by your Whetstone, and an agent that answers there could take what it holds (${strangers.length}) for its orders, so no prompt was written.`,
        'Move that folder away, then try again.',
      );
}

/** Only this user opens it, whoever made it. */
export async function closeToOthers(folder: string): Promise<void> {
  if (process.platform !== 'win32' && ((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/** Removes a folder of ours; what somebody else put there stays, and a folder that is not ours, or a link, too. */
export async function removeOwnFolder(store: Store, folder: string): Promise<void> {
  const within = store.places.workspaceState;
  if ((await isLinked(folder)) || (await aboutOf(store, folder)) === undefined) return;
  const names = await namesIn(folder);
  if (names.every(isOwnName)) return removeInside(within, folder);
  for (const name of names.filter(isOwnName)) await removeInside(within, path.join(folder, name));
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const found = await unlessMissing(stat(folder));
  return found?.isDirectory() === true ? readdir(folder) : [];
}

const draftOfAbout = /^\.about\.json\.[0-9a-f]{12}\.whetstone-tmp$/u;
const ownDraft = /^\.(?:INDEX\.md|about\.json|[0-9a-f]{16}\.prompt\.md)\.[0-9a-f]{12}\.whetstone-tmp$/u;

/** Of what we write, answers under any name, what editors leave beside them, and what systems leave in every folder. */
function isOwnName(name: string): boolean {
  return ownNames.some((own) => own.test(name));
}

const ownNames = [
  /^(?:INDEX\.md|about\.json|\.DS_Store|Thumbs\.db|desktop\.ini)$/u,
  ownDraft,
  /^[.#~]{0,2}[0-9a-f]{16}\b[\w.~# ()-]*$/u,
  /\.answer\.md$/u,
];

/** A draft of ours that a kill left. */
export function isOwnDraft(name: string): boolean {
  return ownDraft.test(name);
}

/** A name that can be told as it stands: it can neither end its line nor say a sentence. */
export function isPlainName(name: string): boolean {
  return /^[\w-]{1,40}$/u.test(name);
}
