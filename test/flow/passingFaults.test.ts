import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { few } from '../builders/few.js';
import { withFaultyDisk } from '../fakes/faultyDisk.js';
import { sha256 } from '../../src/hash.js';

describe('a disk that is full for a moment', function passingFaults() {
  let line: CommandLine;
  let skill = '';

  before(async () => {
    line = aCommandLine({ copy: path.resolve('media/demo') });
    skill = path.join(line.folder, '.claude/skills/incident-summary');
    const made = await line.run('optimize', skill, '--preset', 'quick');
    assert.equal(made.code, 0, made.err);
    cpSync(path.dirname(line.folder), `${path.dirname(line.folder)}-kept`, {
      recursive: true,
      preserveTimestamps: true,
    });
  });
  beforeEach(() => {
    for (const name of ['workspace', 'home']) {
      const place = path.join(path.dirname(line.folder), name);
      rmSync(place, { recursive: true });
      cpSync(path.join(`${path.dirname(line.folder)}-kept`, name), place, {
        recursive: true,
        preserveTimestamps: true,
      });
    }
  });
  after(() => {
    rmSync(`${path.dirname(line.folder)}-kept`, { recursive: true, force: true });
    line.dispose();
  });

  for (const code of few(['ENOSPC', 'EDQUOT', 'EMFILE', 'EIO'])) {
    it(`hides no proposal that was paid for (${code})`, async () => {
      const full = await withFaultyDisk(path.join(line.folder, '.whetstone'), code, () => line.run('adopt', skill));
      assert.equal(full.code, 1);
      assert.match(full.err, /room left on the disk|share of the disk|Too many files|did not answer/u);
      assert.match(full.err, /try again\./u);
      assert.doesNotMatch(full.err, new RegExp(`${code}|no such luck`, 'u'));
      assert.equal(existsSync(path.join(line.home, 'workspaces')), false, 'something stands in for the workspace');
      await isAdopted(line, skill);
    });
  }

  it('gives back what an earlier version lost sight of, and what was made meanwhile', async () => {
    const apart = standInOf(line);
    const key = readdirSync(path.join(line.folder, '.whetstone/proposals'))[0] ?? '';
    const [runId = ''] = readdirSync(path.join(line.folder, '.whetstone/runs'));
    mkdirSync(path.join(apart, 'runs'), { recursive: true });
    renameSync(path.join(line.folder, '.whetstone/runs', runId), path.join(apart, 'runs', runId));
    mkdirSync(path.join(apart, 'proposals'));
    writeFileSync(path.join(apart, 'proposals/other-skill.json'), '{}');
    writeFileSync(path.join(apart, 'proposals', key), '{"older": true}');
    utimesSync(path.join(apart, 'proposals', key), 1, 1);
    assert.match((await line.run('status', skill)).out, /proposal/u);
    const adopted = await isAdopted(line, skill);
    assert.match(adopted.err, /is kept in .*\.whetstone again\. What was replaced by something newer lies in/u);
    assert.ok(existsSync(path.join(line.folder, '.whetstone/runs', runId, 'summary.json')));
    assert.ok(existsSync(path.join(line.folder, '.whetstone/proposals/other-skill.json')));
    assert.equal(readFileSync(path.join(apart, 'replaced/proposals', key), 'utf8'), '{"older": true}');
    assert.equal(existsSync(path.join(apart, 'standing-in.json')), false);
    assert.doesNotMatch((await line.run('undo', skill)).err, /is kept in/u, 'said once');
  });

  it('lets the newer of two proposals wait, as it would have without the stand-in', async () => {
    const apart = standInOf(line);
    const proposals = path.join(line.folder, '.whetstone/proposals');
    const [key = ''] = readdirSync(proposals);
    const text = readFileSync(path.join(proposals, key), 'utf8');
    mkdirSync(path.join(apart, 'proposals'));
    writeFileSync(path.join(apart, 'proposals', key), text);
    writeFileSync(path.join(proposals, key), '{"older": true}');
    utimesSync(path.join(proposals, key), 1, 1);
    await isAdopted(line, skill);
    assert.equal(readFileSync(path.join(apart, 'replaced/proposals', key), 'utf8'), '{"older": true}');
  });
});

async function isAdopted(line: CommandLine, skill: string): Promise<{ readonly err: string }> {
  const before = readFileSync(path.join(skill, 'SKILL.md'), 'utf8');
  const adopted = await line.run('adopt', skill);
  assert.equal(adopted.code, 0, adopted.err);
  assert.notEqual(readFileSync(path.join(skill, 'SKILL.md'), 'utf8'), before);
  return adopted;
}

/** What an earlier version left once the disk was full. */
function standInOf({ folder, home }: CommandLine): string {
  const apart = path.join(home, 'workspaces', sha256(folder).slice(0, 32));
  mkdirSync(apart, { recursive: true });
  const note = `${folder} cannot be written to (ENOSPC: no space left on device, mkdtemp), so its state is kept in ${apart}.`;
  const why = { format: 'whetstone-stand-in', version: 1, for: folder, note };
  writeFileSync(path.join(apart, 'standing-in.json'), `${JSON.stringify(why)}\n`);
  return apart;
}
