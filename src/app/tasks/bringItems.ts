import * as z from 'zod';
import { RunSummarySchema } from '../../engine/journal/runSummary.js';
import { askEnvironment } from '../../environments/askEnvironment.js';
import { UserError } from '../../errors.js';
import { sha256 } from '../../hash.js';
import { parseJson } from '../../parseJson.js';
import { openTexts } from '../../storage/files/contentStore.js';
import { listRuns } from '../../storage/runs/summaries.js';
import type { BroughtItems } from '../../tasks/readers/broughtItems.js';
import { bringersOf, type EnvironmentDeclaration } from '../../tasks/readers/whetstoneFile.js';
import { containedPrograms } from '../environments/containedPrograms.js';
import { startSources } from '../environments/environmentsFor.js';
import { noteProgramsAtStart } from '../environments/programsAtStart.js';
import type { OpenSkill } from '../openSkill.js';
import { readBegunRun, type BegunRun } from '../runs/runJournal.js';
import type { World } from '../world.js';
import { refuseTooFew, type BringItems, type SkillTasks } from './skillTasks.js';
import { mostTaskBytes } from './taskTexts.js';

/**
 * Where the items that environments bring come from. `ask`: the environment, and what it says is kept for the run that
 * follows at once. `run`: what was so kept, else the environment. `stored`: the last run of the skill, else the
 * environment. `look`: that run alone; nothing is started. Or the run that goes on.
 */
export type ItemsFrom = 'ask' | 'run' | 'stored' | 'look' | BegunRun;

/** Gives what environments bring as tasks, within the person's consent. A failure ends the run before it begins. */
export function bringItems(
  world: World,
  skill: OpenSkill,
  { from, seed }: { readonly from: ItemsFrom; readonly seed: number },
  signal: AbortSignal,
): BringItems {
  return async (declared) => {
    const names = bringersOf(declared, 'items');
    const key = JSON.stringify([skill.places.skillPath, seed, names.map((name) => [name, declared.get(name)])]);
    const ask = (): Promise<readonly BroughtItems[]> => askAll({ world, skill, declared, names, seed }, signal);
    if (from === 'ask') return keep(world, key, await ask());
    if (from === 'run') return taken(world, key) ?? (await ask());
    const stored = from === 'stored' || from === 'look' ? await ofLastRun(skill) : await itemsOf(skill, from);
    const known = stored !== undefined && names.every((name) => stored.some(({ environment }) => environment === name));
    if (known) return stored.filter(({ environment }) => names.includes(environment));
    if (from === 'look') return undefined;
    return keep(world, key, taken(world, key) ?? (await ask()));
  };
}

interface Asking {
  readonly world: World;
  readonly skill: OpenSkill;
  readonly declared: ReadonlyMap<string, EnvironmentDeclaration>;
  readonly names: readonly string[];
  readonly seed: number;
}

async function askAll(
  { world, skill, declared, names, seed }: Asking,
  signal: AbortSignal,
): Promise<readonly BroughtItems[]> {
  const sources = startSources(skill, containedPrograms(world, skill));
  if (names.length > 0) await noteProgramsAtStart({ declared, tasks: [] }, sources, signal);
  const all: BroughtItems[] = [];
  for (const environment of names) {
    const declaration = declared.get(environment);
    if (declaration === undefined) continue;
    const side = async (split: string): Promise<readonly unknown[]> => {
      const asked = await askEnvironment(declaration, { ask: 'items', seed, more: { split } }, sources, signal);
      if (asked.kind === 'failed') throw notBrought(environment, asked.reason);
      return asked.answer.items;
    };
    all.push({ environment, train: await side('train'), val: await side('val'), test: await side('test') });
  }
  refuseTooLarge(all);
  return all;
}

