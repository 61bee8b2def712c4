import assert from 'node:assert/strict';
import { checkCatalog } from '../../../../src/checks/registry.js';
import { readTasks, type ReadTasks } from '../../../../src/tasks/readers/readTasks.js';
import type { TaskPlace } from '../../../../src/tasks/taskProblem.js';

const programs = 'claude-code, codex, copilot-cli, gemini-cli, opencode';
const agent = { fixture: 'evals/fixtures/shop' };
const good = { check: 'file_changed', path: 'prices.md' };

describe('what is wrong with a task of an agent', () => {
  const rows: readonly (readonly [name: string, entry: Record<string, unknown>, said: string])[] = [
    [
      'a program that is nearly one',
      { agent: { ...agent, program: 'claud' } },
      `“agent.program” must be one of these: ${programs}. What stands there is “claud”. Did you mean “claude-code”?`,
    ],
    [
      'a program that there is not',
      { agent: { ...agent, program: 'gpt' } },
      `“agent.program” must be one of these: ${programs}. What stands there is “gpt”.`,
    ],
    [
      'a mode',
      { agent: { ...agent, mode: 'forcd' } },
      '“agent.mode” must be one of these: offered, forced. What stands there is “forcd”. Did you mean “forced”?',
    ],
    [
      'a field of the agent',
      { agent: { ...agent, programm: 'codex' } },
      '“agent” has no field “programm”. Did you mean “program”?',
    ],
    [
      'a field that is missing because it is mistyped',
      { agent: { fixtur: 'evals/x' } },
      '“agent” has no field “fixtur”. Did you mean “fixture”?',
    ],
    [
      'a field that nobody can guess',
      { agent: { ...agent, colour: 'red' } },
      '“agent” has no field “colour”. It has these: fixture, mode, program, maxTokens, maxTurns, minutes.',
    ],
    [
      'no fixture',
      { agent: {} },
      '“agent.fixture”: must be a folder such as "evals/fixtures/shop", or { "repository": "…", "commit": "…" }. It is missing.',
    ],
    [
      'a fixture that is a number',
      { agent: { fixture: 5 } },
      '“agent.fixture”: must be a folder such as "evals/fixtures/shop", or { "repository": "…", "commit": "…" }. What stands there is 5.',
    ],
    [
      'a fixture elsewhere',
      { agent: { fixture: '../shop' } },
      '“agent.fixture”: must lie in the folder of the skill. What stands there is “../shop”.',
    ],
    [
      'a commit',
      { agent: { fixture: { repository: '.', commit: 'main' } } },
      '“agent.fixture.commit”: must be the 40 hexadecimal digits of a commit. What stands there is “main”.',
    ],
    [
      'a field of the repository',
      { agent: { fixture: { repo: '.', commit: 'a'.repeat(40) } } },
      '“agent.fixture” has no field “repo”. Did you mean “repository”?',
    ],
    [
      'a limit in quotation marks',
      { agent: { ...agent, maxTurns: '30' } },
      '“agent.maxTurns” must be a number, without quotation marks. What stands there is “30”.',
    ],
    [
      'half a turn',
      { agent: { ...agent, maxTurns: 1.5 } },
      '“agent.maxTurns” must be a whole number. What stands there is 1.5.',
    ],
    [
      'too few tokens',
      { agent: { ...agent, maxTokens: 10 } },
      '“agent.maxTokens” must be at least 1000. What stands there is 10.',
    ],
    ['no time', { agent: { ...agent, minutes: 0 } }, '“agent.minutes” must be more than 0. What stands there is 0.'],
    [
      'an agent that is a word',
      { agent: 'codex' },
      '“agent” must be an object in braces. What stands there is “codex”.',
    ],
    [
      'checks that are no list',
      { agent, checks: good },
      `“checks” must be a list in square brackets. What stands there is ${JSON.stringify(good)}.`,
    ],
    [
      'a mistyped name of a field',
      { agent, cheks: [good] },
      'Nothing reads “cheks” of the task “shop”. Did you mean “checks”?',
    ],
    [
      'a check',
      { agent, checks: [{ check: 'file_chaged', path: 'x' }] },
      'There is no check named “file_chaged”. Did you mean “file_changed”?',
    ],
    [
      'an argument',
      { agent, checks: [{ check: 'file_changed', pth: 'x' }] },
      'There is a fault in its check “file_changed”: It has no argument “pth”. Did you mean “path”?',
    ],
    [
      'a missing argument',
      { agent, checks: [{ check: 'file_changed' }] },
      'There is a fault in its check “file_changed”: “path” must be a text in quotation marks. It is missing.',
    ],
    [
      'a value of an argument',
      { agent, checks: [{ ...good, change: 'aded' }] },
      'There is a fault in its check “file_changed”: “change” must be one of these: added, changed, deleted, any, none. What stands there is “aded”. Did you mean “added”?',
    ],
    [
      'a check that takes none',
      { agent, checks: [good, { check: 'no_refusal', x: 1 }] },
      'There is a fault in its check “no_refusal”: It has no argument “x”, and takes none.',
    ],
  ];
  for (const [name, entry, said] of rows) {
    it(`is told once, in plain words: ${name}`, () => {
      const { problems, broken, tasks } = read({ environment: 'agent', checks: [good], ...without(entry) });
      assert.deepEqual(
        problems.map(({ message }) => message),
        [said.startsWith('Nothing reads') ? said : `The task “shop” cannot be used: ${said}`],
      );
      assert.deepEqual([tasks.length, broken.map(({ reason }) => reason)], [0, [said]]);
      assert.equal(problems[0]?.severity, 'error');
    });
  }

  it('is told of each fault that does not come from another', () => {
    const { problems } = read({
      environment: 'agent',
      agent: { ...agent, program: 'claud', mode: 'forcd' },
      checks: [
        { check: 'file_chaged', path: 'x' },
        { check: 'file_changed', path: 7, change: 'aded' },
      ],
    });
    assert.deepEqual(
      problems.map(({ message }) => /“(agent\.\w+|file_chaged|path|change)”/u.exec(message)?.[1]),
      ['agent.mode', 'agent.program', 'file_chaged', 'path', 'change'],
    );
  });

  it('is an environment that was mistyped, and nothing that follows from it', () => {
    const { problems, tasks } = read({ environment: 'agents', agent, checks: [good] });
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['The task “shop” asks for the environment “agents”, which nothing here declares. Did you mean “agent”?'],
    );
    assert.equal(tasks.length, 0);
  });

  it('may be the environment of an extension: one of a name that is near ours is only warned of', () => {
    const { problems, tasks } = read({ environment: 'chats' });
    assert.deepEqual(
      problems.map(({ severity, message }) => [severity, /Did you mean “chat”/u.test(message)]),
      [['warning', true]],
    );
    assert.equal(tasks.length, 1);
    assert.deepEqual(read({ environment: 'chats' }, { chats: { command: 'x' } }).problems, []);
  });

  it('stands on the name where the name is wrong, else on the value', () => {
    const { problems } = read({ environment: 'agent', agent: { fixtur: 'evals/x', mode: 'forcd' } });
    const stands = problems.map(({ place }) => text.slice(place.start.offset, place.end.offset));
    assert.deepEqual(stands, ['"fixtur"', '"forcd"']);
  });
});

