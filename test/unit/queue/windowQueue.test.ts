import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { UserError } from '../../../src/errors.js';
import { bridgeProtocol } from '../../../src/queue/bridge/bridgeMessages.js';
import { windowQueue } from '../../../src/queue/bridge/windowQueue.js';
import { aReply, aRequest } from '../../fakes/ScriptedModel.js';
import { onlyOn } from '../../builders/leaveOut.js';

const { signal } = new AbortController();

/** Writes down what it was started with, then speaks as the command line does. */
const standIn = (folder: string): string => `#!${process.execPath}
require('node:fs').writeFileSync(${JSON.stringify(path.join(folder, 'seen.json'))}, JSON.stringify({ words: process.argv.slice(2), env: process.env, cwd: process.cwd() }));
console.log(JSON.stringify({ kind: 'ready', protocol: ${bridgeProtocol}, version: '1.0.0', shown: 'rediss://queue.example:6380' }));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, kind } = JSON.parse(line);
  if (kind === 'look') console.log(JSON.stringify({ kind: 'queue', id, state: { workers: [], lanes: [], failures: [] } }));
});
`;

const says = (words: string): string =>
  `#!${process.execPath}\nprocess.stderr.write(${JSON.stringify(words)});\nprocess.exitCode = 2;\n`;

function program(place: string, text: string): void {
  writeFileSync(path.join(place, 'whetstone'), text);
  chmodSync(path.join(place, 'whetstone'), 0o755);
}

