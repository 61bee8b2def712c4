import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { scaledUseCases } from '../../../builders/manySkills.js';
import { stageProposal } from '../../../builders/stageProposal.js';

const text = '---\nname: dates\ndescription: Writes dates.\n---\n\nWrite dates.\n';
const edit = { op: 'append', content: 'Use ISO dates.', rationale: 'why' } as const;
const calm = new AbortController().signal;

/** What a file may hold by now when somebody needs an earlier version most. */
const holdings: readonly (readonly [what: string, bytes: Uint8Array])[] = [
  ['nothing', Buffer.alloc(0)],
  ['a NUL', Buffer.from('Write dates.\u0000\n')],
  ['UTF-16', Buffer.from('\ufeffWrite dates.\n', 'utf16le')],
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x80])],
  ['two megabytes', Buffer.alloc(2 * 1024 * 1024, 'x')],
];

describe('a version of a skill', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'whetstone-bytes-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  for (const [what, bytes] of holdings) {
    it(`is restored where the file holds ${what}, and so is what it held`, async () => {
      const place = { workspace: path.join(folder, 'workspace'), state: path.join(folder, 'state'), home: folder };
      const skillPath = await stageProposal(place, { name: 'dates', text, edits: [edit] });
      const request = { skillPath, workspaceFolders: [place.workspace] };
      const useCases = scaledUseCases(folder);
      const { id } = await useCases.adopt(request, calm);
      const adopted = await readFile(skillPath, 'utf8');
      await writeFile(skillPath, bytes);
      await useCases.restore({ ...request, version: id }, calm);
      assert.equal(await readFile(skillPath, 'utf8'), adopted);
      await useCases.undo(request, calm);
      assert.deepEqual(await readFile(skillPath), Buffer.from(bytes));
    });
  }
});
