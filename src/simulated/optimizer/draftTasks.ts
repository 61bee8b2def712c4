import { instructionsIn } from '../reading/readInstructions.js';
import { contentWords } from '../reading/contentWords.js';
import { promptBlocks } from '../reading/promptBlocks.js';
import { sentencesOf } from '../reading/statements.js';
import { draftFromSkill, type Draft } from './draftFromSkill.js';
import { malformedChoice } from './misbehaviour.js';
import type { OptimizerMood } from './reflect.js';
import { budgetIn } from './reflectionPrompt.js';

const shownOfKnown = 60; // characters; prompts that begin alike are the same request
const shortestRequest = 12; // characters; below this it is a remark, not a job

/**
 * Drafts tasks from past sessions: what the person asked first is the task, what they corrected is expected of it.
 * Without any session it works from the skill alone. What exists already is not drafted again.
 */
export function draftTasks(prompt: string, mood: OptimizerMood): string {
  if (mood.chance.fraction('reply') < mood.shares.malformed) return malformedChoice(mood.chance);
  const { blocks, outside } = promptBlocks(prompt);
  const budget = Math.max(1, budgetIn(outside));
  const given = (known: string): string => blocks.find(({ name }) => name === known)?.text ?? '';
  const sessions = blocks.filter(({ name }) => name !== 'skill' && name !== 'known').map(({ text }) => saidBy(text));
  const fromSessions = sessions.flatMap(([request, ...remarks]) =>
    request === undefined || request.length < shortestRequest ? [] : [taskOf(request, remarks, mood)],
  );
  const drafts = sessions.length > 0 ? fromSessions : draftFromSkill(given('skill'), 2 * budget, mood.chance);
  const fresh = drafts.filter(({ prompt: text }) => !given('known').includes(text.slice(0, shownOfKnown)));
  return JSON.stringify({ tasks: fresh.slice(0, budget) }, null, 2);
}

/** What the person said, turn by turn: lines marked as theirs, else the whole text. */
function saidBy(text: string): readonly string[] {
  const turns = [...text.matchAll(/^\s*(?:[-*]\s+)?(?:user|person|human|me)\s*[:>]\s*(.+)$/gim)].map((match) =>
    (match[1] ?? '').trim(),
  );
  return turns.length > 0 ? turns : text.trim() === '' ? [] : [text.trim()];
}

function taskOf(request: string, remarks: readonly string[], { chance }: OptimizerMood): Draft {
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
