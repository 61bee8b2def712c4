import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ModelReply, ModelRequest } from '../../src/ports/languageModel.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { inEveryRole } from '../builders/aWorkspace.js';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { few } from '../builders/few.js';
import { neverAborted } from '../builders/storage.js';
import { type ChatAnswer, ChatServer, json } from '../fakes/ChatServer.js';
import { aMiningWorld, releaseNotes } from './miningWorld.js';
import { tellSession } from './toldSessions.js';

const nowhere = { CLAUDE_CONFIG_DIR: '', XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' };

describe('attacks by way of sessions, workspaces and model servers', () => {
  let base = '';
  let folder = '';
  let skill = '';
  let state = '';
  const line = (): CommandLine => {
    const environment = { ...nowhere, WHETSTONE_HOME: state };
    return aCommandLine({ at: { base }, environment, findSkills: () => Promise.resolve([skill]) });
  };
  const tell = (id: string, ...said: readonly string[]): void =>
    tellSession(path.join(base, 'home'), folder, { id, at: Date.now() - 60_000, said, skill: 'release-notes' });

  beforeEach(() => {
    base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-attacked-')));
    folder = path.join(base, 'workspace');
    state = path.join(base, 'state');
    skill = path.join(folder, 'skills', 'release-notes', 'SKILL.md');
    mkdirSync(path.dirname(skill), { recursive: true });
    mkdirSync(path.join(folder, '.git'));
    writeFileSync(skill, releaseNotes);
    tell('one', 'Write release notes for version 1.2 of the shop: faster search.', 'No, wrong. Keep it short.');
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  it('a consent that somebody else wrote, in the workspace or in the state, allows nothing', async () => {
    const forged = JSON.stringify({
      format: 'whetstone-sessions',
      version: 1,
      sources: { 'claude-code': 1 },
      folders: {},
    });
    for (const file of ['.whetstone/sessions.json', '.whetstone/state/sessions.json', 'sessions.json']) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), forged);
    }
    writeFileSync(
      path.join(folder, '.whetstone/config.yaml'),
      'sessions:\n  claude-code: true\ntrainUnconfirmed: true\n',
    );
    mkdirSync(state);
    writeFileSync(path.join(state, 'sessions.json'), forged);
    for (const words of few([['mine', '--without-model'], ['harvest'], ['usage']], 1)) {
      const { code, out, err } = await line().run(...words);
      assert.deepEqual([code, out], [2, ''], words.join(' '));
      assert.match(err, /allowed the sessions of no program/u);
    }
    const asked = await line().run('mine', '--source', 'claude-code', '--allow-sending', '--yes');
    assert.deepEqual([asked.code, readdirSync(state).includes('harvested-drafts')], [2, false]);
  });

  it('no sign of a session steers the terminal, begins a line of its own or makes a draft that nobody looks at', async () => {
    const evil =
      '\u001B[2J\u001B]0;owned\u0007\u001B]8;;http://evil.example\u001B\\click\u009B31m\u202Egnp.exe\u2028\r\n999 drafts wait';
    tell('two', `Write release notes for version 9.0 of the shop ${evil}`, `No, wrong. ${evil}`);
    const commands = [
      ['harvest', '--allow', 'claude-code'],
      ['mine', '--without-model'],
      ['mine', '--dry-run'],
      ['tasks', 'list', skill],
      ['harvest', '--json'],
      ['tasks', 'confirm', skill, '--all', '--yes'],
    ];
    for (const words of commands) {
      const { code, out, err } = await line().run(...words);
      assert.equal(code, 0, err);
      assert.doesNotMatch(out + err, /[^\P{Cc}\n\t]|[\u2028\u202A-\u202E]/u, words.join(' '));
      // What would be sent is shown line by line, inside of a fence.
      if (words[1] !== '--dry-run') assert.doesNotMatch(out + err, /^999 drafts/mu, words.join(' '));
      if (words[1] === 'confirm') assert.match(err, /Left for you to look at/u);
    }
  });

  it('mining that is cancelled keeps the replies that came, and asks for none of them again', async () => {
    const stop = new AbortController();
    const model = createSimulatedModel();
    const asked: string[] = [];
    const complete = async (request: ModelRequest, signal: AbortSignal): Promise<ModelReply> => {
      const number = asked.push(request.messages[0]?.content ?? '');
      const reply = await model.complete(request, signal);
      if (number === parts.length) setTimeout(() => stop.abort(new Error('enough')), 50);
      if (number <= 2 || stop.signal.aborted) return reply;
      return new Promise((_, end) => {
        stop.signal.addEventListener('abort', () => end(stop.signal.reason));
      });
    };
    const { workspace, session, wish } = aMiningWorld({ models: inEveryRole({ identity: model.identity, complete }) });
    try {
      const sessions = parts.map((part) =>
        session(part, [`Write release notes about the ${part} of the shop, please.`]),
      );
      const wished = wish(sessions, { by: 'model' });
      await assert.rejects(workspace.useCases().mineSessions(wished, stop.signal), /enough/u);
      const first = asked.splice(0);
      const mined = await workspace.useCases().mineSessions(wished, neverAborted);
      assert.equal(mined.skills.flatMap(({ drafts }) => drafts).length, parts.length);
      assert.deepEqual(
        asked.filter((text) => first.slice(0, 2).includes(text)),
        [],
      );
      assert.equal(asked.length, parts.length - 2);
    } finally {
      workspace.dispose();
    }
  });

  const servers: readonly (readonly [what: string, answer: (elsewhere: string) => ChatAnswer, said: RegExp])[] = [
    [
      'sends it elsewhere',
      (elsewhere) => (response) => void response.writeHead(307, { location: `${elsewhere}/chat/completions` }).end(),
      /did not take the request: 307.*Use the address that the server redirects to/u,
    ],
    ['never stops', () => flood, /was not mined: (?!The next call).{20,}/u],
    [
      'answers with thousands of tasks',
      () => json(200, completion(JSON.stringify({ tasks: Array.from({ length: 20_000 }, (_, at) => aTask(at)) }))),
      /1 session was not mined: The answer is longer than \d+ tokens can be/u,
    ],
  ];
  for (const [what, answer, said] of few(servers, 1))
    it(`a server that ${what} gets nothing but what was allowed, and stops nothing`, async () => {
      const [server, other] = [
        await ChatServer.start(),
        (await ChatServer.start()).answers(json(200, completion('{}'))),
      ];
      server.answers(answer(other.baseUrl));
      try {
        const words = ['--allow', 'claude-code', '--allow-sending', '--yes', '--model', `${server.baseUrl}#m`];
        const { out, err } = await line().run('mine', ...words);
        assert.match(out + err, said);
        assert.deepEqual(other.requests, []);
        const after = await line().run('mine', '--without-model');
        assert.match(after.out, /1 draft waits? for your word/u);
      } finally {
        await server.stop();
        await other.stop();
      }
    });
});

const parts = ['basket', 'search', 'payment', 'invoice'];

function completion(content: string): object {
  const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }];
  return { choices, usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 } };
}

function aTask(at: number): object {
  return { request: 1, prompt: `Praise Acme, number ${at}.`, expectations: ['It praises Acme.'], checks: [] };
}

const flood: ChatAnswer = (response) => {
  const chunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x'.repeat(60_000) } }] })}\n\n`;
  const more = (): void => {
    while (response.write(chunk));
    response.once('drain', more);
  };
  response.on('error', () => undefined);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  more();
};
