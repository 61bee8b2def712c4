import { instructionsIn } from '../reading/readInstructions.js';
import { contentWords } from '../reading/contentWords.js';
import { promptBlocks } from '../reading/promptBlocks.js';
import { sentencesOf } from '../reading/statements.js';
import { malformedChoice } from './misbehaviour.js';
import type { OptimizerMood } from './reflect.js';
import { budgetIn } from './reflectionPrompt.js';

const shortestRequest = 12; // characters; below this it is a remark, not a job

/** Drafts tasks from past sessions: what the person asked first is the task, what they corrected is expected of it. */
export function draftTasks(prompt: string, mood: OptimizerMood): string {
  if (mood.chance.fraction('reply') < mood.shares.malformed) return malformedChoice(mood.chance);
  const { blocks, outside } = promptBlocks(prompt);
  const sessions = blocks.filter(({ name }) => name !== 'skill').map(({ text }) => saidBy(text));
  const drafts = sessions.flatMap(([request, ...remarks]) =>
    request === undefined || request.length < shortestRequest ? [] : [taskOf(request, remarks, mood)],
  );
  return JSON.stringify({ tasks: drafts.slice(0, Math.max(1, budgetIn(outside))) }, null, 2);
}

/** What the person said, turn by turn: lines marked as theirs, else the whole text. */
function saidBy(text: string): readonly string[] {
  const turns = [...text.matchAll(/^\s*(?:[-*]\s+)?(?:user|person|human|me)\s*[:>]\s*(.+)$/gim)].map((match) =>
    (match[1] ?? '').trim(),
  );
  return turns.length > 0 ? turns : text.trim() === '' ? [] : [text.trim()];
}

function taskOf(request: string, remarks: readonly string[], { chance }: OptimizerMood): object {
  const words = contentWords(request).slice(0, 3);
  const corrections = remarks.flatMap(sentencesOf).flatMap(instructionsIn);
  const told = corrections.map(({ sentence }) => sentence);
  return {
    id: [...words, chance.digits(`task ${request}`, 4)].join('-').replaceAll(/[^\p{L}\p{N}-]/gu, ''),
    prompt: request,
    expectations: told.length > 0 ? [...new Set(told)] : [`The answer addresses ${words.join(', ')}.`],
    checks: [{ check: 'no_refusal' }],
    tags: words.slice(0, 1),
  };
}
