import * as z from 'zod';
import { jsonFile } from '../../jsonFile.js';
import { messageOf, UserError } from '../../errors.js';
import { textHashOf } from '../makeTask.js';
import { mapInSteps, type Steps } from '../steps.js';
import type { Side, Task } from '../task.js';

const splitFormat = 'whetstone.split';
const splitVersion = 2;

const rememberedTask = z.object({
  side: z.enum(['training', 'heldOut', 'sealed']).optional(),
  trained: z.boolean().optional(),
  used: z.boolean().optional(),
  moved: z.boolean().optional(),
  id: z.string(),
  text: z.string(),
});

const splitFile = z.object({
  format: z.literal(splitFormat),
  version: z.number(),
  skills: z.record(z.string(), z.record(z.string(), rememberedTask)),
});

/** The assignment of every skill under one root, by the skill's path relative to it. */
type SplitAssignments = ReadonlyMap<string, SplitAssignment>;

/** Reads `.whetstone/split.json`; without a file there is nothing to remember. Throws where it cannot be trusted. */
export function readSplitFile(text: string | undefined, path: string): SplitAssignments {
  if (text === undefined) return new Map();
  const parsed = splitFile.safeParse(parseJson(text, path));
  if (!parsed.success) throw unusable(path, z.prettifyError(parsed.error), parsed.error);
  if (parsed.data.version > splitVersion) {
    const what = `${path} was written by a newer Whetstone (version ${parsed.data.version} of the format).`;
    throw new UserError('store-newer', what, 'Update Whetstone.');
  }
  const sideless = Object.values(parsed.data.skills).some((tasks) =>
    Object.values(tasks).some(({ side }) => side === undefined),
  );
  if (sideless && parsed.data.version < splitVersion) throw unusable(path, 'a task without a side', undefined);
  return new Map(
    Object.entries(parsed.data.skills).map(([skill, tasks]) => [
      skill,
      new Map(Object.entries(tasks).map(([hash, task]) => [hash, rememberedOf(task)])),
    ]),
  );
}

/**
 * One line a task, in hash order, so that two people's additions seldom meet in a merge. In the oldest version that can
 * say it, so that a colleague who has not updated yet goes on reading it until somebody moves or tries a task.
 */
export function printSplitFile(assignments: SplitAssignments): string {
  const skills = sorted(assignments).map(([skill, assignment]) => {
    const lines = sorted(assignment).map(([hash, task]) => `      ${JSON.stringify(hash)}: ${jsonFile(stored(task))}`);
    return `    ${jsonFile(skill)}: ${lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n    }`}`;
  });
  const body = skills.length === 0 ? '{}' : `{\n${skills.join(',\n')}\n  }`;
  const plain = [...assignments.values()].every((assignment) => [...assignment.values()].every(isPlain));
  return `{\n  "format": "${splitFormat}",\n  "version": ${plain ? 1 : splitVersion},\n  "skills": ${body}\n}\n`;
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    throw unusable(path, messageOf(error), error);
  }
}

function unusable(path: string, why: string, cause: unknown): UserError {
  return new UserError(
    'store-unusable',
    `${path} cannot be read: ${why}.`,
    'Fix it, or restore it from version control. Without it tasks may move between training and held-out, and what was proved counts no more.',
    { cause },
  );
}

/** Version 1 knew of no other way into the file than a run. */
function rememberedOf(line: z.infer<typeof rememberedTask>): AssignedTask {
  const { side, trained = side === 'training', used = true, moved = false, id, text } = line;
  return { side, trained, used, moved, id, text };
}

function stored({ side, trained, used, moved, id, text }: AssignedTask): unknown {
  return {
    ...(side === undefined ? {} : { side }),
    ...(trained === (side === 'training') ? {} : { trained }),
    ...(used ? {} : { used }),
    ...(moved ? { moved } : {}),
    id,
    text,
  };
}

function isPlain({ side, used, moved }: AssignedTask): boolean {
  return side !== undefined && used && !moved;
}

function sorted<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Where a task was placed; the id and the hash of its text find it again after its checks or its text were edited. */
export interface AssignedTask {
  /** Undefined for a draft or a disabled task that was tried and is on no side. */
  readonly side: Side | undefined;
  /** True once a run has learned from it: whatever a person does with it later, it proves nothing. */
  readonly trained: boolean;
  /** True once a run has attempted it, on whichever side. */
  readonly used: boolean;
  /** True once a person moved it to another side: held out or not, it is no new evidence. */
  readonly moved: boolean;
  readonly id: string;
  readonly text: string;
}

/** Which side each task of one skill is on, by content hash. Tasks that are gone stay: they may come back. */
export type SplitAssignment = ReadonlyMap<string, AssignedTask>;

export const emptyAssignment: SplitAssignment = new Map();

/** What is remembered of a task. */
export type RecalledTask = Pick<AssignedTask, 'side' | 'trained' | 'used' | 'moved'>;

export type Recall = (task: Task) => RecalledTask | undefined;

/**
 * What is remembered of a task: by its content, else by its text (its checks were edited), else by its id if the
 * task of that id is gone (its text was edited). A task that training has seen never turns up among the held-out ones.
 */
export function recaller(assignment: SplitAssignment, tasks: readonly Task[]): Recall {
  const present = new Set(tasks.map((task) => task.contentHash));
  const byText = new Map<string, AssignedTask>();
  const byId = new Map<string, AssignedTask>();
  for (const [hash, remembered] of [...assignment].sort(([a], [b]) => (a < b ? -1 : 1))) {
    byText.set(remembered.text, warier(byText.get(remembered.text), remembered));
    if (!present.has(hash)) byId.set(remembered.id, warier(byId.get(remembered.id), remembered));
  }
  const asked = new Map<Task, AssignedTask | undefined>(); // each is asked about several times, and hashing it takes time
  return (task) => {
    if (asked.has(task)) return asked.get(task);
    const found = assignment.get(task.contentHash) ?? byText.get(textHashOf(task)) ?? byId.get(task.id);
    asked.set(task, found);
    return found;
  };
}

/** What to remember once a run has learned from the training tasks and used the others. */
export function* remember(
  assignment: SplitAssignment,
  placed: ReadonlyMap<Task, Side>,
  recall: Recall,
): Steps<SplitAssignment> {
  const next = new Map(assignment);
  yield* mapInSteps([...placed], ([task, side]) => {
    const trained = side === 'training' || (recall(task)?.trained ?? false);
    const moved = recall(task)?.moved ?? false;
    next.set(task.contentHash, { side, trained, used: true, moved, id: task.id, text: textHashOf(task) });
  });
  return next;
}

function warier(first: AssignedTask | undefined, second: AssignedTask): AssignedTask {
  if (first === undefined) return second;
  const chosen = first.trained ? first : second;
  return { ...chosen, used: first.used || second.used, moved: first.moved || second.moved };
}
