import type { Author, HarvestSource, Session, SessionPlace } from '../../../src/harvest/session.js';
import { anExchange, begun, nothingCounted } from './readFixture.js';

/** What each source tells of the same story, and what only its place tells. */
export interface Told {
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

export const sources: readonly Told[] = [
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

/** The session that each source tells in `normal`. */
export function shopSession(told: Told, folder = shop): Session {
  const session = plainSession(told, folder);
  return beside[told.source]?.(session) ?? session;
}

function plainSession({ source, id, by = 'unknown', asked, ended, tools, ...told }: Told, folder: string): Session {
  const [last = ''] = tools.slice(-1);
  const at = (index: number) => ({ by, ...(asked[index] === undefined ? {} : { second: asked[index] }) });
  return {
    source,
    id,
    kind: 'main',
    folder,
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
