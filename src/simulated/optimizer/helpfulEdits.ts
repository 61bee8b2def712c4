import { type Instruction, contradicts, isSame, resolve } from '../instruction.js';
import { instructionsIn, type ReadInstruction } from '../reading/readInstructions.js';
import type { Failure, ReflectionPrompt } from './reflectionPrompt.js';

/** An edit as the reply states it. */
export interface ReplyEdit {
  readonly op: string;
  readonly anchor?: string;
  readonly content: string;
  readonly rationale: string;
  readonly tasks: readonly string[];
}

/** One thing the skill should ask for, and the failure that says so. */
export interface Lesson {
  readonly instruction: Instruction;
  readonly failure: Failure;
}

/** What the failed criteria ask for in words the target understands, and neither the skill says nor was tried in vain. */
export function lessonsFrom({ said: read, failures, tried }: ReflectionPrompt): readonly Lesson[] {
  const said = resolve(read.flatMap((each) => (each.condition === undefined ? [each.instruction] : [])));
  const wanted = failures.flatMap((failure) =>
    instructionsIn(failure.criterion).map((instruction): Lesson => ({ instruction, failure })),
  );
  const distinct = strictest(wanted);
  const implied = new Set(
    [...said, ...distinct.map(({ instruction }) => instruction)].flatMap(({ implies }) => implies ?? []),
  );
  return distinct.filter(
    ({ instruction }) =>
      !implied.has(instruction.slot) &&
      !said.some((other) => covers(other, instruction)) &&
      !tried.some((other) => isSame(other, instruction)),
  );
}

/** One lesson for each slot: the strictest bound on a length, else what failed most often. */
function strictest(lessons: readonly Lesson[]): readonly Lesson[] {
  const bySlot = new Map<string, Lesson>();
  for (const lesson of lessons) {
    const known = bySlot.get(lesson.instruction.slot);
    if (known === undefined || isStricter(lesson.instruction, known.instruction))
      bySlot.set(lesson.instruction.slot, lesson);
  }
  return [...bySlot.values()];
}

/** Whether what a skill says already is at least as much as what is wanted. */
function covers(said: Instruction, wanted: Instruction): boolean {
  if (isSame(said, wanted)) return true;
  return said.slot === wanted.slot && said.vague !== true && isStricter(said, wanted);
}

/** A lower ceiling or a higher floor. */
function isStricter(one: Instruction, other: Instruction): boolean {
  const { most = Infinity, least = 0 } = one.length ?? {};
  return most < (other.length?.most ?? Infinity) || least > (other.length?.least ?? 0);
}

/**
 * The edits that make the skill say it: instead of a sentence that contradicts it, at the end of the section for rules, or at the end of all.
 * A sentence can give way only once: those in `taken` are gone already.
 */
export function editsFor(
  lesson: Lesson,
  { skill, said }: ReflectionPrompt,
  taken: ReadonlySet<string>,
): readonly ReplyEdit[] {
  const { instruction, failure } = lesson;
  const rationale = `In ${failure.count} failed ${failure.count === 1 ? 'attempt' : 'attempts'} this did not hold: ${failure.criterion}`;
  const shared = { rationale, tasks: failure.tasks };
  const [rival, ...others] = rivalsOf(instruction, skill, said).filter((source) => !taken.has(source));
  if (rival !== undefined) {
    return [
      { op: 'replace', anchor: rival, content: instruction.sentence, ...shared },
      ...others.map((anchor) => ({ op: 'delete', anchor, content: '', ...shared })),
    ];
  }
  const content = `- ${instruction.sentence}`;
  const anchor = placeForRules(skill);
  return [
    anchor === undefined ? { op: 'append', content, ...shared } : { op: 'insert_after', anchor, content, ...shared },
  ];
}

/** Sentences that ask for the contrary and nothing else, each of which an anchor can name. */
function rivalsOf(wanted: Instruction, skill: string, said: readonly ReadInstruction[]): readonly string[] {
  const bySource = new Map<string, ReadInstruction[]>();
  for (const each of said) bySource.set(each.source, [...(bySource.get(each.source) ?? []), each]);
  return [...bySource.entries()].flatMap(([source, all]) =>
    all.every(({ instruction }) => contradicts(instruction, wanted)) ? anchorFor(source, skill) : [],
  );
}

/** The sentence as it stands in the skill, line breaks and all; none where it stands there twice. */
function anchorFor(source: string, skill: string): readonly string[] {
  const words = source.split(/\s+/).map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  const found = [...skill.matchAll(new RegExp(words.join(String.raw`\s+`), 'g'))].map(([text]) => text);
  return found.length === 1 ? found : [];
}

// Where a skill says what answers look like, the likeliest first.
const headings: readonly RegExp[] = [
  /\b(?:format|output|structure|layout|shape)\b/i,
  /\b(?:rules?|guidelines?|requirements?|instructions?)\b/i,
  /\bhow\b.*\b(?:write|writing|answer|reply|talk|say|respond)\b|\bwriting\b|\bstyle\b/i,
  /\bwhat (?:goes|belongs)\b|\bcontents?\b/i,
  /\btone\b/i,
];

/** The last line of the section where a new rule belongs, as an anchor; none where the skill has no such section. */
function placeForRules(skill: string): string | undefined {
  const lines = skill.split(/\r?\n/);
  for (const wanted of headings) {
    for (const [at, line] of lines.entries()) {
      const last = /^#{2,6}\s/.test(line) && wanted.test(line) ? lastLineBeneath(lines, at) : undefined;
      if (last !== undefined && occursOnce(skill, last)) return last;
    }
  }
  return undefined;
}

/**
 * The author's own last line, rather than a rule that may have been learnt: an edit must not hang on another. None beneath a
 * heading with code, a table or a marked region, which are better left alone.
 */
function lastLineBeneath(lines: readonly string[], heading: number): string | undefined {
  const end = lines.findIndex((line, at) => at > heading && /^#{1,6}\s/.test(line));
  const section = lines.slice(heading + 1, end < 0 ? undefined : end).filter((line) => line.trim() !== '');
  return section.some((line) => /^\s*(?:`{3}|~{3}|\||<)/.test(line))
    ? undefined
    : (section.findLast((line) => instructionsIn(line).length === 0) ?? section.at(-1));
}

function occursOnce(text: string, part: string): boolean {
  const at = text.indexOf(part);
  return at >= 0 && !text.includes(part, at + 1);
}
