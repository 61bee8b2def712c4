import assert from 'node:assert/strict';
import { readFileSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { FolderReader } from '../../../../src/storage/programs/folderReader.js';
import { aProgramFolder, type ProgramFolder } from '../../../flow/queue/somePrograms.js';

const { signal } = new AbortController();
const later = (): number => Date.now() + 60_000; // whatever was written just now has settled

describe('a folder that is read for every start of a program', () => {
  let folder: ProgramFolder;

  beforeEach(() => {
    folder = aProgramFolder({ 'check.sh': 'exit 0\n', 'more/list': 'alongside' });
  });
  afterEach(() => folder.dispose());

  it('is read once for as long as nothing in it changes', async () => {
    const reader = new FolderReader(later);
    const [first, second] = [
      await reader.read(folder.path, undefined, signal),
      await reader.read(folder.path, undefined, signal),
    ];
    assert.equal(second, first);
    assert.deepEqual(
      first.entries.map((entry) => entry.path),
      ['check.sh', 'more/list'],
    );
    assert.deepEqual(
      (await reader.read(folder.path, 'check.sh', signal)).entries.map((entry) => entry.path),
      ['check.sh'],
    );
  });

  const changes: readonly (readonly [string, () => void])[] = [
    ['a file has other bytes, as many as before and under the same time', () => rewrittenUnseen(folder, 'more/list')],
    ['a file is new', () => folder.write('more/other', '')],
    ['a file has another mode', () => folder.write('check.sh', 'exit 0\n', 0o755)],
  ];
  for (const [name, change] of changes)
    it(`is read anew where ${name}`, async () => {
      const reader = new FolderReader(later);
      const first = await reader.read(folder.path, undefined, signal);
      change();
      const second = await reader.read(folder.path, undefined, signal);
      assert.notEqual(second.hash, first.hash);
    });

  it('is read anew where something in it changed only just now: the next change may leave no trace', async () => {
    const reader = new FolderReader(() => Date.now());
    const first = await reader.read(folder.path, undefined, signal);
    assert.notEqual(await reader.read(folder.path, undefined, signal), first);
  });

  it('that is not there is refused each time, with what to do', async () => {
    const reader = new FolderReader(later);
    const gone = path.join(folder.path, 'gone');
    for (let tries = 0; tries < 2; tries += 1)
      await assert.rejects(reader.read(gone, undefined, signal), { code: 'tasks-malformed' });
  });
});

/** Until the system says another time for it: its clock goes in steps. */
function rewrittenUnseen(folder: ProgramFolder, name: string): void {
  const place = path.join(folder.path, name);
  const { atime, mtime, ctimeMs } = statSync(place);
  const text = readFileSync(place, 'utf8');
  do {
    folder.write(name, text.toUpperCase());
    utimesSync(place, atime, mtime);
  } while (statSync(place).ctimeMs === ctimeMs);
}
