import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../../errors.js';
import type { ErrorBudget, HeldOutFacts } from '../../../gate/statistics/errorBudget.js';
import { type SharingSkill, spentHere } from '../../../gate/statistics/sharedBudget.js';
import type { SpentBy } from '../../../engine/runContext.js';
import { unlessMissing } from '../../../storage/files/fileErrors.js';
import { readState, updateState } from '../../../storage/files/sealedState.js';
import { type CertifiedTexts, certifiedTexts } from '../../../storage/state/certifiedTexts.js';
import { readKnownOnce } from '../../../storage/state/knownSkills.js';
import type { SkillStore } from '../../../storage/state/store.js';
import { movedTasks } from '../../../tasks/split/moveTasks.js';
import { sameTextKey } from '../../../tasks/split/nearDuplicates.js';
import type { SplitResult } from '../../../tasks/split/splitTasks.js';
import { skillCertifications } from './skillCertifications.js';

type CertifiedSkills = CertifiedTexts['skills'];

/**
 * Does `work` with what all other skills of this person were certified on, and with no other certification being opened in
 * between, in whichever process: two copies of a skill cannot both take the last quarter of one budget. Only files that
 * changed since the last look are read.
 */
export async function withCertifiedTexts(
  store: SkillStore,
  signal: AbortSignal,
  work: (others: CertifiedSkills) => Promise<void>,
): Promise<void> {
  await updateState(
    store,
    certifiedTexts,
    async (before) => {
      const skills = await refreshed(store, before?.skills ?? {});
      await work(skills);
      return before !== undefined && isSame(before.skills, skills) ? before : { skills };
    },
    signal,
  );
}

/** The same as it is now, for who spends nothing: nothing is written. */
export async function certifiedElsewhere(store: SkillStore): Promise<CertifiedSkills> {
  const reading = await readState(store, certifiedTexts);
  return refreshed(store, reading.kind === 'verified' ? reading.body.skills : {});
}

/** What tells new held-out tasks from those that are known. */
export function heldOutFactsOf(tasks: SplitResult): HeldOutFacts {
  const texts = tasks.split.heldOut.map((task) => [task.contentHash, sameTextKey(task)] as const);
  return { moved: movedTasks(tasks), texts: new Map(texts) };
}

const ending = '.json';

/** What is known of every other skill that has certifications; one whose file is gone is forgotten. */
async function refreshed(store: SkillStore, before: CertifiedSkills): Promise<CertifiedSkills> {
  const names = (await unlessMissing(readdir(path.join(store.folder, 'certifications')))) ?? [];
  const ids = names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));
  const others = ids.filter((id) => id !== store.places.skillId).sort();
  const read = await Promise.all(others.map(async (id) => [id, await certifiedSkill(store, id, before[id])] as const));
  return Object.fromEntries(read.flatMap(([id, skill]) => (skill === undefined ? [] : [[id, skill] as const])));
}

async function certifiedSkill(
  store: SkillStore,
  skillId: string,
  before: CertifiedSkills[string] | undefined,
): Promise<CertifiedSkills[string] | undefined> {
  const file = path.join(store.folder, 'certifications', `${skillId}${ending}`);
  const found = await unlessMissing(stat(file, { bigint: true }));
  if (found === undefined) return undefined;
  const stamp = `${found.mtimeNs}-${found.size}-${found.ino}`;
  if (before?.stamp === stamp) return before;
  const budget = await budgetOf({ ...store, places: { ...store.places, skillId } });
  if (budget === undefined) return { stamp, spent: 0, certifications: 0, keys: [] };
  return {
    stamp,
    ...spentHere(budget),
    keys: [...new Set([...budget.knownTasks, ...(budget.knownTexts ?? [])].map(shortKey))],
  };
}

/** A file that nobody here can read or vouch for says nothing about other skills; its own skill refuses it. */
async function budgetOf(store: SkillStore): Promise<ErrorBudget | undefined> {
  try {
    const reading = await skillCertifications(store).read();
    return reading.kind === 'verified' ? reading.body.budget : undefined;
  } catch (error) {
    if (error instanceof UserError && error.code === 'store-newer') return undefined;
    throw error;
  }
}

function isSame(before: CertifiedSkills, now: CertifiedSkills): boolean {
  const ids = Object.keys(now);
  return ids.length === Object.keys(before).length && ids.every((id) => before[id] === now[id]);
}

const keyLength = 16; // 64 bits: no two texts of one person meet, and 300 skills stay a small file

function shortKey(key: string): string {
  return key.slice(0, keyLength);
}

/** Who else was certified on these held-out tasks: by their hashes, or by their words and files. */
export function sharingOf(
  others: CertifiedSkills,
  heldOut: readonly string[],
  facts: HeldOutFacts = {},
): { readonly sharing: readonly SharingSkill[]; readonly facts: HeldOutFacts } {
  const keysOf = (hash: string): readonly string[] => [shortKey(hash), shortKey(facts.texts?.get(hash) ?? hash)];
  const sharing = Object.entries(others).flatMap(([skill, { spent, keys }]) => {
    const known = new Set(keys);
    const shared = new Set(heldOut.filter((hash) => keysOf(hash).some((key) => known.has(key))));
    return shared.size === 0 ? [] : [{ skill, spent, shared }];
  });
  const knownElsewhere = new Set(sharing.flatMap(({ shared }) => [...shared]));
  return { sharing, facts: { ...facts, knownElsewhere } };
}

/** Which other skills a budget was spent by, as a person knows them: by their files. */
export async function namesOfSkills(
  store: SkillStore,
  { elsewhere = [] }: ErrorBudget,
): Promise<{ readonly spentBy?: readonly SpentBy[] }> {
  const charged = elsewhere.filter(({ charged: amount }) => amount > 0);
  if (charged.length === 0) return {};
  const skills = await certifiedElsewhere(store);
  const known = await readKnownOnce(store.folder)();
  return {
    spentBy: charged.map(({ skill }) => {
      const found = known.find(({ skillId }) => skillId === skill);
      const name = found === undefined ? undefined : nameIn(store.places.root, found);
      return { name, certifications: skills[skill]?.certifications ?? 0 };
    }),
  };
}

/** In this workspace from its root; elsewhere from the name of the folder that holds it: a proposal may be given away. */
function nameIn(
  root: string | undefined,
  other: { readonly skillPath: string; readonly root?: string | undefined },
): string {
  const { skillPath } = other;
  const from =
    other.root === undefined
      ? path.dirname(path.dirname(skillPath))
      : other.root === root
        ? root
        : path.dirname(other.root);
  return path.relative(from, skillPath).split(path.sep).join('/');
}
