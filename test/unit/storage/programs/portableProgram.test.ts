import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ProgramRequest } from '../../../../src/ports/programs.js';
import { addAllowedPrograms, readAllowedPrograms } from '../../../../src/storage/programs/allowedPrograms.js';
import { moduleProgram } from '../../../../src/storage/programs/moduleProgram.js';
import { portableProgram } from '../../../../src/storage/programs/portableProgram.js';
import { aProgramFolder, type ProgramFolder } from '../../../flow/queue/somePrograms.js';

const { signal } = new AbortController();

async function hashOf(request: ProgramRequest): Promise<string> {
  const found = await portableProgram(request, signal);
  return found.kind === 'portable' ? found.hash : found.why;
}

describe('a program that could run on another machine', () => {
  const folders: ProgramFolder[] = [];
  const aFolder = (files: Readonly<Record<string, string>> = { 'check.sh': 'exit 0\n' }): ProgramFolder => {
    const made = aProgramFolder(files);
    folders.push(made);
    return made;
  };
  afterEach(() => {
    for (const each of folders.splice(0)) each.dispose();
  });

  it('has the same hash wherever its folder lies, and another one with any other byte, mode, word or host', async () => {
    const [one, two] = [aFolder(), aFolder()];
    const usual = await hashOf(one.request());
    assert.equal(await hashOf(two.request('another input')), usual);
    const others = [
      one.request('', { arguments: ['check.sh', ''] }),
      one.request('', { command: 'sh' }),
      one.request('', { reach: { hosts: ['example.com'] } }),
      one.request('', { folder: undefined }),
    ];
    const hashes = await Promise.all(others.map(hashOf));
    two.write('check.sh', 'exit 1\n');
    hashes.push(await hashOf(two.request()));
    two.write('check.sh', 'exit 0\n', 0o755);
    hashes.push(await hashOf(two.request()));
    two.write('check.sh', 'exit 0\n');
    two.write('more', '');
    hashes.push(await hashOf(two.request()));
    assert.equal(new Set([usual, ...hashes]).size, hashes.length + 1);
    assert.ok(hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash)));
  });

  it('is a module by its file, whatever loads it', async () => {
    const folder = aFolder({ 'check.sh': '', 'judge.mjs': 'export default 1;' });
    const { path: place } = folder;
    const here = { ...folder.request(), ...moduleProgram('judge.mjs'), only: 'judge.mjs' };
    const there = { ...here, command: '/opt/other/node', folder: place };
    assert.equal(await hashOf(here), await hashOf(there));
    folder.write('check.sh', 'not of the module');
    assert.equal(await hashOf(here), await hashOf(there));
    folder.write('judge.mjs', 'export default 2;');
    assert.notEqual(await hashOf({ ...here, only: undefined }), await hashOf(here));
  });

  it('stays where it is with what only that machine has', async () => {
    const folder = aFolder();
    const named = path.join(folder.path, 'check.sh');
    const cases: readonly (readonly [Partial<ProgramRequest>, string])[] = [
      [{ reach: { ports: [4711] } }, 'asks-target'],
      [{ reach: { reads: ['~/data'] } }, 'bound'],
      [{ reach: { secrets: { KEY: 'x' } } }, 'bound'],
      [{ environment: { MODE: 'x' } }, 'bound'],
      [{ arguments: [named] }, 'bound'],
      [{ command: named }, 'bound'],
      [{ arguments: [`--list=${named}`] }, 'bound'],
      [{ folder: path.join(folder.path, 'gone') }, 'too-large'],
    ];
    for (const [more, why] of cases) assert.equal(await hashOf(folder.request('', more)), why, JSON.stringify(more));
    assert.match(
      await hashOf(folder.request('', { arguments: ['a/b.sh', '/usr/bin/env', '/dev/null'] })),
      /^[0-9a-f]{64}$/,
    );
  });

  it('is added to a list whose last line somebody left open', async () => {
    const file = path.join(path.dirname(aFolder().path), 'programs');
    const [one, two] = ['a'.repeat(64), 'b'.repeat(64)];
    writeFileSync(file, `${one}  by hand`, { mode: 0o600 });
    await addAllowedPrograms(file, [{ hash: two, shown: 'sh' }], 'linux');
    assert.equal(readFileSync(file, 'utf8'), `${one}  by hand\n${two}  sh\n`);
    assert.deepEqual([...(await readAllowedPrograms(file, 'linux'))], [one, two]);
  });

  it('is in no list that lies in a workspace, where a pull could add to it, whichever link leads there', async () => {
    const outside = path.dirname(aFolder().path);
    const inside = path.join(outside, 'clone', 'lists');
    mkdirSync(path.join(outside, 'clone', '.git'), { recursive: true });
    mkdirSync(inside);
    const program = { hash: 'a'.repeat(64), shown: 'sh' };
    const linked = path.join(outside, 'linked');
    symlinkSync(path.join(inside, 'programs'), linked);
    const refusal = {
      code: 'usage',
      message: /lies in a workspace \(.*clone\)/,
      cure: /^Keep it outside of workspaces/,
    };
    const fresh = path.join(inside, 'programs');
    await assert.rejects(addAllowedPrograms(fresh, [program], 'linux'), refusal);
    assert.ok(!existsSync(fresh), 'nothing is made there');
    writeFileSync(fresh, `${program.hash}  sh\n`, { mode: 0o600 });
    for (const file of [fresh, linked]) {
      await assert.rejects(readAllowedPrograms(file, 'linux'), refusal);
      await assert.rejects(addAllowedPrograms(file, [program], 'linux'), refusal);
    }
  });

  it('is in the list of a worker by its hash, which others cannot write', async () => {
    const file = path.join(path.dirname(aFolder().path), 'programs');
    const [one, two] = ['a'.repeat(64), 'b'.repeat(64)];
    await addAllowedPrograms(file, [{ hash: one, shown: 'sh\ncheck.sh' }], 'linux');
    await addAllowedPrograms(
      file,
      [one, two].map((hash) => ({ hash, shown: 'sh' })),
      'linux',
    );
    assert.equal(readFileSync(file, 'utf8'), `${one}  sh check.sh\n${two}  sh\n`);
    writeFileSync(file, `# of the team\n\n${two}\n`);
    assert.deepEqual([...(await readAllowedPrograms(file, 'linux'))], [two]);
    writeFileSync(file, `${two.slice(1)}\n`);
    await assert.rejects(readAllowedPrograms(file, 'linux'), /Line 1 of .* names no program/);
    chmodSync(file, 0o666);
    await assert.rejects(readAllowedPrograms(file, 'linux'), /Others can write to/);
    await assert.rejects(readAllowedPrograms(`${file}.gone`, 'linux'), /There is no list of programs/);
  });
});
