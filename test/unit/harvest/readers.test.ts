import assert from 'node:assert/strict';
import type { Author, HarvestSource, Session, SessionPlace } from '../../../src/harvest/session.js';
import { anExchange, begun, nothingCounted, readFixture } from './readFixture.js';

/** What each source tells of the same story, and what only its place tells. */
interface Told {
  readonly source: HarvestSource;
  readonly id: string;
  readonly place?: SessionPlace;
  readonly by?: Author;
  readonly commit?: string;
  readonly branch?: string;
  /** Seconds: when each of the three was asked, and when it ended. */
  readonly asked: readonly [number?, number?, number?];
  readonly ended: number;
  readonly tools: readonly string[];
  readonly counts?: Partial<Session['counts']>;
}

const commit = '5c0ffee5c0ffee5c0ffee5c0ffee5c0ffee5c0ff';
const shop = '/home/user/shop';
const placed = { folder: shop };

const sources: readonly Told[] = [
  {
    source: 'claude-code',
    id: 'c1a0de00-0000-4000-8000-000000000001',
    by: 'person',
    commit: '5c0ffee',
    branch: 'main',
    asked: [0, 15, 21],
    ended: 27,
    tools: ['Skill', 'Read', 'Bash'],
    counts: { commands: 1, noise: 2 },
  },
  {
    source: 'codex',
    id: 'c0de0000-0000-7000-8000-000000000001',
    by: 'person',
    commit,
    branch: 'main',
    asked: [5, 26, 38],
    ended: 43,
    tools: ['CommandExecution', 'CommandExecution', 'CommandExecution'],
  },
  {
    source: 'copilot-cli',
    id: 'c0911000-0000-4000-8000-000000000001',
    commit,
    branch: 'main',
    asked: [1, 21, 29],
    ended: 34,
    tools: ['skill', 'view', 'bash'],
    counts: { commands: 1 },
  },
  {
    source: 'gemini-cli',
    id: '9e311000-0000-4000-8000-000000000001',
    place: placed,
    asked: [1, 69, 73],
    ended: 74,
    tools: ['activate_skill', 'read_file', 'run_shell_command'],
  },
  {
    source: 'opencode',
    id: 'ses_e1f66826affe00000000000001',
    asked: [1, 6, 9],
    ended: 90,
    tools: ['skill', 'read', 'bash'],
  },
  {
    source: 'vscode-chat',
    id: 'c0def11e-0000-4000-8000-000000000001',
    place: placed,
    by: 'person',
    asked: [10, 20, 30],
    ended: 39,
    tools: ['copilot_readFile', 'copilot_readFile', 'run_in_terminal'],
  },
  {
    source: 'cursor-agent',
    id: 'a-file',
    place: { ...placed, id: 'a-file', written: begun },
    asked: [],
    ended: 0,
    tools: ['Read', 'Read', 'Shell'],
  },
  {
    source: 'pi',
    id: '91000000-0000-4000-8000-000000000001',
    asked: [2, 13, 17],
    ended: 21,
    tools: ['read', 'read', 'bash'],
  },
];

/** Two sources tell more than the story in it. */
const beside: Partial<Record<HarvestSource, (session: Session) => Session>> = {
  'vscode-chat': (session) => ({
    ...session,
    exchanges: session.exchanges.map((each, index) =>
      index === 2 ? { ...each, feedback: { tone: 'negative', from: 'vote' } } : each,
    ),
  }),
  pi: (session) => {
    const more = anExchange('/skill:release-notes for 1.4.0', 'Noted.', { second: 20, skills: ['release-notes'] });
    return { ...session, exchanges: [...session.exchanges, more] };
  },
};

function shopSession({ source, id, by = 'unknown', asked, ended, tools, ...told }: Told): Session {
  const [last = ''] = tools.slice(-1);
  const at = (index: number) => ({ by, ...(asked[index] === undefined ? {} : { second: asked[index] }) });
  return {
    source,
    id,
    kind: 'main',
    folder: shop,
    git: { commit: told.commit, branch: told.branch },
    started: begun,
    ended: begun + ended * 1000,
    exchanges: [
      anExchange('Write the changelog entry for the rounding fix.', 'Added an entry under Unreleased.', {
        ...at(0),
        tools,
        skills: ['release-notes'],
        feedback: { tone: 'negative', from: 'next-message' },
      }),
      anExchange("No, that's wrong. Name the function.", 'The entry names round_total now.', {
        ...at(1),
        tools: [last],
        feedback: { tone: 'positive', from: 'next-message' },
      }),
      anExchange('Perfect, thanks. Which version is next?', '1.4.0, because nothing else changed.', at(2)),
    ],
    counts: { ...nothingCounted, ...told.counts },
  };
}

for (const told of sources) {
  const { source } = told;
  const read = (file: string, more: SessionPlace = {}): Promise<Session> =>
    readFixture(source, `${file}.jsonl`, { ...told.place, ...more });
  const [tool = ''] = told.tools.slice(-1);

  describe(`a session of ${source}`, () => {
    it('has what was asked and answered, names of tools and skills, and what the person said of it', async () => {
      const expected = shopSession(told);
      assert.deepEqual(await read('normal'), beside[source]?.(expected) ?? expected);
    });

    it('goes on after lines and entries that are broken or unknown, and counts them', async () => {
      const { exchanges, counts } = await read('broken');
      assert.deepEqual(
        exchanges.map(({ asked, answer, tools }) => ({ asked, answer, tools })),
        [{ asked: 'List the open questions.', answer: 'There are two.', tools: [tool] }],
      );
      const broken = source === 'opencode' ? { unknown: 1, broken: 1, tooLong: 1 } : { unknown: 1, broken: 3 };
      assert.deepEqual(counts, { ...nothingCounted, ...broken });
    });

    it('says which folder it is of', async () => {
      const { folder } = await read('other-project', told.place === undefined ? {} : { folder: '/home/user/other' });
      assert.equal(folder, '/home/user/other');
    });

    it('is known as one of our own calls', async () => {
      assert.equal((await read('own-call')).kind, 'own-call');
    });

    it('holds secrets that were said, and nothing that a tool was given or gave back, nor thoughts', async () => {
      const session = await read('secrets');
      const key = 'AKIAIOSFODNN7EXAMPLE';
      assert.deepEqual(
        session.exchanges.map(({ asked, answer, tools }) => ({ asked, answer, tools })),
        [{ asked: `Rotate the key ${key} in the config.`, answer: `I replaced ${key}.`, tools: [tool] }],
      );
      const all = [session, await read('normal')].map((each) => JSON.stringify(each)).join('\n');
      for (const hidden of ['ARGUMENT-ONLY-7c1f', 'OUTPUT-ONLY-9d2e', 'THOUGHT-ONLY-3b4a', 'git status', 'round.py'])
        assert.ok(!all.includes(hidden), hidden);
    });

    it('may be in Chinese', async () => {
      const { exchanges } = await read('chinese');
      assert.deepEqual(
        exchanges.map(({ asked, answer, feedback }) => [asked, answer, feedback?.tone]),
        [
          ['为四舍五入的修复写一条变更日志。', '已在未发布一节加入一条。', 'negative'],
          ['还是不对，请写出函数名。', '现在写的是 round_total。', undefined],
        ],
      );
    });
  });
}
