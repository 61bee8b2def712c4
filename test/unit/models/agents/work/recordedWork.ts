import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentId } from '../../../../../src/ports/agentPrograms.js';

/**
 * What each program told of the same piece of work, shortened: it used a skill, read a file, wrote one, ran a command that
 * failed, and said that it was done. Five calls to its model.
 */
const files = {
  'claude-code': 'claude',
  codex: 'codex',
  'copilot-cli': 'copilot',
  'gemini-cli': 'gemini',
  opencode: 'opencode',
} as const satisfies Partial<Record<AgentId, string>>;

export type Worker = keyof typeof files;
export const workers: readonly Worker[] = ['claude-code', 'codex', 'copilot-cli', 'gemini-cli', 'opencode'];

/** What the server said that the five calls took. */
export const recordedUsage = { inputTokens: 12_000, outputTokens: 210 };

/** What Copilot leaves in a file at its end. */
export const copilotUsage = JSON.stringify({ modelMetrics: { 'gpt-5': { usage: recordedUsage } } });

export function recordedLines(worker: Worker): readonly string[] {
  const file = path.resolve('test/fixtures/agentWork', `${files[worker]}.jsonl`);
  return readFileSync(file, 'utf8').trim().split('\n');
}
