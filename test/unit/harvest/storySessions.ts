import type { Exchange, HarvestSource, Session } from '../../../src/harvest/session.js';
import { anExchange, begun, nothingCounted } from './readFixture.js';
import type { Told } from './shopSessions.js';

/** The stories beside the usual one. */
export const stories = ['broken', 'chinese', 'other-project', 'own-call', 'secrets'] as const;
export type Story = (typeof stories)[number];

/** Seconds: when a short session ended, one with a tool, and one that goes on, with when that was asked. */
const times: Readonly<Record<HarvestSource, { short: number; tool: number; goesOn: number; long: number }>> = {
  'claude-code': { short: 2, tool: 5, goesOn: 7, long: 8 },
  codex: { short: 10, tool: 14, goesOn: 17, long: 22 },
  'copilot-cli': { short: 3, tool: 8, goesOn: 10, long: 11 },
  'gemini-cli': { short: 2, tool: 4, goesOn: 5, long: 6 },
  opencode: { short: 90, tool: 90, goesOn: 4, long: 90 },
  'vscode-chat': { short: 19, tool: 19, goesOn: 20, long: 29 },
  'cursor-agent': { short: 0, tool: 0, goesOn: 0, long: 0 }, // it tells none
  pi: { short: 3, tool: 5, goesOn: 6, long: 7 },
};

/** The whole session that a source tells in a story. */
export function storySession(told: Told, story: Story): Session {
  const { source, id, commit, branch } = told;
  return {
    source,
    id,
    kind: story === 'own-call' ? 'own-call' : 'main',
    folder: folderOf(source, story),
    git: { commit, branch },
    started: begun,
    ended: begun + endOf(source, story) * 1000,
    exchanges: exchangesOf(told, story),
    counts: { ...nothingCounted, ...(story === 'broken' ? brokenIn(source) : {}) },
  };
}

function folderOf(source: HarvestSource, story: Story): string {
  if (story === 'other-project') return '/home/user/other';
  return story === 'own-call' && source === 'claude-code' ? '/tmp/whetstone-agent-Ab12Cd/work' : '/home/user/shop';
}

function endOf(source: HarvestSource, story: Story): number {
  const { short, tool, long } = times[source];
  return { broken: tool, chinese: long, 'other-project': short, 'own-call': short, secrets: tool }[story];
}

function brokenIn(source: HarvestSource): Partial<Session['counts']> {
  return source === 'opencode' ? { unknown: 1, broken: 1, tooLong: 1 } : { unknown: 1, broken: 3 };
}

function exchangesOf({ source, by = 'unknown', asked: [first], tools: all }: Told, story: Story): readonly Exchange[] {
  const at = { by, ...(first === undefined ? {} : { second: first }) };
  const later = { by, ...(first === undefined ? {} : { second: times[source].goesOn }) };
  const tools = all.slice(-1);
  switch (story) {
    case 'broken':
      return [anExchange('List the open questions.', 'There are two.', { ...at, tools })];
    case 'secrets':
      return [
        anExchange('Rotate the key AKIAIOSFODNN7EXAMPLE in the config.', 'I replaced AKIAIOSFODNN7EXAMPLE.', {
          ...at,
          tools,
        }),
      ];
    case 'chinese':
      return [
        anExchange('为四舍五入的修复写一条变更日志。', '已在未发布一节加入一条。', {
          ...at,
          tools,
          feedback: { tone: 'negative', from: 'next-message' },
        }),
        anExchange('还是不对，请写出函数名。', '现在写的是 round_total。', later),
      ];
    case 'other-project':
      return [anExchange('Rename the table.', 'Renamed.', at)];
    case 'own-call':
      return [anExchange(...ownWords(source), at)];
  }
}

/** Some tell our own calls by their folder or by who asked, others by what was asked alone. */
function ownWords(source: HarvestSource): readonly [asked: string, answer: string] {
  switch (source) {
    case 'claude-code':
    case 'codex':
    case 'opencode':
      return ['Rename the table.', 'Renamed.'];
    case 'copilot-cli':
    case 'gemini-cli':
    case 'pi':
      return [
        'You grade an answer against criteria. You are strict, brief and fair.\n\n# The task that was set\n\n```task-0f3a9c1d2e4b\nSay when the shop opens.\n```',
        '{"results": []}',
      ];
    case 'vscode-chat':
    case 'cursor-agent':
      return [
        'Answer every prompt in .whetstone/handoff/20261117-152608-4e7d5f as INDEX.md says.',
        'All are answered.',
      ];
  }
}
