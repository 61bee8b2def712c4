import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aWorkspace, ownWords, type TestWorkspace, type WrittenTask } from './aWorkspace.js';

const skill = '---\nname: words\n---\n\n# Harbour log\n\nCall `file_report` before answering.\n';

/** What the report lacks is told by the tool that takes it, and by nothing else: the check is hidden. */
const tool = {
  name: 'file_report',
  description: 'Files the report of the watch.',
  parameters: { type: 'object', properties: { text: { type: 'string' } } },
  result: [
    'The report was sent back.',
    // The simulated target quotes the first 240 characters of this in its answer.
    `Stamped at the desk of the harbour master${' and once more by the pilots'.repeat(8)}.`,
    'The answer ends with the line “Over and out”.',
  ].join('\n'),
};
const checks = [{ check: 'regex', pattern: String.raw`Over and out\.?\s*$`, hidden: true }];

/** A workspace whose tasks are attempted with a tool; why they fail is in what the tool answers. */
export function aToolWorkspace({ secret }: { readonly secret?: string } = {}): TestWorkspace {
  const workspace = aWorkspace({ skill, tasks: toolTasks() });
  const said = secret === undefined ? tool : { ...tool, result: `${tool.result}\nKey: ${secret}` };
  const file = path.join(path.dirname(workspace.skillPath), 'evals', 'whetstone.json');
  const stored: { tasks: Record<string, object> } = JSON.parse(readFileSync(file, 'utf8'));
  const tasks = Object.entries(stored.tasks).map(([id, own]) => [id, { ...own, environment: 'tools', tools: [said] }]);
  writeFileSync(file, JSON.stringify({ ...stored, tasks: Object.fromEntries(tasks) }));
  return workspace;
}

function toolTasks(): readonly WrittenTask[] {
  const sides = [
    ['training', 2],
    ['heldOut', 6],
  ] as const;
  return sides.flatMap(([side, count]) =>
    Array.from({ length: count }, (_, index) => ({
      id: `${side}-${index}`,
      prompt: `Write down the watch: ${ownWords(`${side}${index}`)}.`,
      side,
      checks,
    })),
  );
}
