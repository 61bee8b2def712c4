import assert from 'node:assert/strict';
import type { Author, HarvestSource, SessionPlace } from '../../../src/harvest/session.js';
import { readFixture } from './readFixture.js';

const folder = '/home/user/project';
const prompts = [
  'Write the changelog entry for the fix in calc.py.',
  "No, that's wrong. Name the function, say what was wrong with it and end the entry with a full stop.",
  'Good. Now check that add really works.',
];
const final = 'The check fails: calc.add(2, 3) gives -1, because the function still subtracts. I have not changed it.';

interface RealSession {
  readonly source: HarvestSource;
  readonly tools: readonly string[];
  readonly place?: SessionPlace;
  /** Who asked, by what the session itself tells. */
  readonly typed: Author;
  readonly scripted: Author;
}

const real: readonly RealSession[] = [
  {
    source: 'claude-code',
    tools: ['Skill', 'Read', 'Write', 'Bash', 'Bash', 'Bash'],
    typed: 'person',
    scripted: 'program',
  },
  {
    source: 'codex',
    tools: [
      'CommandExecution',
      'CommandExecution',
      'FileChange',
      'CommandExecution',
      'CommandExecution',
      'CommandExecution',
    ],
    typed: 'person',
    scripted: 'program',
  },
  {
    source: 'copilot-cli',
    tools: ['skill', 'view', 'create', 'bash', 'bash', 'bash'],
    typed: 'unknown',
    scripted: 'unknown',
  },
  {
    source: 'gemini-cli',
    tools: ['activate_skill', 'read_file', 'write_file', 'run_shell_command', 'run_shell_command', 'run_shell_command'],
    place: { folder },
    typed: 'unknown', // a list beside its sessions tells
    scripted: 'unknown',
  },
  {
    source: 'opencode',
    tools: ['skill', 'read', 'write', 'bash', 'bash', 'bash'],
    typed: 'unknown',
    scripted: 'program',
  },
];

describe('a session that the real program wrote', () => {
  for (const { source, tools, place, typed, scripted } of real)
    for (const [how, by] of [
      ['interactive', typed],
      ['headless', scripted],
    ] as const)
      it(`is read whole: ${source}, ${how}`, async () => {
        const session = await readFixture(source, `../real/${source}/${how}.jsonl`, place);
        const { exchanges } = session;
        assert.deepEqual(
          exchanges.map(({ asked }) => asked),
          prompts,
        );
        assert.deepEqual(
          exchanges.flatMap((each) => each.tools),
          tools,
        );
        assert.deepEqual(new Set(exchanges.flatMap(({ skills }) => skills)), new Set(['release-notes']));
        // What a script says is no feedback; that OpenCode's are scripts shows only at their end.
        const isHeard = by !== 'program' || source === 'opencode';
        assert.deepEqual(
          exchanges.map(({ feedback }) => feedback?.tone),
          isHeard ? ['negative', 'positive', undefined] : [undefined, undefined, undefined],
        );
        assert.equal(exchanges.at(-1)?.answer, final);
        assert.deepEqual([session.kind, session.folder], ['main', folder]);
        assert.deepEqual(new Set(exchanges.map((each) => each.by)), new Set([by]));
        assert.deepEqual(session.counts, { ...session.counts, unknown: 0, broken: 0, tooLong: 0 });
      });

  const forced: readonly (readonly [HarvestSource, string])[] = [
    ['claude-code', '/release-notes for the fix in calc.py'],
    ['codex', 'Use $release-notes for the fix in calc.py.'],
  ];
  for (const [source, asked] of forced)
    it(`tells the skill that was called by its name: ${source}`, async () => {
      const { exchanges, folder: where } = await readFixture(source, `../real/${source}/headless-forced-skill.jsonl`);
      assert.deepEqual(
        exchanges.map((each) => [each.asked, each.skills, each.tools, each.answer, each.by]),
        [[asked, ['release-notes'], [], 'All done.', 'program']],
      );
      assert.equal(where, folder);
    });
});