describe('the queue that a window’s settings name', function () {
  let folder: string;
  let bin: string;
  let workspace: string;

  before(function () {
    onlyOn(this, 'posix', 'the stand-ins are shell scripts');
  });
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'whetstone-window-')));
    [bin, workspace] = [path.join(folder, 'bin'), path.join(folder, 'clone')];
    for (const each of [bin, workspace]) mkdirSync(each);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function aWindow(wishes: { readonly address?: string; readonly commandLine?: string }, more = {}, isSet = true) {
    return windowQueue({
      wishes: () => ({ address: 'rediss://queue.example:6380', secretFile: '~/secret', commandLine: '', ...wishes }),
      isSet: () => isSet,
      environment: { PATH: [workspace, bin].join(path.delimiter), OPENAI_API_KEY: 'sk-window', ...more },
      platform: process.platform,
      home: folder,
      workspace: () => [workspace],
      version: '1.2.3',
    });
  }

  it('is reached with the command line on the PATH, outside of the workspace and without any key of a model', async () => {
    program(bin, standIn(folder));
    program(workspace, standIn(workspace));
    const queue = aWindow({});
    assert.equal(queue.attempts.place, 'rediss://queue.example:6380');
    await queue.look(signal);
    queue.close();
    const { words, env, cwd } = JSON.parse(readFileSync(path.join(folder, 'seen.json'), 'utf8'));
    assert.deepEqual(words, ['queue', '--calls'], 'an address may hold a password: it is no argument');
    assert.equal(env.WHETSTONE_QUEUE, 'rediss://queue.example:6380');
    assert.equal(env.WHETSTONE_QUEUE_SECRET_FILE, path.join(folder, 'secret'));
    assert.equal(env.OPENAI_API_KEY, undefined);
    assert.ok(!env.PATH.includes(workspace), env.PATH);
    assert.notEqual(cwd, workspace);
  });

  it('takes an address with a password from a file of the person or from the environment, never from the setting', async () => {
    program(bin, standIn(folder));
    const whole = 'rediss://team:pass@queue.example:6380';
    const file = path.join(folder, 'address');
    writeFileSync(file, `${whole}\n`, { mode: 0o600 });
    const given = (): string => JSON.parse(readFileSync(path.join(folder, 'seen.json'), 'utf8')).env.WHETSTONE_QUEUE;
    for (const queue of [aWindow({ address: '~/address' }), aWindow({ address: '' }, { WHETSTONE_QUEUE: whole })]) {
      assert.ok(!String(queue.attempts.place).includes('pass@'));
      await queue.look(signal);
      queue.close();
      assert.equal(given(), whole);
      rmSync(path.join(folder, 'seen.json'));
    }
    await assert.rejects(aWindow({ address: whole }).look(signal), { message: /holds a password/ });
    chmodSync(file, 0o644);
    await assert.rejects(aWindow({ address: file }).look(signal), { cure: `Run: chmod 600 ${file}` });
    await assert.rejects(aWindow({ address: 'redis://queue.example' }).look(signal), {
      message: /can be read on the way/,
    });
    await assert.rejects(aWindow({ address: '/nowhere/address' }).look(signal), { message: /there is no such file/ });
    assert.throws(given, 'and nothing was started');
  });

  it('is called by no word of what is written, where that is no address: a password may stand in it', async () => {
    program(bin, standIn(folder));
    for (const text of [
      'rediss://team:pa/ss+word==@queue.example:6380',
      'rediss://team:12/ss+word@queue.example:6380',
      'rediss://team:pa%ss+word@queue.example:6380',
      'team:pa/ss+word@queue.example:6380',
    ])
      for (const queue of [aWindow({ address: text }), aWindow({ address: '' }, { WHETSTONE_QUEUE: text })]) {
        assert.equal(queue.attempts.place, '', text);
        await assert.rejects(queue.look(signal), (error: UserError) => {
          assert.ok(!/ss\+word|team/.test(`${error.message}${error.cure}`), error.message);
          return error.code === 'usage';
        });
      }
    assert.equal(aWindow({ address: '~/address' }).attempts.place, '', 'a file is not shown before it was read');
  });

  it('says what to install where there is no command line, one of the workspace alone, an older one, or one without its part for queues', async () => {
    const install = /^Install it: npm install -g whetstone@1\.2\.3\. /;
    await assert.rejects(aWindow({}).look(signal), { message: /\(whetstone\) is not installed/, cure: install });
    program(workspace, standIn(workspace));
    await assert.rejects(aWindow({}).look(signal), { message: /lies in the workspace/, cure: install });
    const named = aWindow({ commandLine: path.join(workspace, 'whetstone') });
    await assert.rejects(named.look(signal), { message: /lies in the workspace/, cure: install });
    program(bin, says("error: unknown option '--calls'\n(add --help for what there is)\n"));
    await assert.rejects(aWindow({}).look(signal), { cure: 'Install the same one: npm install -g whetstone@1.2.3' });
    program(bin, says('whetstone: This copy of whetstone has no part for queues. Install the npm package.\n'));
    const message =
      'The queue cannot be reached: This copy of whetstone has no part for queues. Install the npm package.';
    await assert.rejects(aWindow({}).look(signal), { message });
  });

  it('is left alone where none is set, by the optimizer, and by models that only this window or a person can ask', async () => {
    const reply = aReply({ text: 'made here' });
    const here = (): Promise<typeof reply> => Promise.resolve(reply);
    const server = { provider: 'openai', endpoint: 'https://api', model: 'm', simulated: false };
    const call = (model: typeof server, role: 'target' | 'optimizer' = 'target') => ({
      runId: 'r',
      key: () => 'k',
      model,
      request: aRequest({ role }),
    });
    const unset = aWindow({}, {}, false);
    assert.equal(unset.inForce(), undefined);
    assert.equal(unset.attempts.place, undefined);
    assert.equal(await unset.attempts.run(call(server), here, signal), reply);
    await assert.rejects(unset.look(signal), { message: 'No queue is set.' });
    const { attempts } = aWindow({});
    for (const asked of [
      call(server, 'optimizer'),
      call({ ...server, provider: 'vscode' }),
      call({ ...server, simulated: true }),
    ]) {
      assert.equal(await attempts.run(asked, here, signal), reply);
      assert.equal(attempts.takes?.(asked.model), asked.request.role === 'optimizer');
      assert.equal(await attempts.reach?.(asked.model, asked.request.role, signal), false);
    }
    await assert.rejects(attempts.run(call(server), here, signal), { message: /is not installed/ });
  });
});
