import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProposedDocument } from '../../../../src/ports/proposal.js';
import { adopt } from '../../../../src/storage/adoption/adopt.js';
import { documentFile, documentTarget } from '../../../../src/storage/adoption/documentTarget.js';
import { restoreVersion, undoLast } from '../../../../src/storage/adoption/history.js';
import { recoverAll } from '../../../../src/storage/adoption/recover.js';
import { readProposal, writeProposal } from '../../../../src/storage/proposals/proposals.js';
import type { SkillStore } from '../../../../src/storage/state/store.js';
import { isFull } from '../../../builders/few.js';
import {
  aDocument,
  aMachine,
  aProposal,
  aStore,
  neverAborted,
  scrapMachines,
  skillText,
  type Machine,
} from '../../../builders/storage.js';

const tone = '\uFEFF# Tone\r\nBe calm.\r\n';
const forms = '# Forms\n\nOne for each case.';
const files: readonly (readonly [string, string])[] = [
  ['./references/tone.md', tone],
  ['./FORMS.md', forms],
];
const added = 'Use ISO dates.\n';

const pieces = [
  'references',
  'a',
  'b.md',
  'C.MD',
  'x.markdown',
  'run.sh',
  'SKILL.md',
  'skill.MD',
  'Skill.md.',
  'é.md',
  '..',
  '.',
  '',
  'evals',
  'EVALS',
  'evals.',
  'evals ',
  'ｅvals',
  '.git',
  '.GIT',
  '.whetstone',
  '~',
  'C:',
  'c:x.md',
  '..\\..\\x.md',
  '\0.md',
  'a\n.md',
  '\u202Edm.md',
  '...',
  ' x.md',
  'con.md',
  '/etc/x.md',
  '%2e%2e',
  '*.md',
];

const hostileName = fc
  .tuple(
    fc.constantFrom('./', './', './', '/', '../', '', '~/', './../'),
    fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { minLength: 1, maxLength: 4 }),
  )
  .map(([start, parts]) => start + parts.join('/'));

