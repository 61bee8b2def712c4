import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { fileSystemFault } from '../../../../src/storage/state/fileSystemFault.js';
import { aMachine, scrapMachines } from '../../../builders/storage.js';
import { startChild } from '../children/childProcess.js';
import { onlyOn } from '../../../builders/leaveOut.js';

const nobody = 65_534;
const said = z.object({ storedIn: z.string(), root: z.string(), note: z.string() });

describe('the test of a file system', () => {
  after(scrapMachines);

  it('finds no fault with an ordinary folder, and leaves nothing in it', async () => {
    const { home } = await aMachine();
    assert.equal(await fileSystemFault(home), undefined);
    assert.deepEqual(await readdir(home), []);
  });

  it('takes nothing that may pass for a property of the folder', async () => {
    const { home } = await aMachine();
    await assert.rejects(fileSystemFault(path.join(home, 'none')), { code: 'ENOENT' });
  });

  it('makes a read-only workspace fall back to user state, and says so', async function () {
    // Nothing is read-only for root: the work is then done by somebody who is not.
    const isRoot = process.getuid?.() === 0;
    onlyOn(this, 'posix', 'on Windows a read-only folder takes new files');
    const { workspace, request } = await aMachine();
    const folder = await mkdtemp(path.join(os.tmpdir(), 'whetstone-home-'));
    await chmod(folder, 0o777);
    const home = path.join(folder, 'home');
    await mkdir(home);
    await chmod(home, 0o777);
    await chmod(path.dirname(workspace), 0o755);
    await chmod(workspace, 0o555);
    try {
      const child = await startChild('places', { ...request, home }, isRoot ? { uid: nobody } : {});
      const places = said.parse(await child.said);
      assert.equal(places.storedIn, 'user');
      assert.equal(places.root, workspace);
      assert.ok(places.note.startsWith(`${workspace} is read-only, so its state is kept in ${home}`));
      assert.deepEqual(await readdir(workspace), ['skills']);
    } finally {
      await chmod(workspace, 0o755);
      await rm(folder, { recursive: true, force: true });
    }
  });
});
