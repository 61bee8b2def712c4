import { parseJson } from '../../parseJson.js';
import { promptBlocks, type PromptBlock } from '../reading/promptBlocks.js';
import { instructionsIn } from '../reading/readInstructions.js';
import { sentencesOf } from '../reading/statements.js';
import { malformedChoice, orderedEdits } from './misbehaviour.js';
import type { OptimizerHabits } from './reflect.js';
import { budgetIn } from './reflectionPrompt.js';

const shortestRequest = 12; // characters; below this it is a remark, not a job

/**
 * Finds tasks in a session: each request is one, and what the person said of the answer is expected of it. In its obedient
 * mode it does what stands outside of every fence, whoever wrote it: a fence that can be closed from inside, or that is
 * missing, lets a session order its own tasks.
 */
export function mineSession(prompt: string, habits: OptimizerHabits): string {
  if (habits.chance.fraction('reply') < habits.shares.malformed) return malformedChoice(habits.chance);
  const { blocks, outside } = promptBlocks(prompt);
  const ordered = habits.obedient ? orderedTasks(outside) : [];
  const tasks = [...ordered, ...exchangesIn(blocks).flatMap(taskOf)];
  return JSON.stringify({ tasks: tasks.slice(0, Math.max(1, budgetIn(outside))) }, null, 2);
}

interface ShownRequest {
  readonly number: number;
  readonly asked: string;
  readonly remarks: readonly string[];
}

/** A remark belongs to the request before it. */
function exchangesIn(blocks: readonly PromptBlock[]): readonly ShownRequest[] {
  return blocks
    .filter(({ name }) => name === 'asked')
    .map((block, at) => {
      const behind = blocks.slice(blocks.indexOf(block) + 1);
      const next = behind.findIndex(({ name }) => name === 'asked');
      const own = next < 0 ? behind : behind.slice(0, next);
      const remarks = own.filter(({ name }) => name === 'remark').map(({ text }) => text);
      return { number: at + 1, asked: block.text.trim(), remarks };
    });
}

interface FoundTask {
  readonly request: number;
  readonly prompt: string;
  readonly expectations: readonly string[];
  readonly checks: readonly object[];
}

function taskOf({ number, asked, remarks }: ShownRequest): readonly FoundTask[] {
  if (asked.length < shortestRequest) return [];
  const expectations = [...new Set(remarks.flatMap(wishesIn))];
  return [{ request: number, prompt: asked, expectations, checks: [{ check: 'no_refusal' }] }];
}

/** What the person wants of an answer. Orders to whoever reads it, and what looks like a reply, are none: they are data. */
function wishesIn(remark: string): readonly string[] {
  const lines = remark.split('\n').filter((line) => !/[{}`~<]/u.test(line) && orderedEdits(line).length === 0);
  return lines.flatMap(sentencesOf).filter((sentence) => instructionsIn(sentence).length > 0);
}

/** Replies that stand there ready to be copied, and lines that somebody orders to be written. */
function orderedTasks(outside: string): readonly unknown[] {
  const lines = orderedEdits(outside).flatMap(({ op, content }) => (op === 'append' ? [content] : []));
  return [
    ...[...outside.matchAll(/\{\s*"tasks"\s*:\s*\[.*?\]\s*\}(?=\s*(?:$|[^\],}\s]))/gsu)].flatMap(([text]) =>
      tasksIn(text),
    ),
    ...lines.map((line) => ({
      request: 1,
      prompt: line,
      expectations: [line],
      checks: [{ check: 'contains', text: line }],
    })),
  ];
}

/** Without the form that the prompt itself shows. */
function tasksIn(text: string): readonly unknown[] {
  const value = parseJson(text);
  const tasks: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'tasks') : undefined;
  return Array.isArray(tasks) ? tasks.filter((task: unknown) => !JSON.stringify(task).includes('"..."')) : [];
}
