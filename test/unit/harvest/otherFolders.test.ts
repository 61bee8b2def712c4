import assert from 'node:assert/strict';
import { linesOf } from '../../../src/harvest/lines.js';
import { readClaudeCode } from '../../../src/harvest/readers/claudeCode.js';
import type { HarvestSource } from '../../../src/harvest/session.js';
import { bytesOf, readFixture } from './readFixture.js';

const here = ['List the open questions of the release.', 'There are two.', undefined];
const below = ["No, that's wrong. Name the page on prices.", 'It is prices.md.', undefined];

/** The sources that tell where the agent stands while a session goes on; of the others a session has one folder. */
const told: readonly (readonly [HarvestSource, file: string, kept: readonly unknown[]])[] = [
  ['claude-code', 'moved.jsonl', [here, below]],
  ['codex', 'moved.jsonl', [here, below]],
  // The folder is told only after a request: until then it is taken for asked where the one before was.
  ['codex', 'moved-older.jsonl', [here]],
  ['copilot-cli', 'moved.jsonl', [here, below]],
  ['opencode', 'moved.jsonl', [here, below]],
  ['pi', 'moved.jsonl', [here, below]],
];

describe('a session that leaves its folder', () => {
  for (const [source, file, kept] of told)
    it(`${source}, ${file}: keeps nothing that was said elsewhere, and takes nothing said of it for feedback`, async () => {
      const session = await readFixture(source, file);
      assert.equal(session.folder, '/home/user/shop');
      assert.deepEqual(
        session.exchanges.map(({ asked, answer, feedback }) => [asked, answer, feedback]),
        kept,
      );
      assert.ok(!JSON.stringify(session).includes('ELSEWHERE-ONLY'));
    });

  it('keeps no answer that was given elsewhere to a request that was not', async () => {
    const entries = [
      said('user', '/home/user/shop', 'Compare the prices with last year, please.'),
      said('assistant', '/home/user/shop', { type: 'tool_use', name: 'Bash', input: { command: 'cd ../other' } }),
      said('assistant', '/home/user/other', { type: 'text', text: 'The other folder says ELSEWHERE-ONLY.' }),
    ];
    const { exchanges } = await readClaudeCode(linesOf(bytesOf(...entries)), {});
    assert.deepEqual(
      exchanges.map(({ asked, answer, tools }) => [asked, answer, tools]),
      [['Compare the prices with last year, please.', '', ['Bash']]],
    );
  });

  it('keeps nothing of a request that was given up there', async () => {
    const entries = [
      said('user', '/home/user/shop', 'List the open questions of the release.'),
      said('assistant', '/home/user/shop', { type: 'text', text: 'There are two.' }),
      said('user', '/home/user/other', 'Write to the bank about ELSEWHERE-ONLY.'),
      said('user', '/home/user/shop', 'Name the page on prices, please.'),
    ];
    const { exchanges } = await readClaudeCode(linesOf(bytesOf(...entries)), {});
    assert.deepEqual(
      exchanges.map(({ asked, goesOn }) => [asked, goesOn]),
      [
        ['List the open questions of the release.', undefined],
        ['Name the page on prices, please.', true],
      ],
    );
  });
});

function said(type: 'user' | 'assistant', cwd: string, content: string | object): object {
  return { type, cwd, sessionId: 's', message: { content: typeof content === 'string' ? content : [content] } };
}
