import assert from 'node:assert/strict';
import { checkCatalog } from '../../../../src/checks/registry.js';
import { readTasks, type ReadTasks } from '../../../../src/tasks/readers/readTasks.js';

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

let text = '';

function read(entry: Record<string, unknown>, environments: Record<string, unknown> = {}): ReadTasks {
  text = JSON.stringify({ format: 'whetstone.tasks', version: 1, tasks: { shop: entry }, environments }, null, 1);
  return readTasks(
    {
      evalsText: JSON.stringify({ evals: [{ id: 'shop', prompt: 'Change the price.' }] }),
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
