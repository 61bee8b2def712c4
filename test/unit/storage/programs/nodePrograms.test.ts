import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProgramRequest } from '../../../../src/ports/programs.js';
import { harmlessEnvironment } from '../../../../src/harmlessEnvironment.js';
import { nodePrograms } from '../../../../src/storage/programs/nodePrograms.js';
import { aMachine, calm, scrapMachines } from '../../../builders/storage.js';

describe('a program', () => {
  after(scrapMachines);

  it('is given its arguments and its input, and its output and exit code are given back', async () => {
    const script = 'process.stdin.pipe(process.stdout); console.error(process.argv[1]); process.exitCode = 3';
    const result = await nodePrograms.run(aRequest(script, { arguments: ['-e', script, '$HOME *'], input: 'ä' }), calm);
    assert.deepEqual(result, { kind: 'exited', code: 3, output: 'ä', errorOutput: '$HOME *\n' });
  });

  it('works on a copy and never on the original', async () => {
    const { workspace } = await aMachine();
    await mkdir(path.join(workspace, '.git'));
    await writeFile(path.join(workspace, '.git', 'config'), '');
    const script = `const fs = require('fs');
      console.log(process.cwd(), fs.readdirSync('.').join());
      fs.writeFileSync('skills/dates/SKILL.md', 'spoilt'); fs.writeFileSync('new', '')`;
    const result = await nodePrograms.run(aRequest(script, { folder: workspace }), calm);
    assert.equal(result.kind, 'exited');
    const [copy = '', listed] = result.output.trim().split(' ');
    assert.equal(listed, 'skills');
    assert.deepEqual((await readdir(workspace)).toSorted(), ['.git', 'skills']);
    assert.match(await readFile(path.join(workspace, 'skills/dates/SKILL.md'), 'utf8'), /Write dates/);
    await assert.rejects(readdir(copy), { code: 'ENOENT' });
  });

  it('does not reach the original through a link', async () => {
    const { workspace, home } = await aMachine();
    await writeFile(path.join(home, 'victim'), 'safe');
    await symlink(path.join(home, 'victim'), path.join(workspace, 'out'));
    await symlink('../home/victim', path.join(workspace, 'up'));
    await symlink('skills', path.join(workspace, 'in'));
    const script = `const fs = require('fs'); console.log(fs.readdirSync('.').join());
      fs.writeFileSync('out', 'x'); fs.writeFileSync('up', 'x'); fs.writeFileSync('in/dates/SKILL.md', 'x')`;
    const result = await nodePrograms.run(aRequest(script, { folder: workspace }), calm);
    assert.equal(result.kind === 'exited' && result.output, 'in,skills\n');
    assert.equal(await readFile(path.join(home, 'victim'), 'utf8'), 'safe');
    assert.match(await readFile(path.join(workspace, 'skills/dates/SKILL.md'), 'utf8'), /Write dates/);
  });

  it('is ended with its children when its time is over', async () => {
    const { home } = await aMachine();
    const file = path.join(home, 'alive');
    const child = `setInterval(() => require('fs').appendFileSync(${JSON.stringify(file)}, '.'), 5)`;
    const script = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' });
      setInterval(() => {}, 1000)`;
    // On a busy machine the child may not get as far as writing within the short time.
    for (const timeLimitMs of [400, 6_000]) {
      assert.deepEqual(await nodePrograms.run(aRequest(script, { timeLimitMs }), calm), { kind: 'timed-out' });
      if (existsSync(file)) break;
    }
    const size = await sizeOf(file);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(await sizeOf(file), size);
  });

  it('is ended with a child that left its group, on a system that tells whose it is', async function () {
    if (process.platform !== 'linux') this.skip();
    const { home } = await aMachine();
    const file = path.join(home, 'pid');
    const child = `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const script = `const { spawn } = require('child_process');
      spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { detached: true, stdio: 'ignore' }).unref();
      const until = setInterval(() => { if (require('fs').existsSync(${JSON.stringify(file)})) clearInterval(until); }, 5)`;
    const result = await nodePrograms.run(aRequest(script, { timeLimitMs: 20_000 }), calm);
    assert.equal(result.kind, 'exited');
    const pid = Number(await readFile(file, 'utf8'));
    assert.ok(pid > 1);
    assert.equal(await isRunning(pid), false);
  });

  it('is done when it has exited, even if a child of it holds its output open', async () => {
    const script = `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'],
      { stdio: 'inherit' }).unref(); console.log('done'); process.exit(0)`;
    const result = await nodePrograms.run(aRequest(script, { timeLimitMs: 10_000 }), calm);
    assert.deepEqual(result, { kind: 'exited', code: 0, output: 'done\n', errorOutput: '' });
  });

  it('is ended when it says too much', async () => {
    const script = "for (;;) process.stdout.write('x'.repeat(1000))";
    const result = await nodePrograms.run(aRequest(script, { outputLimitBytes: 5_000 }), calm);
    assert.deepEqual(result, { kind: 'output-too-large' });
  });

  it('is ended when the work is cancelled, with the reason of the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const running = nodePrograms.run(aRequest('setInterval(() => {}, 1000)'), controller.signal);
    setTimeout(() => controller.abort(reason), 50);
    await assert.rejects(running, reason);
    await assert.rejects(nodePrograms.run(aRequest(''), controller.signal), reason);
  });

  const unstartable: readonly { name: string; change: Partial<ProgramRequest> }[] = [
    { name: 'it does not exist', change: { command: '/no/such/program' } },
    { name: 'its name holds a zero', change: { command: 'a\0b' } },
    { name: 'its folder is not there', change: { folder: '/no/such/folder' } },
    { name: 'its folder is a file', change: { folder: process.execPath } },
  ];
  for (const { name, change } of unstartable) {
    it(`is not started when ${name}, which is a value and no exception`, async () => {
      assert.equal((await nodePrograms.run(aRequest('', change), calm)).kind, 'not-started');
    });
  }

  it('has the exit code that shells give to one that a signal ended', async () => {
    const result = await nodePrograms.run(aRequest("process.kill(process.pid, 'SIGTERM')"), calm);
    assert.equal(result.kind === 'exited' && result.code, 128 + 15);
  });

  it('that does not read its input is no error', async () => {
    const result = await nodePrograms.run(aRequest('process.exit(0)', { input: 'x'.repeat(1_000_000) }), calm);
    assert.equal(result.kind === 'exited' && result.code, 0);
  });

  it('sees no secrets of ours, and what it was given', async () => {
    process.env['WHETSTONE_TEST_API_KEY'] = 'secret';
    const script = 'console.log(process.env.WHETSTONE_TEST_API_KEY, process.env.GIVEN)';
    const result = await nodePrograms.run(aRequest(script, { environment: { GIVEN: 'yes' } }), calm);
    delete process.env['WHETSTONE_TEST_API_KEY'];
    assert.equal(result.kind === 'exited' && result.output, 'undefined yes\n');
  });

  it('keeps what programs need to run, however Windows spells it', () => {
    const environment = {
      Path: 'p',
      LC_ALL: 'C',
      LC_SECRET: 'k',
      OPENAI_API_KEY: 'k',
      systemroot: 's',
      NODE_OPTIONS: 'x',
    };
    assert.deepEqual(harmlessEnvironment(environment), { Path: 'p', LC_ALL: 'C', systemroot: 's' });
  });
});

function aRequest(script: string, more: Partial<ProgramRequest> = {}): ProgramRequest {
  return {
    command: process.execPath,
    arguments: ['-e', script],
    folder: undefined,
    input: '',
    timeLimitMs: 10_000,
    outputLimitBytes: 100_000,
    ...more,
  };
}

async function sizeOf(file: string): Promise<number> {
  return (await readFile(file)).length;
}

/** A zombie that nobody has asked about yet does not run. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status !== '' && status.slice(status.lastIndexOf(')') + 2)[0] !== 'Z';
}
