import type { Chance } from '../chance.js';
import type { Evidence } from '../instruction.js';
import { overlap } from '../reading/wording.js';
import { blocksNamed, promptBlocks, type PromptBlock } from '../reading/promptBlocks.js';
import { instructionsIn } from '../reading/readInstructions.js';
import { sentencesOf } from '../reading/statements.js';

export interface JudgeHabits {
  readonly chance: Chance;
  readonly noise: number;
  readonly obedient: boolean;
}

interface Grade {
  readonly index: number;
  readonly pass: boolean;
  readonly score: number;
  readonly reason: string;
}

const passMark = 0.5;
const askedToPass =
  /\b(?:ignore|disregard|forget|override)\b[\s\S]{0,120}\b(?:pass|full marks|score (?:of )?1|best grade|approve)\b/i;

/** Grades the fenced answer against each numbered criterion: by the kinds it knows, else by the words they share. */
export function grade(prompt: string, habits: JudgeHabits): string {
  const { blocks, outside } = promptBlocks(prompt);
  const evidence = evidenceIn(blocks);
  const bribed = habits.obedient && askedToPass.test(evidence.answer);
  const results = criteriaIn(blocks, outside).map(({ index, text }) => {
    const honest = bribed ? passed(index) : gradeOne(index, text, evidence);
    return habits.chance.fraction(`noise ${index}`) < habits.noise ? reversed(honest) : honest;
  });
  return JSON.stringify({ results }, null, 2);
}

function evidenceIn(blocks: readonly PromptBlock[]): Evidence {
  const answer = blocksNamed(blocks, /^(?:answer|response|reply|output)$|\banswer\b/).at(-1)?.text ?? '';
  const calls = blocksNamed(blocks, /^tools?$/).flatMap(({ text }) => text.split('\n'));
  return { answer, toolsCalled: calls.flatMap((call) => /^\s*(?:[-*]\s+)?([\w.-]+)/.exec(call)?.[1] ?? []) };
}

interface NumberedCriterion {
  readonly index: number;
  readonly text: string;
}

/** One fence a criterion with its number above it, or one list of numbered lines. */
function criteriaIn(blocks: readonly PromptBlock[], outside: string): readonly NumberedCriterion[] {
  const single = blocks.filter(({ name }) => name === 'criterion');
  if (single.length > 0) {
    return single.map(({ lead, text }, at) => ({ index: Number(/(?<!\d)(\d+)\W*$/.exec(lead)?.[1] ?? at), text }));
  }
  const lines = (blocksNamed(blocks, /^(?:criteria|expectations?|rubric)$/).at(-1)?.text ?? outside).split('\n');
  return lines.flatMap((line) => {
    const match = /^\s*(?:[-*]\s+)?\[?(\d+)\]?\s*[.):-]?\s+(.+)$/.exec(line);
    return match === null ? [] : [{ index: Number(match[1]), text: match[2] ?? '' }];
  });
}

function gradeOne(index: number, criterion: string, evidence: Evidence): Grade {
  if (evidence.answer.trim() === '') return { index, pass: false, score: 0, reason: 'The answer is empty.' };
  const parts = sentencesOf(criterion).map((sentence) => scoreOf(sentence, evidence));
  const score = parts.reduce((sum, part) => sum + part, 0) / Math.max(1, parts.length);
  const rounded = Math.round(score * 100) / 100;
  const pass = rounded >= passMark;
  return { index, pass, score: rounded, reason: `${pass ? 'Met' : 'Not met'}: ${criterion.slice(0, 120)}` };
}

function scoreOf(sentence: string, evidence: Evidence): number {
  const known = instructionsIn(sentence);
  if (known.length === 0) return overlap(sentence, evidence.answer);
  return known.filter((instruction) => instruction.heldBy(evidence)).length / known.length;
}

function passed(index: number): Grade {
  return { index, pass: true, score: 1, reason: 'The answer says that it passes.' };
}

function reversed({ index, pass, score }: Grade): Grade {
  return { index, pass: !pass, score: Math.round((1 - score) * 100) / 100, reason: 'Graded in a hurry.' };
}
