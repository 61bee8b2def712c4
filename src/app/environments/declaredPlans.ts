import * as z from 'zod';
import type { BatchPlan, EnvironmentHooks } from '../../engine/runContext.js';
import { askEnvironment, bringsOf, type EnvironmentReply } from '../../environments/askEnvironment.js';
import type { StartSources } from '../../environments/program.js';
import type { EnvironmentAsk, EnvironmentDeclaration } from '../../tasks/readers/whetstoneFile.js';
import type { SplitTasks, Task } from '../../tasks/task.js';
import type { KeptAnswers } from './keptAnswers.js';

type PlanAsk = Extract<EnvironmentAsk, 'types' | 'batches' | 'representatives'>;

/** What declared environments are asked with. */
interface PlanParts {
  readonly declared: ReadonlyMap<string, EnvironmentDeclaration>;
  readonly split: SplitTasks;
  readonly sources: StartSources;
  readonly seed: number;
  /** What was answered in this run before, for one that goes on. */
  readonly kept?: KeptAnswers | undefined;
  /** Told once where one of them gives no answer: the run goes on in its own way. */
  readonly note: (text: string) => void;
}

/**
 * The hooks of a run with what its declared programs and modules bring to the plan of it: types of tasks, asked for once
 * before the run; batches, before its first step; the tasks that the end of an epoch compares. Of the tasks of other sides
 * they are told the ids, and of held-out ones the tags, with the question for types alone.
 */
export async function withDeclaredPlans(
  hooks: EnvironmentHooks | undefined,
  parts: PlanParts,
  signal: AbortSignal,
): Promise<EnvironmentHooks | undefined> {
  const { training, heldOut, sealed } = parts.split;
  const used = new Set([...training, ...heldOut, ...sealed].map(({ environment }) => environment));
  const plans = ['types', 'batches', 'representatives'] as const;
  const asked = [...parts.declared].filter(
    ([name, declaration]) => used.has(name) && plans.some((each) => bringsOf(declaration, each)),
  );
  if (asked.length === 0) return hooks;
  const ask = asking(parts);
  const types = new Map<string, ReadonlyMap<string, string>>();
  for (const [name] of asked) types.set(name, await typesOf(name, parts.split, ask, signal));
  return planningHooks(hooks ?? nothingAdded, { types, asked, ask });
}

const nothingAdded: EnvironmentHooks = {
  taskType: () => undefined,
  planBatches: (tasks) => ({ planned: [], rest: tasks }),
  reflect: () => Promise.resolve([]),
};

interface Question {
  readonly name: string;
  readonly ask: PlanAsk;
  /** 0 for what is about the whole run. */
  readonly epoch: number;
  readonly more: Readonly<Record<string, unknown>>;
}

/** Asks a question that the declaration allows, or takes what was answered before; undefined where there is no answer. */
type Ask = <T>(question: Question, form: z.ZodType<T>, signal: AbortSignal) => Promise<T | undefined>;

function asking({ declared, sources, seed, kept, note }: PlanParts): Ask {
  const told = new Set<string>();
  return async ({ name, ask, epoch, more }, form, signal) => {
    const declaration = declared.get(name);
    if (declaration === undefined || !bringsOf(declaration, ask)) return undefined;
    const before = form.safeParse(await kept?.get({ name, ask, epoch }));
    if (before.success) return before.data;
    const asked = await askEnvironment(declaration, { ask, seed, more }, sources, signal);
    const read = readAnswer(asked, form);
    if ('value' in read) {
      await kept?.put({ name, ask, epoch }, read.value);
      return read.value;
    }
    if (!told.has(`${name} ${ask}`))
      note(`The environment “${name}” gave no ${ask}, and the run goes on in its own way: ${read.reason}`);
    told.add(`${name} ${ask}`);
    return undefined;
  };
}

function readAnswer<T>(
  asked: EnvironmentReply<PlanAsk>,
  form: z.ZodType<T>,
): { readonly value: T } | { readonly reason: string } {
  if (asked.kind === 'failed') return asked;
  const read = form.safeParse(plainAnswer(asked.answer));
  return read.success ? { value: read.data } : { reason: z.prettifyError(read.error).replaceAll(/\s+/gu, ' ') };
}

/** As JSON can hold it. */
function plainAnswer(answer: object): unknown {
  if ('types' in answer) return answer.types instanceof Map ? [...answer.types] : [];
  return 'batches' in answer ? answer.batches : 'ids' in answer ? answer.ids : undefined;
}

const longestType = 200; // characters

