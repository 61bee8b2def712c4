import { type Instruction, isSame, resolve } from '../instruction.js';
import { instructionsIn } from '../reading/readInstructions.js';
import { rationaleOf } from './failureWords.js';
import { replaceable, rivalsOf } from './givingWay.js';
import { asListItem, inVoice } from './phrasings.js';
import type { Failure, ReflectionPrompt } from './reflectionPrompt.js';
import { voiceOf } from './skillVoice.js';

/** An edit as the reply states it. */
export interface ReplyEdit {
  readonly op: string;
  /** Only of a file beside SKILL.md, where the prompt shows some. */
  readonly file?: string;
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
  const said = saidAlways(read);
  const distinct = wantedBy(failures);
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

/** What failed although the skill asks for it: the agent did not follow. */
export function lapsesFrom({ said, failures }: ReflectionPrompt): readonly Lesson[] {
  const known = saidAlways(said);
  return wantedBy(failures).filter(({ instruction }) => known.some((other) => covers(other, instruction)));
}

function saidAlways(read: ReflectionPrompt['said']): readonly Instruction[] {
  return resolve(read.flatMap((each) => (each.condition === undefined ? [each.instruction] : [])));
}

function wantedBy(failures: readonly Failure[]): readonly Lesson[] {
  return strictest(
    failures.flatMap((failure) =>
      instructionsIn(failure.criterion).map((instruction): Lesson => ({ instruction, failure })),
    ),
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
 * The edits that make the skill say it in its own voice: instead of what contradicts it, at the end of the section for
 * rules, in whichever of its files that stands, or at the end of all. A text can give way only once: those in `taken` are gone already.
 */
export function editsFor(
  { instruction, failure }: Lesson,
  { skill, documents }: ReflectionPrompt,
  taken: ReadonlySet<string>,
): readonly ReplyEdit[] {
  const shared = { rationale: rationaleOf(failure), tasks: failure.tasks };
  const [rival, ...others] = documents.flatMap(({ file, text, said }) =>
    rivalsOf(instruction, text, said)
      .filter((anchor) => !taken.has(anchor))
      .map((anchor) => ({ text, place: file === undefined ? { anchor } : { file, anchor } })),
  );
  if (rival !== undefined) {
    const voice = voiceOf(rival.text);
    const content = wrappedInto(rival.text, rival.place.anchor, inVoice(instruction, voice), voice.width);
    return [
      { op: 'replace', ...rival.place, content, ...shared },
      ...others.map(({ place }) => ({ op: 'delete', ...place, content: '', ...shared })),
    ];
  }
  const [place] = documents.flatMap(({ file, text, said }) => {
    const anchor = placeForRules(text, replaceable(text, said));
    return anchor === undefined ? [] : [{ text, at: file === undefined ? { anchor } : { file, anchor } }];
  });
  const content = asListItem(instruction, voiceOf(place?.text ?? skill));
  return [
    place === undefined
      ? { op: 'append', content, ...shared }
      : { op: 'insert_after', ...place.at, content, ...shared },
  ];
}

/** The sentence, parted at a comma where the line that it joins would otherwise be longer than the text is wide. */
function wrappedInto(skill: string, replaced: string, sentence: string, width = Infinity): string {
  const [before = '', behind = ''] = skill.split(replaced);
  const started = before.length - before.lastIndexOf('\n') - 1;
  const rest = (/^[^\r\n]*/.exec(behind)?.[0] ?? '').length;
  if (started + sentence.length + rest <= width) return sentence;
  const comma = sentence.lastIndexOf(', ') + 1;
  return comma > 0 && sentence.length - comma - 1 + rest <= width
    ? `${sentence.slice(0, comma)}\n${sentence.slice(comma + 1)}`
    : sentence;
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
export function placeForRules(skill: string, givingWay: readonly string[]): string | undefined {
  const lines = skill.split(/\r?\n/);
  for (const wanted of headings) {
    for (const [at, line] of lines.entries()) {
      const last = /^#{2,6}\s/.test(line) && wanted.test(line) ? lastLineBeneath(lines, at, givingWay) : undefined;
      if (last !== undefined && occursOnce(skill, last)) return last;
    }
  }
  return undefined;
}

/**
 * The author's own last line, rather than a rule that may have been learnt or replaced: an edit must not hang on another.
 * None where the section ends with code or a table, or holds a marked region, which are better left alone.
 */
function lastLineBeneath(lines: readonly string[], heading: number, givingWay: readonly string[]): string | undefined {
  const fenced = fencedLines(lines);
  const end = lines.findIndex((line, at) => at > heading && !fenced.has(at) && /^#{1,6}\s/.test(line));
  const section = lines.slice(heading + 1, end < 0 ? undefined : end).filter((line) => line.trim() !== '');
  const last = section.findLastIndex((line) => /^\s*(?:`{3}|~{3}|\|)/.test(line));
  if (section.some((line) => /^\s*</.test(line)) || last === section.length - 1) return undefined;
  const free = section.slice(last + 1);
  const replaced = givingWay.flatMap((text) => text.split(/\r?\n/).map((line) => line.trim()));
  return free.findLast((line) => !replaced.some((part) => line.includes(part))) ?? free.at(-1);
}

/** Where a line is code: a `#` there begins a comment, not a section. */
function fencedLines(lines: readonly string[]): ReadonlySet<number> {
  const fenced = new Set<number>();
  let open = false;
  for (const [at, line] of lines.entries()) {
    if (/^\s*(?:`{3}|~{3})/.test(line)) open = !open;
    else if (open) fenced.add(at);
  }
  return fenced;
}

function occursOnce(text: string, part: string): boolean {
  const at = text.indexOf(part);
  return at >= 0 && !text.includes(part, at + 1);
}
