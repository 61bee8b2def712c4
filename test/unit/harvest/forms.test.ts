import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { linesOf } from '../../../src/harvest/lines.js';
import { readCodex } from '../../../src/harvest/readers/codex.js';
import { folderOfCursorProject } from '../../../src/harvest/readers/cursorAgent.js';
import { geminiProjects, typedGeminiSessions } from '../../../src/harvest/readers/geminiCli.js';
import { readOpencode } from '../../../src/harvest/readers/opencode.js';
import { readVscodeChat } from '../../../src/harvest/readers/vscodeChat.js';
import { foldersOfWorkspaceFile, vscodeWorkspaceOf } from '../../../src/harvest/readers/vscodeWorkspace.js';
import type { Session } from '../../../src/harvest/session.js';
import { anExchange, bytesOf, readFixture } from './readFixture.js';

describe('forms of sessions beside the usual one', () => {
  it('Claude Code: a skill that was called as a command, a branch that was left, a prompt of a script', async () => {
    const { exchanges } = await readFixture('claude-code', 'branches.jsonl');
    assert.deepEqual(exchanges, [
      anExchange('/release-notes for the rounding fix', 'Added an entry.', {
        second: 0,
        by: 'person',
        skills: ['release-notes'],
      }),
      anExchange('Sort the old entries.', 'Sorted.', { second: 5, by: 'person' }),
      anExchange('Publish it.', 'Published.', { second: 7, by: 'program' }),
    ]);
  });

  it('Codex: older files, whose messages are told twice, with a turn that was rolled back', async () => {
    const { exchanges, git } = await readFixture('codex', 'older.jsonl');
    assert.deepEqual(exchanges, [
      // It read one skill, and wrote another one.
      anExchange('Write the changelog entry.', 'Written.', {
        second: 2,
        by: 'person',
        tools: ['shell', 'shell'],
        skills: ['release-notes'],
      }),
      anExchange('Now date it.', 'Dated.', { second: 13, by: 'person' }),
    ]);
    assert.equal(git.branch, 'main');
  });

  const codexSources: readonly (readonly [unknown, Session['kind'], string])[] = [
    ['exec', 'main', 'program'],
    ['vscode', 'main', 'person'],
    ['something-new', 'main', 'unknown'],
    [{ subagent: 'review' }, 'sub-agent', 'unknown'],
  ];
  for (const [source, kind, by] of codexSources) {
    it(`Codex: a session that was begun by ${JSON.stringify(source)} is ${kind}, by ${by}`, async () => {
      const meta = { type: 'session_meta', payload: { id: 'a', cwd: '/a', source } };
      const asked = { type: 'event_msg', payload: { type: 'user_message', message: 'Do it.' } };
      const session = await readCodex(linesOf(bytesOf(meta, asked)), {});
      assert.deepEqual([session.kind, session.exchanges[0]?.by], [kind, by]);
    });
  }

  it('Gemini CLI: the one object of older releases, without files that a prompt named', async () => {
    const session = await readFixture('gemini-cli', 'older.json', { folder: '/home/user/shop', by: 'person' });
    assert.deepEqual(session.exchanges, [
      anExchange('Summarise @notes.md', 'Two open points.', { second: 0, by: 'person', tools: ['read_many_files'] }),
    ]);
    assert.ok(!JSON.stringify(session).includes('-ONLY-'));
  });

  it('Gemini CLI: its log of what was typed names the sessions of persons', () => {
    const logs = JSON.stringify([
      { sessionId: 'a', type: 'user', message: 'Hello.' },
      { sessionId: 'b', type: 'model' },
    ]);
    assert.deepEqual([...typedGeminiSessions(logs)], ['a']);
    assert.deepEqual([...typedGeminiSessions('broken')], []);
  });

  it('OpenCode: prompts that all stand in quotes came from its command line', async () => {
    const { exchanges } = await readFixture('opencode', 'run.jsonl');
    assert.deepEqual(
      exchanges.map(({ asked, by }) => [asked, by]),
      [['List the open questions.', 'program']],
    );
  });

  it('OpenCode: several sessions of one database, a sub-agent among them', async () => {
    const rows = Readable.from([aRow('one', null), aRow('two', 'one')]);
    const found: unknown[] = [];
    for await (const { id, kind, exchanges } of readOpencode(rows, {})) found.push([id, kind, exchanges.length]);
    assert.deepEqual(found, [
      ['one', 'main', 1],
      ['two', 'sub-agent', 1],
    ]);
  });

  it('OpenCode: a message that was taken back, with all after it', async () => {
    const said = [
      ['m1', 'user', 'One.'],
      ['m2', 'assistant', 'Yes.'],
      ['m3', 'user', 'Two.'],
    ];
    const rows = said.map(([message, role, text]) => ({
      ...aRow('one', null),
      undone: 'm3',
      message,
      said: JSON.stringify({ role }),
      part: JSON.stringify({ type: 'text', text }),
    }));
    const found: unknown[] = [];
    for await (const { exchanges } of readOpencode(Readable.from(rows), {}))
      found.push(...exchanges.map(({ asked, answer }) => [asked, answer]));
    assert.deepEqual(found, [['One.', 'Yes.']]);
  });

  it('VS Code: the one object of older versions', async () => {
    const { exchanges } = await readFixture('vscode-chat', 'older.json', { folder: '/home/user/shop' });
    assert.deepEqual(exchanges, [
      anExchange('Which skills are there?', 'One: release-notes.', { second: 1, by: 'person' }),
    ]);
  });

  it('VS Code: a change that fits nothing is counted, and no name of an object’s own workings is followed', async () => {
    const changes = [
      { kind: 0, v: { sessionId: 's', requests: [{ message: { text: 'Do it.' }, response: [{ value: 'Done.' }] }] } },
      { kind: 1, k: ['requests', 7, 'vote'], v: 1 },
      { kind: 2, k: ['requests', 0, 'response'], i: 99, v: [{ value: 'Lost.' }] },
      { kind: 1, k: ['requests', '__proto__', 'message'], v: { text: 'Polluted.' } },
      { kind: 1, k: ['__proto__', 'polluted'], v: true },
      { kind: 1, k: [], v: {} },
    ];
    const session = await readVscodeChat(linesOf(bytesOf(...changes)), {});
    assert.deepEqual(
      session.exchanges.map(({ asked, answer }) => [asked, answer]),
      [['Do it.', 'Done.']],
    );
    assert.equal(session.counts.unknown, 3);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  it('VS Code and Cursor name their folder in a file beside', () => {
    const workspaces: readonly (readonly [string, string | undefined])[] = [
      ['{"folder":"file:///home/user/shop"}', 'folder /home/user/shop'],
      ['{"folder":"file:///c%3A/Users/user/My%20shop"}', 'folder c:\\Users\\user\\My shop'],
      ['{"folder":"file://server/share/shop"}', 'folder \\\\server\\share\\shop'],
      ['{"workspace":"file:///home/user/all.code-workspace"}', 'file /home/user/all.code-workspace'],
      ['{"folder":"vscode-remote://ssh-remote%2Bbox/home/user/shop"}', undefined],
      ['{"folder":"file:///%E0%A4%A"}', undefined],
      ['{}', undefined],
      ['broken', undefined],
    ];
    for (const [text, told] of workspaces) {
      const found = vscodeWorkspaceOf(text);
      assert.equal(found && `${found.kind} ${found.path}`, told, text);
    }
    assert.equal(folderOfCursorProject('{"trustedAt":"…","workspacePath":"/home/user/shop"}'), '/home/user/shop');
  });

  const workspaceFiles: readonly (readonly [what: string, text: string, file: string, folders: readonly string[]])[] = [
    [
      'paths from where it lies, and URIs, each once',
      '{"folders":[{"path":"."},{"path":"../docs","name":"Docs"},{"uri":"file:///srv/x"},{"path":"/w/a/"}]}',
      '/w/a/all.code-workspace',
      ['/w/a', '/w/docs', '/srv/x'],
    ],
    [
      'remarks, and a comma behind the last',
      '{ // ours\n "folders": [{"path": "a//b"}, /* the "old" one */ {"path": "c,]"},], }',
      '/w/all.code-workspace',
      ['/w/a/b', '/w/c,]'],
    ],
    ['paths of Windows', '{"folders":[{"path":"shop"}]}', 'c:\\w\\all.code-workspace', ['c:\\w\\shop']],
    ['a folder of another machine', '{"folders":[{"path":"a"},{"uri":"ssh://box/b"}]}', '/w/all.code-workspace', []],
    ['nothing that is known', '{"folders":{}}', '/w/all.code-workspace', []],
    ['a remark that never ends', `{"folders":[{"path":"a"}]} ${'/* '.repeat(20_000)}`, '/w/x', ['/w/a']],
  ];
  for (const [what, text, file, folders] of workspaceFiles)
    it(`VS Code: a file of several folders may hold ${what}`, () =>
      assert.deepEqual(foldersOfWorkspaceFile(text, file), folders));

  it('Gemini CLI: its list of projects names their folders', () => {
    const list = JSON.stringify({ projects: { '/home/user/shop': 'shop', '/home/user/odd': 1 } });
    assert.deepEqual([...geminiProjects(list)], [['shop', '/home/user/shop']]);
    for (const none of ['', '[]', '{"projects":null}']) assert.deepEqual([...geminiProjects(none)], [], none);
  });
});

/** A row of OpenCode's database with a request in it. */
function aRow(session: string, parent: string | null): Readonly<Record<string, unknown>> {
  const about = { session, parent, directory: '/a', title: 'T', agent: 'build', undone: null, started: 1, ended: 2 };
  const part = '{"type":"text","text":"Do it."}';
  return { ...about, message: `m-${session}`, created: 1, said: '{"role":"user"}', part, part_id: `p-${session}` };
}
