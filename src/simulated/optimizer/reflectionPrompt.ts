import type { Instruction } from '../instruction.js';
import { blocksNamed, promptBlocks, type PromptBlock } from '../reading/promptBlocks.js';
import { instructionsIn, readInstructions, type ReadInstruction } from '../reading/readInstructions.js';
import { numberIn, numberPattern } from '../reading/wording.js';

/** A criterion that attempts did not meet, in the words of the prompt. */
export interface Failure {
  readonly criterion: string;
  readonly count: number;
  readonly tasks: readonly string[];
}

/** What a prompt that asks for edits says, as far as the model reads it. */
export interface ReflectionPrompt {
  readonly skill: string;
  /** What the skill asks for already, its files too. */
  readonly said: readonly ReadInstruction[];
  /** SKILL.md, and the files beside it where the prompt shows some. */
  readonly documents: readonly ShownDocument[];
  readonly budget: number;
  /** Most frequent first. */
  readonly failures: readonly Failure[];
  /** What the prompt says was tried and not taken. */
  readonly tried: readonly Instruction[];
}

/** A document of the skill, and what it asks for. */
export interface ShownDocument {
  /** Undefined for SKILL.md. */
  readonly file: string | undefined;
  readonly text: string;
  readonly said: readonly ReadInstruction[];
}

/** How a note of the optimizer begins that an edit was tried in vain. */
export const notAgain = '- Not again:';

const usualBudget = 4;
const budgetPattern = new RegExp(
  `(?:at most|no more than|up to|maximum of|choose the|select|pick|top|l\\s*=)\\s*(${numberPattern})\\s*(?:most valuable\\b|edits?\\b|changes\\b|of\\b)?`,
  'i',
);

export function readReflectionPrompt(prompt: string): ReflectionPrompt {
  const { blocks, outside } = promptBlocks(prompt);
  const tried = blocksNamed(blocks, /^rejected|\brejected\b/).flatMap(({ text }) => editTexts(text));
  const untaken = blocksNamed(blocks, /^step$/).flatMap(({ text }) =>
    text
      .split('\n')
      .filter((line) => line.includes('not taken:'))
      .flatMap(editTexts),
  );
  const noted = blocksNamed(blocks, /^notes$/).flatMap(({ text }) =>
    text.split('\n').flatMap((line) => (line.startsWith(notAgain) ? [line.slice(notAgain.length).trim()] : [])),
  );
  const skill = skillIn(blocks);
  const documents = [{ file: undefined, text: skill }, ...filesIn(blocks)].map((shown) => ({
    ...shown,
    said: readInstructions(shown.text),
  }));
  return {
    skill,
    said: documents.flatMap(({ said }) => said),
    documents,
    budget: budgetIn(outside),
    failures: failuresIn(blocks, outside),
    tried: [...tried, ...untaken, ...noted].flatMap(instructionsIn),
  };
}

function skillIn(blocks: readonly PromptBlock[]): string {
  return blocksNamed(blocks, /^(?:skill|memory|document)|current skill/)[0]?.text ?? '';
}

/** Each stands beneath its name and a colon. */
function filesIn(blocks: readonly PromptBlock[]): readonly Pick<ShownDocument, 'file' | 'text'>[] {
  return blocks
    .filter(({ name, lead }) => name === 'reference' && lead.endsWith(':'))
    .map(({ lead, text }) => ({ file: lead.slice(0, -1), text }));
}

export function budgetIn(text: string): number {
  const found = budgetPattern.exec(text)?.[1];
  return found === undefined ? usualBudget : numberIn(found);
}

/** Failed criteria stand beneath each attempt, and are counted in a list; without either, any line may be one. */
function failuresIn(blocks: readonly PromptBlock[], outside: string): readonly Failure[] {
  const counted = blocksNamed(blocks, /^criteria$|criteria/)
    .filter(({ name }) => name !== 'failed')
    .flatMap(({ text }) => criteriaIn(text));
  const failed = blocksNamed(blocks, /^fail(?:ed|ure|ures)?$/).flatMap((block) =>
    criteriaIn(block.text).map((found) => ({ ...found, tasks: taskIn(block.heading) })),
  );
  const loose = counted.length + failed.length > 0 ? [] : looseCriteria(outside);
  const stated = [...counted, ...failed].some(({ criterion }) => instructionsIn(criterion).length > 0);
  return merged([
    ...(stated ? [] : observedCriteria(blocks)),
    ...counted.map((found) => ({ ...found, tasks: [] })),
    ...failed.map((found) => ({ ...found, count: 0 })),
    ...loose,
  ]);
}

interface CriterionCount {
  readonly criterion: string;
  readonly count: number;
}

function criteriaIn(text: string): readonly CriterionCount[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(?:[-*+]|\d+[.)])?\s*(?:(\d+)\s+of\s+\d+:\s*)?(?:failed:\s*|✗\s*|\[ \]\s*)?(.+)$/i.exec(line);
    const criterion = (match?.[2] ?? '').trim();
    return criterion === '' ? [] : [{ criterion, count: Number(match?.[1] ?? 1) }];
  });
}

function looseCriteria(outside: string): readonly Failure[] {
  return outside
    .split('\n')
    .filter(
      (line) =>
        /^\s*[-*+]\s.*\b(?:the answer|the tool|the section|the reply)\b/i.test(line) && !/\bpassed\b|✓/i.test(line),
    )
    .flatMap(criteriaIn)
    .map((found) => ({ ...found, tasks: [] }));
}

/** Where no criterion says what was wrong, what the agent was told on its way may. */
function observedCriteria(blocks: readonly PromptBlock[]): readonly Failure[] {
  return blocksNamed(blocks, /^(?:trajectory|said)$/).flatMap(({ text, heading }) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^(?:- )?the (?:answer|reply)\b/i.test(line))
      .map((line) => ({ criterion: line.replace(/^- /, ''), count: 1, tasks: taskIn(heading) })),
  );
}

function merged(failures: readonly Failure[]): readonly Failure[] {
  const byCriterion = new Map<string, Failure>();
  for (const { criterion, count, tasks } of failures) {
    const known = byCriterion.get(criterion);
    byCriterion.set(criterion, {
      criterion,
      count: (known?.count ?? 0) + count,
      tasks: [...new Set([...(known?.tasks ?? []), ...tasks])],
    });
  }
  return [...byCriterion.values()]
    .map((failure) => ({ ...failure, count: Math.max(failure.count, failure.tasks.length) }))
    .sort((a, b) => b.count - a.count);
}

function taskIn(heading: string): readonly string[] {
  const id = /\btask\s+[“"'`]?([^\s“”"'`:]+)/i.exec(heading)?.[1];
  return id === undefined ? [] : [id];
}

const longestEdit = 2_000; // characters of a line: patterns read no further

/** `- append at “…”: - Be brief. (it lowered the score)` holds `Be brief.` */
/** What the edits of a list say, whichever form it has. */
export function editTexts(text: string): readonly string[] {
  return text.split('\n').map((line) =>
    line
      .slice(0, longestEdit)
      .replace(/^.*?\b(?:append|insert_after|replace|delete)\b(?: in [^“”:]+)?(?: at “[^”]*”)?:\s*/, '')
      .replace(/^\s*[-*+]\s+/, '')
      .replace(/(?<!\s)\s*\([^()]*\)\s*$/, ''),
  );
}
