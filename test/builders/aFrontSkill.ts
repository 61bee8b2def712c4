import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ownWords } from './aWorkspace.js';

/** Options with which the skill below leaves two candidates: one rule each step, and the tokens of the skill count too. */
export const frontOptions = {
  choice: { measures: ['score', 'skill-tokens'] },
  edits: { budget: 1, minimum: 1 },
  train: { epochs: 2 },
  gate: { attribution: false },
  slowUpdate: { on: false },
  metaSkill: { on: false },
} as const;

/** A skill that lacks two rules; half of its tasks want the first, half the second. On the simulated model. */
export function writeFrontSkill(folder: string): void {
  mkdirSync(path.join(folder, 'evals'), { recursive: true });
  const skill = '---\nname: harbour\ndescription: Reports from the harbour.\n---\n\n# Harbour\n\nReport in words.\n';
  writeFileSync(path.join(folder, 'SKILL.md'), skill);
  const sides = { training: 4, heldOut: 6 } as const;
  const tasks = Object.entries(sides).flatMap(([split, count]) =>
    Array.from({ length: count }, (_, at) => ({
      id: `${split}-${at}`,
      split,
      checks: [{ check: 'contains', text: at % 2 === 0 ? 'fathoms' : 'Moored' }],
    })),
  );
  write('evals.json', {
    skill_name: 'harbour',
    evals: tasks.map(({ id }) => ({ id, prompt: `Report on ${ownWords(id.replace('-', ''))}.`, expected_output: '' })),
  });
  write('whetstone.json', {
    format: 'whetstone.tasks',
    version: 1,
    tasks: Object.fromEntries(tasks.map(({ id, split, checks }) => [id, { checks, split }])),
  });

  function write(name: string, content: unknown): void {
    writeFileSync(path.join(folder, 'evals', name), `${JSON.stringify(content, undefined, 2)}\n`);
  }
}
