import { criteriaOf, gamingSecretsOf } from '../../checks/criteria.js';
import type { TrainingTask } from '../../tasks/task.js';
import type { Clean } from './shortened.js';

/**
 * Takes out of what others said (a judge, a program, an observation) what the optimizer must not learn about a task: its
 * reference answers, its expected output, expressions, and what hidden checks look for. What it is shown anyway, in the
 * task, its tools, its open criteria or the answer, is no secret.
 */
export function withholding(task: TrainingTask, answer: string): Clean {
  const open = openText(task, answer);
  const patterns = secretsOf(task)
    .map(patternFor)
    .filter((pattern) => !new RegExp(pattern.source, pattern.flags).test(open));
  return (text) => patterns.reduce((rest, pattern) => rest.replaceAll(pattern, '[withheld]'), text);
}

function openText(task: TrainingTask, answer: string): string {
  const found = criteriaOf(task);
  const criteria = found.kind === 'criteria' ? found.criteria.filter(({ hidden }) => !hidden) : [];
  const tools = task.tools.flatMap(({ name, description, result }) => [name, description, result]);
  const stated = criteria.map(({ criterion }) => criterion);
  return [task.prompt, task.context ?? '', task.system ?? '', answer, ...tools, ...stated].join('\n');
}

/** Longest first, so that a part of one does not hide the rest of it. Pieces of a long one are secret too. */
function secretsOf(task: TrainingTask): readonly string[] {
  const hidden = task.checks.filter((spec) => spec.hidden).flatMap((spec) => lookedFor(spec.arguments));
  const whole = [...gamingSecretsOf(task), ...hidden];
  const pieces = whole.flatMap((text) => text.split(/\n+|(?<=[.!?])\s+/u)).filter((text) => text.length >= longPiece);
  return [...new Set([...whole, ...pieces].map((text) => text.trim()))]
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .sort((a, b) => b.length - a.length);
}

const longPiece = 24; // characters: a sentence that others would not write by chance

/** The arguments of a check that say what it looks for; others are words such as “whole”. */
const telling = new Set(['text', 'pattern', 'heading', 'rubric', 'tool', 'answer', 'answers']);

function lookedFor(given: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(given)
    .filter(([name]) => telling.has(name))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value) => typeof value === 'string');
}

const short = 4; // characters; in another case such a one is an ordinary word

/** Finds a text as whole words, however it is spaced. */
function patternFor(secret: string): RegExp {
  const source = secret
    .split(/\s+/u)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`))
    .join(String.raw`\s+`);
  const before = joinsWords.test(secret.slice(0, 1)) ? String.raw`(?<![\p{L}\p{N}])` : '';
  const after = joinsWords.test(secret.slice(-1)) ? String.raw`(?![\p{L}\p{N}])` : '';
  return new RegExp(before + source + after, secret.length < short ? 'gu' : 'giu');
}

/** A letter or digit of a script that has spaces. */
const joinsWords = /[\p{N}\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]/u;
