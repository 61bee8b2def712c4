import assert from 'node:assert/strict';
import { agentTasksBeyond } from '../../../../src/app/models/agentTasks.js';
import { ownCure } from '../../../../src/wording/ownCure.js';
import type { AgentName } from '../../../../src/tasks/task.js';

const tasks = (...programs: readonly (AgentName | undefined)[]) =>
  programs.map((program, at) => ({
    id: `t${at + 1}`,
    environment: 'agent',
    agent: {
      fixture: 'evals/fixtures/shop',
      mode: 'offered' as const,
      ...(program === undefined ? {} : { program }),
    },
  }));

describe('tasks of agents that the target cannot attempt', () => {
  const none = undefined;
  const chat = { name: 'openai/m', simulated: false, program: none };
  const codex = { name: 'codex', simulated: false, program: 'codex' as const };

  const rows: readonly [string, ReturnType<typeof tasks>, typeof chat | typeof codex, string | undefined][] = [
    [
      'one, by a chat model',
      tasks(none),
      chat,
      'The task t1 is attempted by an agent program, and the target openai/m is none.',
    ],
    [
      'many, by a chat model',
      tasks(none, none, none, none, none, none, 'codex'),
      chat,
      '7 tasks are attempted by an agent program, and the target openai/m is none: t1, t2, t3, t4, t5, ….',
    ],
    [
      'for different programs, by a chat model',
      tasks('codex', 'claude-code'),
      chat,
      '2 tasks are attempted by an agent program, and the target openai/m is none: t1, t2.',
    ],
    [
      'for another program',
      tasks(none, 'claude-code'),
      codex,
      'The task t2 is attempted by claude-code, and the target is codex.',
    ],
    [
      'several for another program',
      tasks('claude-code', none, 'claude-code'),
      codex,
      '2 tasks are attempted by claude-code, and the target is codex: t1, t3.',
    ],
    ['none, by the program they are for', tasks(none, 'codex'), codex, undefined],
  ];
  for (const [name, given, target, message] of rows)
    it(`are told in one message: ${name}`, () => {
      const unfit = agentTasksBeyond(given, target, '/my skills/shop/SKILL.md');
      assert.equal(unfit?.message, message);
      if (message !== undefined) assert.match(unfit?.cure ?? '', /the simulated model to try it/);
    });

  it('are all named in the line that leaves them out, beside the option that takes a program', () => {
    const cureOf = (...given: readonly (AgentName | undefined)[]): readonly string[] => {
      const { cure = '' } =
        agentTasksBeyond(tasks(...given), given[0] === none ? chat : codex, '/my skills/a/SKILL.md') ?? {};
      return [ownCure(cure, 'terminal'), ownCure(cure, 'editor')];
    };
    const [typed = '', shown = ''] = cureOf(none, none, none, none, none, none);
    assert.match(
      typed,
      /--target claude-code \(codex, copilot-cli, gemini-cli, opencode do it too\), or --target simulated/,
    );
    assert.ok(typed.endsWith('“whetstone tasks disable "/my skills/a/SKILL.md" t1 t2 t3 t4 t5 t6”.'), typed);
    assert.doesNotMatch(shown, /whetstone tasks|terminal/);
    const [another = '', told = ''] = cureOf('claude-code', 'claude-code');
    assert.match(
      another,
      /^Give --target claude-code, .*“whetstone tasks disable "\/my skills\/a\/SKILL\.md" t1 t2”\.$/,
    );
    assert.doesNotMatch(told, /whetstone tasks|terminal/);
  });
});
