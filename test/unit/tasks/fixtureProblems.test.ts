import assert from 'node:assert/strict';
import { checkCatalog } from '../../../src/checks/registry.js';
import { publicHashOf } from '../../../src/tasks/makeTask.js';
import { withFixtureProblems } from '../../../src/tasks/fixtureProblems.js';
import { readTasks, type TaskFiles } from '../../../src/tasks/readers/readTasks.js';

const evalsText = `{
  "evals": [
    { "id": "fine", "prompt": "Sum up.", "files": ["evals/a.csv"], "expectations": ["It sums up."] },
    { "id": "lost", "prompt": "Compare.", "files": ["evals/a.csv", "./evals\\\\gone.csv"], "expectations": ["It compares."] }
  ]
}
`;
const heldOutText = `{ "evals": [
  { "id": "apart", "prompt": "Draw.", "files": ["evals/gone.csv"], "expectations": ["It draws."] }
] }`;
const texts: TaskFiles = {
  evalsText,
  evalsPath: 'evals.json',
  whetstoneText: undefined,
  whetstonePath: 'whetstone.json',
  heldOutText,
  heldOutPath: 'heldOut.json',
};

describe('withFixtureProblems', () => {
  const read = readTasks(texts, checkCatalog);

  it('keeps a task out whose fixture cannot be used, and shows it on the line that names the fixture', () => {
    const asked: string[] = [];
    const looked = withFixtureProblems(read, texts, (file, task) => {
      asked.push(`${task.id} ${file}`);
      return file === 'evals/gone.csv' ? `“${file}” is missing.` : undefined;
    });
    assert.deepEqual(asked, ['fine evals/a.csv', 'lost evals/a.csv', 'lost evals/gone.csv', 'apart evals/gone.csv']);
    assert.deepEqual(
      looked.tasks.map((task) => task.id),
      ['fine'],
    );
    assert.deepEqual(
      looked.broken.map(({ task, reason }) => [task.id, reason]),
      [
        ['lost', '“evals/gone.csv” is missing.'],
        ['apart', '“evals/gone.csv” is missing.'],
      ],
    );
    assert.deepEqual(
      looked.problems.map(({ code, severity, taskId, place }) => [
        code,
        severity,
        taskId,
        place.path,
        place.start.line,
        place.start.column,
      ]),
      [
        ['fixture-unusable', 'error', 'lost', 'evals.json', 4, columnOf(evalsText, 4, '"./')],
        ['fixture-unusable', 'error', 'apart', 'heldOut.json', 2, columnOf(heldOutText, 2, '"evals/gone')],
      ],
    );
  });

  it('shows the folder of an agent where whetstone.json names it, also of a task that got another id', () => {
    const evals = { evals: [{ id: 'new', prompt: 'Change the price.' }] };
    const agent = { fixture: 'evals/fixtures/shop.txt' };
    const entry = { contentHash: publicHash(evals.evals[0]), environment: 'agent', agent, checks: [changed] };
    const whetstone = { format: 'whetstone.tasks', version: 1, tasks: { old: entry } };
    const ofAgent: TaskFiles = {
      evalsText: JSON.stringify(evals),
      evalsPath: 'evals.json',
      whetstoneText: JSON.stringify(whetstone, null, 2),
      whetstonePath: 'whetstone.json',
    };
    const { problems, broken } = withFixtureProblems(readTasks(ofAgent, checkCatalog), ofAgent, () => 'It is a file.');
    const [fault] = problems.filter(({ code }) => code === 'fixture-unusable');
    const marked = ofAgent.whetstoneText?.slice(fault?.place.start.offset, fault?.place.end.offset);
    assert.deepEqual(
      [fault?.taskId, fault?.place.path, marked],
      ['new', 'whetstone.json', '"evals/fixtures/shop.txt"'],
    );
    assert.deepEqual(
      broken.map(({ task }) => task.id),
      ['new'],
    );
  });

  it('changes nothing where every fixture is there', () => {
    assert.equal(
      withFixtureProblems(read, texts, () => undefined),
      read,
    );
  });
});

const changed = { check: 'file_changed', path: 'prices.csv' };

function publicHash({ prompt }: { readonly prompt: string } = { prompt: '' }): string {
  return publicHashOf({ prompt, expectedOutput: undefined, files: [], expectations: [] });
}

function columnOf(text: string, line: number, words: string): number {
  return (text.split('\n')[line - 1] ?? '').indexOf(words) + 1;
}
