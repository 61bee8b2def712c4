import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import type { ModelMessage, ModelRole } from '../../src/ports/languageModel.js';
import { ChatServer, json, refusal, stream, type ChatAnswer, type ReceivedRequest } from '../fakes/ChatServer.js';
import { builtProgram } from './children/builtProgram.js';
import { runCommandLine, type CommandEnd } from './children/command.js';
import { inFull } from '../builders/few.js';

/** One that looks like nothing, and one that looks like a key. */
const full = process.env['WHETSTONE_FULL'] === '1';
const keys = ['correct horse-battery7staple', ...(full ? ['sk-proj-Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh8Ii9Jj0'] : [])];

describe('a key that was planted', () => {
  const roots: string[] = [];
  const servers: ChatServer[] = [];
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    roots.forEach((root) => rmSync(root, { recursive: true, force: true }));
  });

  for (const key of keys) {
    inFull(`reaches the server alone, whatever the server says back (${key.slice(0, 7)}…)`, async function () {
      this.timeout(180_000);
      const { cli } = await builtProgram();
      const server = (await ChatServer.start({ withList: true })).answers(talkative(key));
      servers.push(server);
      const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-planted-')));
      roots.push(root);
      const cwd = path.join(root, 'workspace');
      cpSync(path.resolve('media/demo/.claude/skills'), path.join(cwd, 'skills'), { recursive: true });
      mkdirSync(path.join(cwd, '.git'));
      const environment = {
        WHETSTONE_HOME: path.join(root, 'state'),
        WHETSTONE_API_KEY: key,
        WHETSTONE_CAPS: 'run.calls=2000',
      };
      const run = (...words: readonly string[]): Promise<CommandEnd> =>
        runCommandLine(cli, words, { cwd, environment });
      const model = ['--model', `${server.baseUrl}#simulated-1`];
      const skill = 'skills/incident-summary';

      const commands = [
        ['optimize', skill, '--json', '--preset', 'quick', ...model, ...(full ? [] : ['--set', 'gate.rule=strict'])],
        ['doctor', '.', '--report', ...model],
        ['report', skill],
        ...(full ? moreCommands(skill, model, server.baseUrl) : []),
      ];
      const ends: CommandEnd[] = [];
      for (const words of commands) ends.push(await run(...words));
      const [optimized] = ends;
      assert.equal(optimized?.code, 0, optimized?.err);
      assert.ok(server.requests.length > 30);
      assert.ok(server.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`));
      const leaks = [
        ...ends.flatMap(({ out, err }, index) =>
          `${out}${err}`.includes(key) ? [`the words of command ${index}`] : [],
        ),
        ...filesBelow(root).filter((file) => readFileSync(file).includes(key)),
        ...server.requests.flatMap(({ body }, index) =>
          JSON.stringify(body).includes(key) ? [`request ${index}`] : [],
        ),
      ];
      assert.deepEqual(leaks, []);
      assert.ok(filesBelow(root).length > 40, 'something was written');

      server.answers(refusal(401, { message: `Incorrect API key provided: ${key}.`, code: 'invalid_api_key' }));
      const refused = await run('optimize', skill, '--json', ...model, '--seed', '99');
      assert.equal(refused.code, 1);
      assert.match(refused.err, /refused the API key.*Set the API key again/);
      assert.ok(!`${refused.out}${refused.err}`.includes(key));
      assert.deepEqual(
        filesBelow(root).filter((file) => readFileSync(file).includes(key)),
        [],
      );
    });
  }
});

function moreCommands(skill: string, model: readonly string[], baseUrl: string): readonly (readonly string[])[] {
  return [
    ['doctor', '.', ...model],
    ['doctor', '.', '--json', ...model],
    ['preview', skill, ...model],
    ['preview', skill, '--json', ...model],
    ['optimize', skill, '--dry-run', '--json', ...model],
    ['evaluate', skill, '--json', '--compare', `${baseUrl}#simulated-1?effort=low`, ...model],
    ['show', skill, '--json'],
    ['tasks', 'draft', skill, '--count', '1', ...model],
  ];
}

/** The simulated model behind a server that says the key back: in errors, in answers, in the optimizer's reasons. */
function talkative(key: string): ChatAnswer {
  const model = createSimulatedModel();
  let asked = 0;
  return (response, request) => {
    if (request.method === 'GET') return json(200, { data: [{ id: 'simulated-1' }] })(response, request);
    asked += 1;
    if (asked % (full ? 7 : 29) === 3)
      return refusal(500, { message: `Your key ${key} met a bug.` })(response, request);
    void model
      .complete(
        { role: roleOf(request), messages: messagesOf(request), maxOutputTokens: 4_000, attempt: seedOf(request) },
        new AbortController().signal,
      )
      .then(({ text }) => stream({ deltas: [{ content: withKey(text, key) }] })(response, request));
  };
}

function withKey(text: string, key: string): string {
  return text.trimStart().startsWith('{')
    ? text.replaceAll(/"(rationale|reasoning|reason)":\s*"/g, `"$1": "${key} `)
    : `${text}\n\n${key}`;
}

function roleOf({ headers }: ReceivedRequest): ModelRole {
  const role = headers['x-whetstone-role'];
  return role === 'optimizer' || role === 'judge' ? role : 'target';
}

function seedOf({ body }: ReceivedRequest): number {
  return typeof body['seed'] === 'number' ? body['seed'] : 0;
}

function messagesOf({ body }: ReceivedRequest): readonly ModelMessage[] {
  const messages: readonly unknown[] = Array.isArray(body['messages']) ? body['messages'] : [];
  return messages.flatMap((message) => {
    if (!(message instanceof Object) || !('content' in message) || !('role' in message)) return [];
    return [{ role: message.role === 'system' ? 'system' : 'user', content: String(message.content) }];
  });
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}
