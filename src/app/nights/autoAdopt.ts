import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, UserError } from '../../errors.js';
import type { Proposal } from '../../ports/proposal.js';
import { adopt } from '../../storage/adoption/adopt.js';
import { removeDecisions } from '../../storage/proposals/decisions.js';
import { putAwayProposal, readProposal } from '../../storage/proposals/proposals.js';
import { keepPaths, keptPaths } from '../../storage/state/keptNames.js';
import { nightConsentOf } from '../../storage/state/nightConsents.js';
import type { UserStore } from '../../storage/state/store.js';
import { openSkill, type OpenSkill, type SkillRequest } from '../openSkill.js';
import type { World } from '../world.js';
import { placeOf } from '../../storage/state/nightPlace.js';

/** Skills, and where their state belongs. */
interface SkillsRequest extends Omit<SkillRequest, 'skillPath'> {
  readonly skills: readonly string[];
}

/** What a night is told about adopting without asking. */
export interface AutoAdoptRequest extends SkillsRequest {
  /** Skills, by path or by name, whose certified proposals are adopted without asking; none unless it is named. */
  readonly autoAdopt?: readonly string[];
  /** Where the list is written down, so that a name in it is found once; absent where it was typed for this night. */
  readonly autoAdoptIn?: 'setting' | 'schedule';
  /** The folders that the schedule is about; the night is written down under them. */
  readonly folders?: readonly string[];
}

/** Which skills of a night are adopted without asking, by their real paths. */
export interface AutoAdoption {
  readonly adopts: (skillPath: string) => boolean;
  /** The same once the person has agreed to nights here. */
  readonly adoptsOnceAgreed: (skillPath: string) => boolean;
  /** What is said of a skill that a name of the list is about; undefined where there is nothing to say. */
  readonly sentence: (skillPath: string) => string | undefined;
  /** Keeps what each name stands for, and says which are nobody's. Called when the night begins. */
  readonly begin: (store: UserStore, signal: AbortSignal) => Promise<void>;
}

/** What an entry of the list is about. */
type Resolution =
  | { readonly kind: 'adopted'; readonly skillPath: string; readonly said?: string; readonly keepAs?: string }
  | {
      readonly kind: 'refused';
      readonly skills: readonly string[];
      readonly said: string;
      /** True where nothing is missing but the person's word for nights here. */
      readonly untilAgreed?: boolean;
    }
  | { readonly kind: 'unknown'; readonly name: string };

/**
 * Auto-adopt goes by path: a stranger's skill can say any name. A name in the settings or in a schedule stands for the one
 * skill of the folders that were agreed to, and for that path ever after; one that was typed for this night stands for the
 * one skill of this night. Where several bear it, none is adopted.
 */
export async function autoAdoptionOf(world: World, store: UserStore, request: AutoAdoptRequest): Promise<AutoAdoption> {
  const { autoAdopt = [], autoAdoptIn } = request;
  const skills = autoAdopt.length === 0 ? [] : await namedSkills(world, request);
  const known = autoAdoptIn === undefined ? undefined : await keptPaths(store);
  const consent = await nightConsentOf(store, placeOf(request.folders ?? [])).read();
  const agreed = consent?.options !== undefined; // a consent to a night holds its bound
  const resolved = await Promise.all(
    autoAdopt.map(async (entry): Promise<readonly Resolution[]> => {
      if (path.isAbsolute(entry)) return [{ kind: 'adopted', skillPath: await realSkillPath(entry) }];
      const bearers = skills.filter(({ name }) => name === entry).map(({ skillPath }) => skillPath);
      if (known === undefined) return [typedName(entry, bearers)];
      const key = `${autoAdoptIn === 'schedule' ? placeOf(request.folders ?? []) : ''}\n${entry}`;
      return standingName(entry, bearers, { key, kept: known.get(key), agreed });
    }),
  ).then((all) => all.flat());
  const adopts = (skillPath: string): boolean =>
    resolved.some((each) => each.kind === 'adopted' && each.skillPath === skillPath);
  return {
    adopts,
    adoptsOnceAgreed: (skillPath) =>
      adopts(skillPath) ||
      resolved.some((each) => each.kind === 'refused' && each.untilAgreed === true && each.skills.includes(skillPath)),
    sentence: (skillPath) =>
      resolved.flatMap((each) => {
        if (each.kind === 'unknown') return [];
        const about = each.kind === 'adopted' ? [each.skillPath] : each.skills;
        return about.includes(skillPath) && each.said !== undefined ? [each.said] : [];
      })[0],
    async begin(keeping, signal) {
      const fresh = resolved.flatMap((each) =>
        each.kind === 'adopted' && each.keepAs !== undefined ? [[each.keepAs, each.skillPath] as const] : [],
      );
      await keepPaths(keeping, Object.fromEntries(fresh), signal);
      // The setting is for all workspaces: what it names may lie in another.
      if (autoAdoptIn === 'setting') return;
      for (const each of resolved) if (each.kind === 'unknown') world.tell(nobodyBears(each.name));
    },
  };
}