describe('a proposal over several files of a package', () => {
  after(scrapMachines);

  it('is adopted, undone and restored over all of them, byte for byte', async () => {
    const { machine, store } = await ready();
    const before = await bytesOf(machine);
    await writeProposal(store, aProposal(store, { documents: documents() }));
    const receipt = await adopt(store, { reading: await readProposal(store), attended: true }, neverAborted);
    const after = await bytesOf(machine);
    assert.deepEqual(
      receipt.documents.map(({ kind, documentPath }) => [kind, documentPath]),
      [
        ['skill', 'skills/dates/SKILL.md'],
        ['file', './references/tone.md'],
        ['file', './FORMS.md'],
      ],
    );
    for (const [, text] of after) assert.ok(text.endsWith(added));
    await undoLast(store, neverAborted);
    assert.deepEqual(await bytesOf(machine), before);
    await rm(path.join(path.dirname(machine.skillPath), 'references'), { recursive: true });
    await restoreVersion(store, { seq: receipt.seq, side: 'after' }, neverAborted);
    assert.deepEqual(await bytesOf(machine), after);
  });

  it('goes back to a version whole where its files were adopted one by one, and undoes that too', async () => {
    const { machine, store } = await ready();
    const states = [await bytesOf(machine)];
    for (const document of documents()) {
      const proposal = aProposal(store, { documents: [document] });
      await writeProposal(store, proposal);
      await adopt(store, { reading: await readProposal(store), attended: true }, neverAborted);
      states.push(await bytesOf(machine));
    }
    for (const version of [1, 2]) {
      await restoreVersion(store, { seq: version, side: 'after' }, neverAborted);
      assert.deepEqual(await bytesOf(machine), states[version], `version ${version}`);
      await undoLast(store, neverAborted);
      assert.deepEqual(await bytesOf(machine), states[3], `undone ${version}`);
    }
    await restoreVersion(store, { seq: 1, side: 'before' }, neverAborted);
    assert.deepEqual(await bytesOf(machine), states[0]);
    await assert.rejects(restoreVersion(store, { seq: 1, side: 'before' }, neverAborted), /holds version 1 already/);
  });

  it('is found where the skill lies now when it was moved with its folder', async () => {
    const { machine, store } = await ready();
    await writeProposal(store, aProposal(store, { documents: documents() }));
    const moved = path.join(machine.workspace, 'moved');
    await rename(path.dirname(machine.skillPath), moved);
    const there = await aStore(machine, { request: { skillPath: path.join(moved, 'SKILL.md') } });
    await adopt(there, { reading: await readProposal(there), attended: true }, neverAborted);
    assert.equal(await readFile(path.join(moved, 'references', 'tone.md'), 'utf8'), `${tone}${added}`);
  });

  it('is refused where one of the files was changed meanwhile, and changes none of them', async () => {
    const { machine, store } = await ready();
    await writeFile(path.join(path.dirname(machine.skillPath), 'FORMS.md'), 'mine');
    const before = await bytesOf(machine);
    const reading = { kind: 'verified' as const, proposal: aProposal(store, { documents: documents() }) };
    await assert.rejects(adopt(store, { reading, attended: true }, neverAborted), { code: 'proposal-stale' });
    assert.deepEqual(await bytesOf(machine), before);
  });

  for (const point of ['skill:rename', 'file:fsync', 'file:rename', 'receipt:rename'])
    it(`leaves all as they were or all as they should become where it ends at ${point}`, async () => {
      const { machine, store } = await ready();
      const before = await bytesOf(machine);
      let seen = 0;
      const dying: SkillStore = { ...store, probe: (at) => assert.ok(at !== point || ++seen > 1, 'the end') };
      const reading = { kind: 'verified' as const, proposal: aProposal(store, { documents: documents() }) };
      await adopt(dying, { reading, attended: true }, neverAborted).catch(() => undefined);
      assert.ok(seen > 0, `${point} was never reached`);
      await recoverAll(store, neverAborted);
      const now = await bytesOf(machine);
      const grown = now.filter(([name, text]) => text !== before.find(([other]) => other === name)?.[1]);
      assert.ok(grown.length === 0 || grown.length === 3, JSON.stringify(now));
    });

  it('changes nothing outside of the package, whatever its files are called', async () => {
    const { machine, store } = await ready();
    const folder = path.dirname(machine.skillPath);
    let lawful = 0;
    const property = fc.asyncProperty(hostileName, async (documentPath) => {
      const place = await documentFile(store.places, { kind: 'file', documentPath }).catch(() => undefined);
      if (place === undefined) return;
      lawful += 1;
      const inside = path.relative(folder, place).split(path.sep);
      assert.ok(!inside.some((part) => ['..', 'evals', '.git', '.whetstone'].includes(part.toLowerCase())), place);
      assert.match(inside.join('/'), /(?:\.(?:md|markdown|json|[cm]?js|py|sh|bash|ya?ml)|(?:^|\/)[^./]+)$/iu);
      assert.notEqual(path.basename(place).toLowerCase(), 'skill.md');
    });
    await fc.assert(property, { numRuns: isFull ? 10_000 : 1_000 });
    assert.ok(lawful > 10, String(lawful));
  });

  it('follows no link out of it, by the file or by its folder', async () => {
    const { machine, store } = await ready();
    const folder = path.dirname(machine.skillPath);
    await writeFile(path.join(machine.home, 'NOTES.md'), 'mine');
    await symlink(path.join(machine.home, 'NOTES.md'), path.join(folder, 'notes.md'));
    await symlink(machine.home, path.join(folder, 'linked'));
    for (const documentPath of ['./notes.md', './linked/NOTES.md'])
      await assert.rejects(documentTarget(store.places, { kind: 'file', documentPath }), {
        code: 'proposal-not-adoptable',
      });
    await assert.rejects(documentTarget(store.places, { kind: 'file', documentPath: './linked/new.md' }, 'made'), {
      code: 'proposal-not-adoptable',
    });
  });
});

async function ready(): Promise<{ readonly machine: Machine; readonly store: SkillStore }> {
  const machine = await aMachine();
  for (const [name, text] of files) {
    const file = path.join(path.dirname(machine.skillPath), name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return { machine, store: await aStore(machine) };
}

function documents(): readonly ProposedDocument[] {
  const beside = files.map(([name, text], at) => {
    const document = aDocument(text, `${text}${added}`, { kind: 'file', path: name });
    return { ...document, edits: document.edits.map((edit) => ({ ...edit, id: `E${at + 2}` })) };
  });
  return [aDocument(skillText, `${skillText}${added}`), ...beside];
}

async function bytesOf({ skillPath }: Machine): Promise<readonly (readonly [string, string])[]> {
  const entries = await readdir(path.dirname(skillPath), { recursive: true, withFileTypes: true });
  const places = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(places.sort().map(async (place) => [place, await readFile(place, 'utf8')] as const));
}