describe('fields of ours in evals.json, which is a public format', () => {
  const checks = [good];
  const belongs = 'That belongs into evals/whetstone.json, under “tasks” and “shop”.';

  it('are named once a task, with where they belong, and the task is kept out: it would be another one', () => {
    const { problems, tasks, broken } = read(undefined, {}, { environment: 'agent', agent, checks });
    const said = `Nothing reads “environment”, “agent”, “checks” of the task “shop” in evals.json. ${belongs}`;
    assert.deepEqual(
      problems.map(({ severity, code, message, place }) => [severity, code, message, place.path, marked(place)]),
      [['error', 'unknown-field', said, 'evals.json', '"environment"']],
    );
    assert.deepEqual([tasks.length, broken.map(({ reason }) => reason)], [0, [said]]);
  });

  const single: readonly (readonly [name: string, fields: Record<string, unknown>, severity: string])[] = [
    ['checks of ours', { checks }, 'error'],
    ['an environment of ours', { environment: 'agent' }, 'error'],
    ['an agent of ours', { agent }, 'error'],
    ['an agent of another tool', { agent: 'reviewer' }, 'warning'],
    ['checks of another tool', { checks: ['build', 'lint'] }, 'warning'],
    ['a side', { split: 'heldOut' }, 'warning'],
  ];
  for (const [name, fields, severity] of single) {
    it(`are told as ${severity}: ${name}`, () => {
      const [key = ''] = Object.keys(fields);
      const { problems, tasks } = read(undefined, {}, { expectations: ['It says so.'], ...fields });
      assert.deepEqual(
        problems.map((each) => [each.severity, each.message, marked(each.place)]),
        [[severity, `Nothing reads “${key}” of the task “shop” in evals.json. ${belongs}`, `"${key}"`]],
      );
      assert.equal(tasks.length, severity === 'error' ? 0 : 1);
    });
  }

  it('count for nothing beside what whetstone.json says', () => {
    const entry = { environment: 'agent', agent, checks };
    const { problems, tasks } = read(entry, {}, { checks: [{ check: 'no_refusal' }] });
    assert.deepEqual(
      problems.map(({ severity, message }) => [severity, message]),
      [['warning', 'Nothing reads “checks” of the task “shop” in evals.json: what evals/whetstone.json says counts.']],
    );
    assert.deepEqual(
      tasks[0]?.checks.map(({ check }) => check),
      ['file_changed'],
    );
  });

  it('leave fields of other tools alone', () => {
    const fields = { expectations: ['It says so.'], tags: ['a'], origin: 'x', grader: {}, checklist: [] };
    assert.deepEqual(read(undefined, {}, fields).problems, []);
  });
});

let text = '';
let evalsText = '';

/** What a problem of `evals.json` stands on. */
function marked({ start, end }: TaskPlace): string {
  return evalsText.slice(start.offset, end.offset);
}

function read(
  entry: Record<string, unknown> | undefined,
  environments: Record<string, unknown> = {},
  fields: Record<string, unknown> = {},
): ReadTasks {
  const tasks = entry === undefined ? {} : { shop: entry };
  text = JSON.stringify({ format: 'whetstone.tasks', version: 1, tasks, environments }, null, 1);
  evalsText = JSON.stringify({ evals: [{ id: 'shop', prompt: 'Change the price.', ...fields }] }, null, 1);
  return readTasks(
    {
      evalsText,
      evalsPath: 'evals.json',
      whetstoneText: text,
      whetstonePath: 'whetstone.json',
    },
    checkCatalog,
  );
}

/** A mistyped name takes the place of the right one. */
function without(entry: Record<string, unknown>): Record<string, unknown> {
  return 'cheks' in entry ? { ...entry, checks: undefined } : entry;
}
