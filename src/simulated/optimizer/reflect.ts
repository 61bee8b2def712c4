import type { Chance } from '../chance.js';
import type { OptimizerShares } from '../options.js';
import { editsFor, lapsesFrom, lessonsFrom, type Lesson, type ReplyEdit } from './helpfulEdits.js';
import { harmfulEdit, malformedReflection, uselessEdit, orderedEdits } from './misbehaviour.js';
import { readReflectionPrompt, type ReflectionPrompt } from './reflectionPrompt.js';
import { isSame } from '../instruction.js';

/** What shapes an optimizer's reply beside the prompt. */
export interface OptimizerHabits {
  readonly chance: Chance;
  readonly shares: OptimizerShares;
  readonly obedient: boolean;
}

/** Reflects: turns the failed criteria that the prompt states into edits of the skill that it shows, within its budget. */
export function reflect(prompt: string, habits: OptimizerHabits): string {
  const read = readReflectionPrompt(prompt);
  if (habits.chance.fraction('reply') < habits.shares.malformed)
    return malformedReflection(habits.chance, read.failures);
  const ordered = habits.obedient ? orderedEdits(prompt) : [];
  const savings = wantsShorter(prompt) ? savingsIn(read) : [];
  const edits = [...ordered, ...composed(read, habits), ...savings].slice(0, read.budget);
  return JSON.stringify({ failure_summary: summaryOf(read, edits), edits }, null, 2);
}

/** The same, and a reminder for each thing that the skill asks for and attempts did not do. */
export function reflectOnLapses(prompt: string, habits: OptimizerHabits): string {
  const read = readReflectionPrompt(prompt);
  if (habits.chance.fraction('reply') < habits.shares.malformed)
    return malformedReflection(habits.chance, read.failures);
  const edits = composed(read, habits).slice(0, read.budget);
  const lapses = lapsesFrom(read).slice(0, read.budget);
  const forgotten = new Set(lapses.map(({ failure }) => failure.criterion));
  const failure_summary = read.failures.slice(0, Math.max(edits.length, 3)).map(({ criterion, count }) => ({
    failure_type: 'failure',
    count,
    description: criterion,
    cause: forgotten.has(criterion) ? 'execution_lapse' : 'skill_defect',
  }));
  const appendix_notes = lapses.map(({ instruction, failure: { tasks } }) => ({ note: instruction.sentence, tasks }));
  return JSON.stringify({ failure_summary, edits, appendix_notes }, null, 2);
}

/** Each edit is helpful, useless or harmful by its own draw; without a lesson there is at most one, and none if helpful. */
export function composed(read: ReflectionPrompt, { chance, shares }: OptimizerHabits): readonly ReplyEdit[] {
  const lessons = lessonsFrom(read);
  const slots: readonly (Lesson | undefined)[] = lessons.length === 0 ? [undefined] : lessons.slice(0, read.budget);
  const edits: ReplyEdit[] = [];
  for (const [index, lesson] of slots.entries()) {
    const taken = new Set(edits.flatMap(({ anchor }) => anchor ?? []));
    edits.push(...editsOf(lesson, { index, read, taken }, { chance, shares }));
  }
  return edits;
}

function editsOf(
  lesson: Lesson | undefined,
  {
    index,
    read,
    taken,
  }: { readonly index: number; readonly read: ReflectionPrompt; readonly taken: ReadonlySet<string> },
  { chance, shares }: Pick<OptimizerHabits, 'chance' | 'shares'>,
): readonly ReplyEdit[] {
  const tasks = lesson?.failure.tasks ?? [];
  switch (kindOfEdit(chance.fraction(`edit ${index}`), shares)) {
    case 'useless':
      return [uselessEdit(chance, index, tasks)];
    case 'harmful':
      return [harmfulEdit(chance, index, lesson?.instruction.opposite, tasks)];
    case 'helpful':
      return lesson === undefined ? [] : editsFor(lesson, read, taken);
  }
}

function kindOfEdit(
  fraction: number,
  { helpful, useless, harmful }: OptimizerShares,
): 'helpful' | 'useless' | 'harmful' {
  const at = fraction * (helpful + useless + harmful);
  if (at < harmful) return 'harmful';
  return at < harmful + useless ? 'useless' : 'helpful';
}

export function summaryOf(read: ReflectionPrompt, edits: readonly ReplyEdit[]): readonly object[] {
  return read.failures.slice(0, Math.max(edits.length, 3)).map(({ criterion, count }) => ({
    failure_type: criterion
      .toLowerCase()
      .split(/\s+/)
      .slice(0, 6)
      .join(' ')
      .replace(/[.,:;]$/, ''),
    count,
    description: criterion,
  }));
}

/** Whether the prompt says that the length of the skill counts too. */
function wantsShorter(prompt: string): boolean {
  return /^# What counts beside the score$/m.test(prompt) && prompt.includes('the tokens of the skill');
}

/** Takes out what the skill says a second time: whole lines that ask for nothing that an earlier one does not ask for. */
function savingsIn({ skill, said }: ReflectionPrompt): readonly ReplyEdit[] {
  const lines = skill.split(/\r?\n/);
  const sources = [...new Set(said.map(({ source }) => source))];
  return sources.flatMap((source, at) => {
    const earlier = new Set(sources.slice(0, at));
    const own = said.filter((each) => each.source === source);
    const isSaid = own.every(({ instruction, condition }) =>
      said.some(
        (other) => earlier.has(other.source) && other.condition === condition && isSame(other.instruction, instruction),
      ),
    );
    const line = lines.filter((each) => each.trim().replace(/^[-*+]\s+/, '') === source);
    const [anchor = ''] = line;
    if (!isSaid || line.length !== 1 || skill.split(anchor).length !== 2) return [];
    return [{ op: 'delete', anchor, content: '', rationale: 'The skill says this already.', tasks: [] }];
  });
}
