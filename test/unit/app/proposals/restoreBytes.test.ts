import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sha256 } from '../../../../src/hash.js';
import { scaledUseCases } from '../../../builders/manySkills.js';
import { stageProposal } from '../../../builders/stageProposal.js';

const text = '---\nname: dates\ndescription: Writes dates.\n---\n\nWrite dates.\n';
const edit = { op: 'append', content: 'Use ISO dates.', rationale: 'why' } as const;
const neverAborted = new AbortController().signal;

/** What a file may hold by now when somebody needs an earlier version most. */
const holdings: readonly (readonly [what: string, bytes: Uint8Array])[] = [
  ['nothing', Buffer.alloc(0)],
  ['a NUL', Buffer.from('Write dates.\u0000\n')],
  ['UTF-16', Buffer.from('\ufeffWrite dates.\n', 'utf16le')],
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x80])],
  ['two megabytes', Buffer.alloc(2 * 1024 * 1024, 'x')],
  ['text that is no skill', Buffer.from('<html>Not found</html>\n')],
];

/** How a skill can be gone, told from its file. */
const losses: readonly (readonly [what: string, gone: (skillPath: string) => string])[] = [
  ['its file', (skillPath) => skillPath],
  ['its folder', (skillPath) => path.dirname(skillPath)],
];

describe('a version of a skill', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'whetstone-bytes-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const adoption = async () => {
    const place = { workspace: path.join(folder, 'workspace'), state: path.join(folder, 'state'), home: folder };
    const skillPath = await stageProposal(place, { name: 'dates', text, edits: [edit] });
    const request = { skillPath, workspaceFolders: [place.workspace] };
    const useCases = scaledUseCases(folder);
    const { id } = await useCases.adopt(request, neverAborted);
    return { skillPath, request, useCases, id, adopted: await readFile(skillPath, 'utf8') };
  };

  for (const [what, bytes] of holdings) {
    it(`is given back by an undo where the file holds ${what}, and what it held is kept`, async () => {
      const { skillPath, request, useCases } = await adoption();
      await writeFile(skillPath, bytes);
      const { id: undone } = await useCases.undo(request, neverAborted);
      assert.equal(await readFile(skillPath, 'utf8'), text);
      const [newest, ...older] = await useCases.history(request);
      assert.deepEqual([newest?.id, newest?.action, older.length], [undone, 'undo', 1]);
      assert.equal(newest?.beforeHash, sha256(bytes));
    });

    it(`is restored where the file holds ${what}, and so is what it held`, async () => {
      const { skillPath, request, useCases, id, adopted } = await adoption();
      await writeFile(skillPath, bytes);
      await useCases.restore({ ...request, version: id }, neverAborted);
      assert.equal(await readFile(skillPath, 'utf8'), adopted);
      await useCases.undo(request, neverAborted);
      assert.deepEqual(await readFile(skillPath), Buffer.from(bytes));
    });
  }

  for (const [what, gone] of losses) {
    it(`is given back by an undo where ${what} is gone`, async () => {
      const { skillPath, request, useCases } = await adoption();
      await rm(gone(skillPath), { recursive: true });
      await useCases.undo({ ...request, skillPath: path.dirname(skillPath) }, neverAborted);
      assert.equal(await readFile(skillPath, 'utf8'), text);
    });

    it(`is restored where ${what} is gone`, async () => {
      const { skillPath, request, useCases, id, adopted } = await adoption();
      await rm(gone(skillPath), { recursive: true });
      assert.equal((await useCases.history(request)).length, 1);
      await useCases.restore({ ...request, version: id }, neverAborted);
      assert.equal(await readFile(skillPath, 'utf8'), adopted);
    });
  }

  it('is not given back over an edit that somebody made since', async () => {
    const { skillPath, request, useCases, adopted } = await adoption();
    await writeFile(skillPath, `${adopted}Mine.\n`);
    await assert.rejects(useCases.undo(request, neverAborted), { code: 'skill-changed' });
    assert.equal(await readFile(skillPath, 'utf8'), `${adopted}Mine.\n`);
  });

  it('is looked for only where a skill is known', async () => {
    const { skillPath, request, useCases } = await adoption();
    const elsewhere = path.join(path.dirname(skillPath), 'other', 'SKILL.md');
    await assert.rejects(useCases.undo({ ...request, skillPath: elsewhere }, neverAborted), { code: 'skill-missing' });
    await rm(skillPath);
    await assert.rejects(useCases.adopt(request, neverAborted), { code: 'skill-missing' });
    await assert.rejects(useCases.overview(request, neverAborted), { code: 'skill-missing' });
  });

  it('is not written through a link that stands where its folder was', async () => {
    const { skillPath, request, useCases, id } = await adoption();
    const aside = path.join(folder, 'aside');
    await mkdir(aside);
    await rm(path.dirname(skillPath), { recursive: true });
    await symlink(aside, path.dirname(skillPath));
    await assert.rejects(useCases.restore({ ...request, version: id }, neverAborted), { code: 'skill-missing' });
    assert.deepEqual(await readdir(aside), []);
  });
});