function notBrought(environment: string, reason: string): UserError {
  return new UserError(
    'environment-refused',
    `The environment “${environment}” brings its tasks, and gave none. ${reason}`,
    'Correct or allow it, or take “items” out of what it brings in evals/whetstone.json.',
  );
}

function refuseTooLarge(brought: readonly BroughtItems[]): void {
  if (JSON.stringify(brought).length <= mostTaskBytes) return;
  const names = brought.map(({ environment }) => `“${environment}”`).join(', ');
  throw new UserError('tasks-malformed', `What ${names} brings is over 24 MB.`, 'Let it bring fewer or smaller tasks.');
}

const keptMs = 15 * 60_000; // as long as a person may look at what a run would take
const handedOver = new WeakMap<
  World,
  Map<string, { readonly at: number; readonly brought: readonly BroughtItems[] }>
>();

/** What is asked for to tell what a run would take is what that run starts from: it is asked for once. */
function keep(world: World, key: string, brought: readonly BroughtItems[]): readonly BroughtItems[] {
  const kept = handedOver.get(world) ?? new Map();
  handedOver.set(world, kept.set(key, { at: world.clock.now(), brought }));
  return brought;
}

function taken(world: World, key: string): readonly BroughtItems[] | undefined {
  const found = handedOver.get(world)?.get(key);
  handedOver.get(world)?.delete(key);
  return found === undefined || world.clock.now() - found.at > keptMs ? undefined : found.brought;
}

const Stored = z.array(
  z.object({
    environment: z.string(),
    train: z.array(z.unknown()),
    val: z.array(z.unknown()),
    test: z.array(z.unknown()),
  }),
);

/** Keeps the items for those who go on with the run, and gives their hash. One that holds a secret is asked for again. */
export async function storeItems(
  { store }: Pick<OpenSkill, 'store'>,
  brought: readonly BroughtItems[],
): Promise<string> {
  const text = JSON.stringify(brought);
  const hidden = store.hide?.({ text });
  if (hidden !== undefined && Object.keys(hidden.secrets).length > 0) return sha256(text);
  return openTexts(store).put(text);
}

/** The items that a run began with; undefined where they are not kept. */
async function itemsOf({ store }: OpenSkill, { started }: BegunRun): Promise<readonly BroughtItems[] | undefined> {
  const { items } = started.inputs;
  const text = items === undefined ? undefined : await openTexts(store).get(items);
  const stored = Stored.safeParse(text === undefined ? undefined : parseJson(text));
  return stored.success ? stored.data : undefined;
}

const mostLookedAt = 20;

/** Those of the newest run that learned, else of the newest at all. */
async function ofLastRun(skill: OpenSkill): Promise<readonly BroughtItems[] | undefined> {
  const listed = (await listRuns(skill.store, RunSummarySchema))
    .map(({ runId }) => runId)
    .sort()
    .toReversed();
  let newest: readonly BroughtItems[] | undefined;
  for (const runId of listed.slice(0, mostLookedAt)) {
    const run = await readBegunRun(skill.store, runId);
    if (run === undefined || run.started.skillKey !== skill.places.skillKey) continue;
    const items = await itemsOf(skill, run);
    if (items !== undefined && run.started.purpose !== 'evaluate' && run.started.purpose !== 'measure') return items;
    newest ??= items;
  }
  return newest;
}

/** Refuses as a run does, and where an environment brings its tasks and no run has asked it yet: at night it is not asked first. */
export async function refuseUnasked(skill: OpenSkill, tasks: SkillTasks | undefined): Promise<SkillTasks> {
  const [name] = tasks === undefined ? [] : bringersOf(tasks.read.environments, 'items');
  if (tasks === undefined || name === undefined || tasks.brought !== undefined) return refuseTooFew(skill, tasks);
  throw new UserError(
    'tasks-missing',
    `The environment “${name}” brings the tasks of ${skill.name}, and no run of the last weeks has asked it for them.`,
    'Train the skill once by day; from then on the night has its tasks.',
  );
}
