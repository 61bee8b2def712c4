import { contradicts, isSame, type Instruction } from '../instruction.js';
import { blocksNamed, promptBlocks } from '../reading/promptBlocks.js';
import { instructionsIn, readInstructions } from '../reading/readInstructions.js';
import { placeForRules } from './helpfulEdits.js';
import { listed } from './listed.js';
import { malformedChoice, malformedReflection } from './misbehaviour.js';
import { composed, summaryOf, type OptimizerHabits } from './reflect.js';
import { readReflectionPrompt } from './reflectionPrompt.js';
import { voiceOf } from './skillVoice.js';
import * as z from 'zod';

/**
 * The optimizer in the modes that rewrite a skill. What it has learned is what it would have edited; but whoever writes a
 * text anew needs no anchor, so whatever contradicts a lesson goes, wherever and however often it stands.
 */

/** An analyst's suggestions: what its edits would say, without their places. */
export function suggest(prompt: string, habits: OptimizerHabits): string {
  const read = readReflectionPrompt(prompt);
  if (isMalformed(habits)) return malformedReflection(habits.chance, read.failures);
  const edits = composed(read, habits).filter(({ content }) => content !== '');
  const suggestions = edits.slice(0, read.budget).map(({ op, content, rationale, tasks }) => ({
    type: op === 'replace' ? 'clarify' : 'add_rule',
    title: 'Say what is asked for',
    motivation: rationale,
    instruction: sentenceOf(content),
    priority_hint: 'high',
    tasks,
  }));
  return JSON.stringify({ failure_summary: summaryOf(read, edits), revise_suggestions: suggestions }, null, 2);
}

/** One list out of several: equal suggestions once, and of two that contradict the one with more support. */
export function mergeSuggestions(prompt: string, habits: OptimizerHabits): string {
  if (isMalformed(habits)) return malformedChoice(habits.chance);
  const byInstruction = new Map<string, z.infer<typeof Suggested>>();
  for (const each of listed(prompt, Suggested)) {
    const key = each.instruction.toLowerCase();
    const known = byInstruction.get(key);
    const tasks = [...new Set([...(known?.tasks ?? []), ...each.tasks])];
    byInstruction.set(key, { ...each, tasks, support_count: (known?.support_count ?? 0) + each.support_count });
  }
  const strongest = [...byInstruction.values()].sort((a, b) => b.support_count - a.support_count);
  const kept = strongest.filter((each, at) => !strongest.slice(0, at).some((other) => clash(other, each)));
  return JSON.stringify({ reasoning: `${kept.length} suggestions are left.`, revise_suggestions: kept }, null, 2);
}

/** The skill of the prompt with its suggestions worked in. */
export function rewriteBySuggestions(prompt: string, habits: OptimizerHabits): string {
  if (isMalformed(habits)) return malformedChoice(habits.chance);
  const lessons = listed(prompt, Suggested).map(({ instruction, motivation }) => ({ instruction, motivation }));
  const { text, changes } = rewritten(skillIn(prompt), lessons);
  return JSON.stringify({ reasoning: 'Worked in.', new_skill: text, change_summary: changes }, null, 2);
}

/** An analyst's own rewrite: the skill with all that it learned. */
export function rewriteWhole(prompt: string, habits: OptimizerHabits): string {
  const read = readReflectionPrompt(prompt);
  if (isMalformed(habits)) return malformedReflection(habits.chance, read.failures);
  const edits = composed(read, habits).filter(({ content }) => content !== '');
  const lessons = edits.map(({ content, rationale }) => ({ instruction: sentenceOf(content), motivation: rationale }));
  const { text, changes } = rewritten(read.skill, lessons);
  const candidates = lessons.length === 0 ? [] : [{ title: 'Rewritten', new_skill: text, change_summary: changes }];
  return JSON.stringify({ failure_summary: summaryOf(read, edits), skill_candidates: candidates }, null, 2);
}

/** One rewrite out of several: the one with most support, and what the others ask for that it does not. */
export function mergeRewrites(prompt: string, habits: OptimizerHabits): string {
  if (isMalformed(habits)) return malformedChoice(habits.chance);
  const [first, ...others] = listed(prompt, Rewritten).sort((a, b) => b.support_count - a.support_count);
  if (first === undefined) return JSON.stringify({ reasoning: 'Nothing to merge.', skill_candidates: [] });
  const before = readInstructions(skillIn(prompt)).map(({ instruction }) => instruction);
  const own = readInstructions(first.new_skill).map(({ instruction }) => instruction);
  const more = others
    .flatMap(({ new_skill: text }) => readInstructions(text))
    .filter(
      ({ instruction }) =>
        ![...before, ...own].some((said) => isSame(said, instruction) || contradicts(said, instruction)),
    )
    .map(({ source }) => ({ instruction: source, motivation: 'Another rewrite asks for it.' }));
  const { text, changes } = rewritten(first.new_skill, more);
  const merged = { ...first, new_skill: text, change_summary: [...first.change_summary, ...changes] };
  return JSON.stringify({ reasoning: 'The strongest, with what it lacked.', skill_candidates: [merged] }, null, 2);
}