/** The list of a schedule that is about to be installed, as paths; refuses a name that several skills bear. */
export async function pathsToAdopt(
  world: World,
  request: SkillsRequest & { readonly autoAdopt: readonly string[] },
): Promise<readonly string[]> {
  const skills = request.autoAdopt.length === 0 ? [] : await namedSkills(world, request);
  const found = request.autoAdopt.map(async (entry) => {
    if (path.isAbsolute(entry)) return [await realSkillPath(entry)];
    const bearers = skills.filter(({ name }) => name === entry).map(({ skillPath }) => skillPath);
    if (bearers.length > 1)
      throw new UserError(
        'schedule-refused',
        `${bearers.length} skills here are named “${entry}”.`,
        'Name the one you mean by its path.',
      );
    if (bearers.length === 0) world.tell(nobodyBears(entry));
    return bearers;
  });
  return (await Promise.all(found)).flat();
}

/** Typed for this night, whose skills the person sees. */
function typedName(name: string, bearers: readonly string[]): Resolution {
  const [only] = bearers;
  if (only === undefined) return { kind: 'unknown', name };
  if (bearers.length > 1) return { kind: 'refused', skills: bearers, said: severalBear(name, bearers.length) };
  const said = `“${name}” was taken for ${only}, which alone bears that name here; a path is surer.`;
  return { kind: 'adopted', skillPath: only, said };
}

/** Written down once, for nights that nobody watches. */
function standingName(
  name: string,
  bearers: readonly string[],
  { key, kept, agreed }: { readonly key: string; readonly kept: string | undefined; readonly agreed: boolean },
): readonly Resolution[] {
  if (kept !== undefined) {
    const others = bearers.filter((skillPath) => skillPath !== kept);
    const said = `Not adopted by itself: “${name}” stands for ${kept}.`;
    return [
      { kind: 'adopted', skillPath: kept },
      { kind: 'refused', skills: others, said },
    ];
  }
  const [only] = bearers;
  if (only === undefined) return [{ kind: 'unknown', name }];
  if (bearers.length > 1) return [{ kind: 'refused', skills: bearers, said: severalBear(name, bearers.length) }];
  if (agreed) return [{ kind: 'adopted', skillPath: only, keepAs: key }];
  const said = `Not adopted by itself: “${name}” is a name, and you have not agreed to nights in this folder; name the skill by its path.`;
  return [{ kind: 'refused', skills: bearers, said, untilAgreed: true }];
}

function severalBear(name: string, count: number): string {
  return `Not adopted by itself: ${count} skills here are named “${name}”; name the one you mean by its path.`;
}

function nobodyBears(name: string): string {
  return `No skill here is named “${name}”, so nothing is adopted for it.`;
}

/** Every skill of the night by its real path, also those that it leaves alone: they bear their names all the same. */
async function namedSkills(
  world: World,
  request: SkillsRequest,
): Promise<readonly { readonly name: string; readonly skillPath: string }[]> {
  const found = await Promise.all(
    request.skills.map((skillPath) => openSkill(world, { ...request, skillPath }, 'look').catch(() => undefined)),
  );
  return found.flatMap((skill) =>
    skill === undefined ? [] : [{ name: skill.name, skillPath: skill.places.skillPath }],
  );
}

/** As a skill's place names it: the file itself, whatever links lead there. */
async function realSkillPath(entry: string): Promise<string> {
  const found = await stat(entry).catch(() => undefined);
  const file = found?.isDirectory() === true ? path.join(entry, 'SKILL.md') : entry;
  return realpath(file).catch(() => file);
}

interface UnattendedAdoption {
  readonly adopted: boolean;
  /** What was done or why not, as a sentence. */
  readonly sentence: string;
}

/**
 * Adopts what was just staged, for a skill whose owner said beforehand that this may be done without them. Only what
 * is certified on fresh attempts with no task getting worse, whole, and onto exactly the bytes that it was made from.
 */
export async function adoptUnattended(
  skill: OpenSkill,
  proposal: Proposal,
  noRegression: boolean,
  signal: AbortSignal,
): Promise<UnattendedAdoption> {
  const certified = proposal.verdict.kind === 'accepted' && proposal.verdict.figures.rule === 'confident';
  if (!certified || !noRegression) {
    return {
      adopted: false,
      sentence: 'Not adopted by itself: that needs a proved improvement with no task getting worse.',
    };
  }
  try {
    await adopt(skill.store, { reading: await readProposal(skill.store), attended: false }, signal);
    await putAwayProposal(skill.store);
    await removeDecisions(skill.store);
    return {
      adopted: true,
      sentence: `Adopted without asking, as you chose for ${skill.name}. “Undo Last Adoption” takes it back.`,
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { adopted: false, sentence: `Not adopted by itself: ${messageOf(error)} ${error.cure}` };
  }
}
