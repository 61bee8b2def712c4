import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProgramRequest, Programs } from '../../../../src/ports/programs.js';
import { aMachine, neverAborted } from '../../../builders/storage.js';

/** What every way to run programs keeps. */
export function keepsContractOfPrograms(programs: () => Programs): void {
  it('is given its arguments and its input, and its output and exit code are given back', async () => {
    const script = 'process.stdin.pipe(process.stdout); console.error(process.argv[1]); process.exitCode = 3';
    const result = await programs().run(
      aRequest(script, { arguments: ['-e', script, '$HOME *'], input: 'ä' }),
      neverAborted,
    );
    assert.deepEqual(result, { kind: 'exited', code: 3, output: 'ä', errorOutput: '$HOME *\n' });
  });

  it('works on a copy and never on the original', async () => {
    const { workspace } = await aMachine();
    await mkdir(path.join(workspace, '.git'));
    await writeFile(path.join(workspace, '.git', 'config'), '');
    const script = `const fs = require('fs');
      console.log(process.cwd(), fs.readdirSync('.').join());
      fs.writeFileSync('skills/dates/SKILL.md', 'spoilt'); fs.writeFileSync('new', '')`;
    const result = await programs().run(aRequest(script, { folder: workspace }), neverAborted);
    assert.equal(result.kind, 'exited');
    const [copy = '', listed] = result.output.trim().split(' ');
    assert.equal(listed, 'skills');
    assert.deepEqual((await readdir(workspace)).toSorted(), ['.git', 'skills']);
    assert.match(await readFile(path.join(workspace, 'skills/dates/SKILL.md'), 'utf8'), /Write dates/);
    await assert.rejects(readdir(copy), { code: 'ENOENT' });
  });

  it('is done when it has exited, even if a child of it holds its output open', async () => {
    const script = `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'],
      { stdio: 'inherit' }).unref(); console.log('done'); process.exit(0)`;
    const result = await programs().run(aRequest(script, { timeLimitMs: 10_000 }), neverAborted);
    assert.deepEqual(result, { kind: 'exited', code: 0, output: 'done\n', errorOutput: '' });
  });

  it('is ended when it says too much', async () => {
    const script = "for (;;) process.stdout.write('x'.repeat(1000))";
    const result = await programs().run(aRequest(script, { outputLimitBytes: 5_000 }), neverAborted);
    assert.deepEqual(result, { kind: 'output-too-large' });
  });

  it('is ended when the work is cancelled, with the reason of the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const running = programs().run(aRequest('setInterval(() => {}, 1000)'), controller.signal);
    setTimeout(() => controller.abort(reason), 50);
    await assert.rejects(running, reason);
    await assert.rejects(programs().run(aRequest(''), controller.signal), reason);
  });

  const unstartable: readonly { name: string; change: Partial<ProgramRequest> }[] = [
    { name: 'it does not exist', change: { command: '/no/such/program' } },
    { name: 'its name holds a zero', change: { command: 'a\0b' } },
    { name: 'its folder is not there', change: { folder: '/no/such/folder' } },
    { name: 'its folder is a file', change: { folder: process.execPath } },
  ];
  for (const { name, change } of unstartable) {
    it(`is not started when ${name}, which is a value and no exception`, async () => {
      assert.equal((await programs().run(aRequest('', change), neverAborted)).kind, 'not-started');
    });
  }

  it('has the exit code that shells give to one that a signal ended', async () => {
    const result = await programs().run(aRequest("process.kill(process.pid, 'SIGTERM')"), neverAborted);
    assert.equal(result.kind === 'exited' && result.code, 128 + 15);
  });

  it('that does not read its input is no error', async () => {
    const result = await programs().run(aRequest('process.exit(0)', { input: 'x'.repeat(1_000_000) }), neverAborted);
    assert.equal(result.kind === 'exited' && result.code, 0);
  });

  it('sees no secrets of ours, and what it was given', async () => {
    process.env['WHETSTONE_TEST_API_KEY'] = 'secret';
    const script = 'console.log(process.env.WHETSTONE_TEST_API_KEY, process.env.GIVEN)';
    const result = await programs().run(aRequest(script, { environment: { GIVEN: 'yes' } }), neverAborted);
    delete process.env['WHETSTONE_TEST_API_KEY'];
    assert.equal(result.kind === 'exited' && result.output, 'undefined yes\n');
  });
}

/** A script for the Node that runs the tests. */
export function aRequest(script: string, more: Partial<ProgramRequest> = {}): ProgramRequest {
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
