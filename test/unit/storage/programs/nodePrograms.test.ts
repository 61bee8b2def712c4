import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { harmlessEnvironment } from '../../../../src/harmlessEnvironment.js';
import { nodePrograms } from '../../../../src/storage/programs/nodePrograms.js';
import { aMachine, neverAborted, scrapMachines } from '../../../builders/storage.js';
import { aRequest, keepsContractOfPrograms } from './programsContract.js';
import { onlyOn } from '../../../builders/leaveOut.js';

describe('a program', () => {
  after(scrapMachines);

  keepsContractOfPrograms(() => nodePrograms);

  it('does not reach the original through a link', async () => {
    const { workspace, home } = await aMachine();
    await writeFile(path.join(home, 'victim'), 'safe');
    await symlink(path.join(home, 'victim'), path.join(workspace, 'out'));
    await symlink('../home/victim', path.join(workspace, 'up'));
    await symlink('skills', path.join(workspace, 'in'));
    const script = `const fs = require('fs'); console.log(fs.readdirSync('.').join());
      fs.writeFileSync('out', 'x'); fs.writeFileSync('up', 'x'); fs.writeFileSync('in/dates/SKILL.md', 'x')`;
    const result = await nodePrograms.run(aRequest(script, { folder: workspace }), neverAborted);
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
      assert.deepEqual(await nodePrograms.run(aRequest(script, { timeLimitMs }), neverAborted), { kind: 'timed-out' });
      if (existsSync(file)) break;
    }
    const size = await sizeOf(file);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(await sizeOf(file), size);
  });

  it('is ended with a child that left its group, on a system that tells whose it is', async function () {
    onlyOn(this, 'linux', 'elsewhere nobody tells which processes carry a mark');
    const { home } = await aMachine();
    const file = path.join(home, 'pid');
    // Written whole before it has its name: whoever sees the name ends this process.
    const child = `const fs = require('fs'); fs.writeFileSync(${JSON.stringify(`${file}.part`)}, String(process.pid));
      fs.renameSync(${JSON.stringify(`${file}.part`)}, ${JSON.stringify(file)}); setInterval(() => {}, 1000)`;
    const script = `const { spawn } = require('child_process');
      spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { detached: true, stdio: 'ignore' }).unref();
      const until = setInterval(() => { if (require('fs').existsSync(${JSON.stringify(file)})) clearInterval(until); }, 5)`;
    const result = await nodePrograms.run(aRequest(script, { timeLimitMs: 20_000 }), neverAborted);
    assert.equal(result.kind, 'exited');
    const pid = Number(await readFile(file, 'utf8'));
    assert.ok(pid > 1);
    assert.equal(await isRunning(pid), false);
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

async function sizeOf(file: string): Promise<number> {
  return (await readFile(file)).length;
}

/** A zombie that nobody has asked about yet does not run. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status !== '' && status.slice(status.lastIndexOf(')') + 2)[0] !== 'Z';
}
