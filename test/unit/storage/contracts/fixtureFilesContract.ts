import assert from 'node:assert/strict';
import path from 'node:path';
import type { FixtureFiles } from '../../../../src/ports/files.js';

/** What every way to read fixtures keeps to. `make` gives files of these names and texts in `folder`. */
export function fixtureFilesContract(
  name: string,
  make: (texts: Readonly<Record<string, string>>) => Promise<{ readonly files: FixtureFiles; readonly folder: string }>,
): void {
  describe(`${name}, as files`, () => {
    const neverAborted = new AbortController().signal;

    it('reads the bytes of a file', async () => {
      const { files, folder } = await make({ 'a.txt': '\uFEFFä\r\n' });
      assert.deepEqual(
        Buffer.from((await files.read(path.join(folder, 'a.txt'), neverAborted)) ?? []),
        Buffer.from('\uFEFFä\r\n'),
      );
    });

    it('has nothing where there is no file', async () => {
      const { files, folder } = await make({ 'a.txt': 'a' });
      for (const missing of ['b.txt', 'a.txt/b', 'none/a.txt']) {
        assert.equal(await files.read(path.join(folder, missing), neverAborted), undefined);
      }
    });

    it('stops when it is asked to', async () => {
      const { files, folder } = await make({});
      const reason = new Error('enough');
      await assert.rejects(files.read(path.join(folder, 'a'), AbortSignal.abort(reason)), reason);
    });
  });
}
