import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../isInside.js';
import { unlessMissing } from '../files/fileErrors.js';
import type { SkillStore } from '../state/store.js';
import { lookAtAnswer } from './answerFile.js';
import { handoffsFolder, promptsIn } from './handoffFolder.js';
import { aboutOf, isLinked, refuseLinked, removeOwnFolder } from './ownFolder.js';
import { answerEnding, indexName, type RefusedAnswer } from './promptText.js';

type Store = Pick<SkillStore, 'key' | 'places'>;

/** What lies in a folder of prompts. */
export interface WaitingPrompts {
  readonly folder: string;
  /** What tells a person how to answer. */
  readonly index: string;
  /** Prompts without an answer that can be taken. */
  readonly waiting: number;
  /** Those with one that no run has taken yet. */
  readonly answered: number;
  /** What lies where answers of those that wait should, and why it cannot be taken. */
  readonly refused: readonly RefusedAnswer[];
}

/** Counts the prompts of a run, and looks at their answers; undefined where there are none of ours, or a link in their place. */
export async function lookAtPrompts(store: Store, name: string): Promise<WaitingPrompts | undefined> {
  const { places } = store;
  const folder = path.join(handoffsFolder(places), name);
  const real = await unlessMissing(realpath(folder));
  if (
    real === undefined ||
    (await isLinked(folder)) ||
    !isInside(places.workspaceState, real) ||
    !(await stat(real)).isDirectory()
  )
    return undefined;
  if ((await aboutOf(store, folder)) === undefined) return undefined;
  const { prompts, answers } = await promptsIn(real);
  if (prompts.length === 0) return undefined;
  const refused: RefusedAnswer[] = [];
  let answered = 0;
  for (const prompt of prompts.filter((each) => answers.has(each))) {
    const answer = await lookAtAnswer(path.join(real, `${prompt}${answerEnding}`));
    if (answer.kind === 'refused') refused.push({ name: prompt, why: answer.why });
    if (answer.kind === 'complete') answered += 1;
  }
  return { folder, index: path.join(folder, indexName), waiting: prompts.length - answered, answered, refused };
}

/** The folders of what is measured and goes on as no run: made again, it finds its answers there. */
export function measuredName(purpose: string, skillKey: string): string {
  return `${purpose}-${skillKey.slice(0, 12)}`;
}

export function measuredNames(skillKey: string): readonly string[] {
  return ['evaluate', 'measure'].map((purpose) => measuredName(purpose, skillKey));
}

/** Throws where a link stands in the place of one of these folders, by name. */
export async function refuseLinkedPrompts({ places }: Pick<Store, 'places'>, names: readonly string[]): Promise<void> {
  for (const name of names) await refuseLinked(path.join(handoffsFolder(places), name));
}

/** Nothing of a run waits any more. */
export async function removePrompts(store: Store, name: string): Promise<void> {
  await removeOwnFolder(store, path.join(handoffsFolder(store.places), name));
}

/** The folders of prompts: what comes into them or goes changes their times. */
export async function promptFolders(workspaceState: string): Promise<readonly string[]> {
  const folder = handoffsFolder({ workspaceState });
  const names = (await unlessMissing(readdir(folder))) ?? [];
  return [
    folder,
    ...names
      .sort()
      .slice(-mostWatched)
      .map((name) => path.join(folder, name)),
  ];
}

const mostWatched = 8;