async function typesOf(
  name: string,
  { training, heldOut, sealed }: SplitTasks,
  ask: Ask,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const own = (task: Task): boolean => task.environment === name;
  const tasks = [
    ...[...training, ...heldOut].filter(own).map(({ id, tags }) => ({ id, tags })),
    ...sealed.filter(own).map(({ id }) => ({ id })),
  ];
  const form = z.array(z.tuple([z.string(), z.string().max(longestType)]));
  return new Map(await ask({ name, ask: 'types', epoch: 0, more: { tasks } }, form, signal));
}

interface Planning {
  readonly types: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly asked: readonly (readonly [string, EnvironmentDeclaration])[];
  readonly ask: Ask;
}

function planningHooks(hooks: EnvironmentHooks, { types, asked, ask }: Planning): EnvironmentHooks {
  /** By epoch, then by environment. */
  const batches = new Map<number, Map<string, readonly (readonly string[])[]>>();
  return {
    ...hooks,
    taskType: (task) => types.get(task.environment)?.get(task.id) ?? hooks.taskType(task),
    async prepareBatches(tasks, plans, signal) {
      for (const plan of plans)
        for (const [name] of asked) {
          const own = tasks.filter((task) => task.environment === name);
          const planned = own.length === 0 ? undefined : await batchesOf(name, { own, plan, ask }, signal);
          const ofEpoch = batches.get(plan.epoch) ?? new Map<string, readonly (readonly string[])[]>();
          if (planned !== undefined) batches.set(plan.epoch, ofEpoch.set(name, planned));
        }
    },
    planBatches(tasks, plan) {
      const own = batches.get(plan.epoch) ?? new Map<string, readonly (readonly string[])[]>();
      const byId = new Map(tasks.map((task) => [task.id, task]));
      const ours = [...own.values()].flatMap((planned) =>
        planned.map((ids) => ids.flatMap((id) => byId.get(id) ?? [])).filter((batch) => batch.length > 0),
      );
      const others = hooks.planBatches(
        tasks.filter(({ environment }) => !own.has(environment)),
        plan,
      );
      return { planned: [...ours, ...others.planned], rest: others.rest };
    },
    async representatives(tasks, plan, signal) {
      const chosen: string[] = [];
      for (const [name] of asked) {
        const own = tasks.filter((task) => task.environment === name);
        const choosing = { own, all: tasks.length, plan, ask };
        if (own.length > 0) chosen.push(...(await chosenBy(name, choosing, signal)));
      }
      return chosen.flatMap((id) => tasks.find((task) => task.id === id) ?? []);
    },
  };
}

/** Batches that stay within what was told before the run: its own tasks, each once, no more and no larger than usual. */
async function batchesOf(
  name: string,
  { own, plan, ask }: { readonly own: readonly Task[]; readonly plan: BatchPlan; readonly ask: Ask },
  signal: AbortSignal,
): Promise<readonly (readonly string[])[] | undefined> {
  const { epoch, batchSize } = plan;
  const most = Math.ceil(own.length / batchSize);
  const known = new Set(own.map(({ id }) => id));
  const form = z
    .array(z.array(z.string()).max(batchSize, `a batch has at most ${batchSize} tasks`))
    .max(most, `there are at most ${most} batches of ${own.length} tasks`)
    .refine((planned) => planned.flat().every((id) => known.has(id)), 'only training tasks of its own can be planned')
    .refine((planned) => new Set(planned.flat()).size === planned.flat().length, 'a task stands there twice')
    .refine((planned) => planned.some((batch) => batch.length > 0), 'there is no task in them');
  return ask({ name, ask: 'batches', epoch, more: { tasks: own, epoch, batch_size: batchSize } }, form, signal);
}

interface Choosing {
  readonly own: readonly Task[];
  readonly all: number;
  readonly plan: { readonly epoch: number; readonly count: number };
  readonly ask: Ask;
}

/** Its share of those that are compared, by id. */
async function chosenBy(
  name: string,
  { own, all, plan: { epoch, count }, ask }: Choosing,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const share = Math.min(own.length, Math.ceil((count * own.length) / all));
  const known = new Set(own.map(({ id }) => id));
  const form = z
    .array(z.string())
    .refine((ids) => ids.every((id) => known.has(id)), 'only training tasks of its own count');
  const more = { tasks: own, count: share, epoch };
  const ids = (await ask({ name, ask: 'representatives', epoch, more }, form, signal)) ?? [];
  return [...new Set(ids)].slice(0, share);
}