function isMalformed({ chance, shares }: OptimizerHabits): boolean {
  return chance.fraction('reply') < shares.malformed;
}

const Suggested = z.looseObject({
  instruction: z.string(),
  motivation: z.string().default(''),
  tasks: z.array(z.string()).default([]),
  support_count: z.number().default(1),
});

const Rewritten = z.looseObject({
  new_skill: z.string(),
  change_summary: z.array(z.unknown()).default([]),
  support_count: z.number().default(1),
});

function skillIn(prompt: string): string {
  return blocksNamed(promptBlocks(prompt).blocks, /^skill/)[0]?.text ?? '';
}

function sentenceOf(content: string): string {
  return content
    .trim()
    .replace(/^[-*+]\s+/, '')
    .replaceAll(/\s+/g, ' ');
}

function clash(one: { readonly instruction: string }, other: { readonly instruction: string }): boolean {
  const said = instructionsIn(one.instruction);
  return instructionsIn(other.instruction).some((next) => said.some((known) => contradicts(known, next)));
}

interface ReworkedText {
  readonly text: string;
  readonly changes: readonly { readonly section: string; readonly change: string }[];
}

function rewritten(
  skill: string,
  lessons: readonly { readonly instruction: string; readonly motivation: string }[],
): ReworkedText {
  let text = skill;
  const changes: { section: string; change: string }[] = [];
  for (const { instruction, motivation } of lessons) {
    const wanted = instructionsIn(instruction);
    for (const source of contraryTo(wanted, text)) {
      const cleared = without(text, source);
      if (cleared !== text) changes.push({ section: headingAbove(text, source), change: `No longer says: ${source}` });
      text = cleared;
    }
    const anchor = placeForRules(text, []);
    text = withRule(text, anchor, `${voiceOf(text).marker} ${instruction}`);
    changes.push({ section: headingAbove(text, instruction), change: motivation });
  }
  return { text, changes };
}

/** Sentences that ask for nothing but the contrary. */
function contraryTo(wanted: readonly Instruction[], text: string): ReadonlySet<string> {
  const read = readInstructions(text);
  const isContrary = (instruction: Instruction): boolean => wanted.some((each) => contradicts(instruction, each));
  return new Set(
    read
      .map(({ source }) => source)
      .filter((source) => read.every((each) => each.source !== source || isContrary(each.instruction))),
  );
}

// A marked part ends before the next one begins: the end of one that has none is looked for once, not from every other one.
const guarded =
  /^---\n[\s\S]*?\n---\n|^ *(`{3,20}|~{3,20})[\s\S]*?^ *\1[^\n]*$|<!--\s*whetstone:keep(?:(?!<!--\s*whetstone:keep)[\s\S])*?\/whetstone:keep\s*-->|<!--\s*(\S{1,60}?)[_ ]START\s*-->(?:(?!<!--\s*\S{1,60}?[_ ]START\s*-->)[\s\S])*?<!--\s*\2[_ ]END\s*-->/gm;

/** The text without the sentence, wherever it stands but in front matter, code and marked parts. */
function without(text: string, sentence: string): string {
  const words = sentence.split(/\s+/).map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  const wanted = new RegExp(`(?<![ \\t])[ \\t]*${words.join(String.raw`\s+`)}`, 'g');
  const cleared = (part: string): string =>
    part
      .replaceAll(wanted, '')
      .replaceAll(/^[ \t]*[-*+][ \t]*\n/gm, '')
      .replaceAll(/\n{3,}/g, '\n\n');
  let result = '';
  let from = 0;
  for (const match of text.matchAll(guarded)) {
    result += cleared(text.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return result + cleared(text.slice(from));
}

function withRule(text: string, anchor: string | undefined, rule: string): string {
  if (anchor === undefined) return `${text.trimEnd()}\n\n${rule}\n`;
  const isItem = /^\s*[-*+]\s/.test(anchor);
  return text.replace(anchor, () => `${anchor}${isItem ? '\n' : '\n\n'}${rule}`);
}

function headingAbove(text: string, part: string): string {
  const above = text.slice(0, Math.max(0, text.indexOf(part.slice(0, 20)))).split('\n');
  const heading = above.findLast((line) => /^#{1,6}\s/.test(line)) ?? '';
  return heading.replace(/^#+\s*/, '');
}
