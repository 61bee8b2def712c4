import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { editableFiles, shownScripts } from '../../src/app/environments/editableFiles.js';
import { originalCandidate } from '../../src/engine/candidate.js';
import { changedDocuments } from '../../src/engine/package/changedDocuments.js';
import { resolveOptions } from '../../src/engine/runOptions.js';
import { withEdits } from '../../src/engine/stages/update.js';
import { decodeSkill } from '../../src/skill/document/decodeSkill.js';
import { parseSkill, printSkill } from '../../src/skill/document/skillDocument.js';
import { adopt } from '../../src/storage/adoption/adopt.js';
import { undoLast } from '../../src/storage/adoption/history.js';
import { readProposal, writeProposal } from '../../src/storage/proposals/proposals.js';
import { aPatchEdit } from '../builders/aPatch.js';
import { aProposedEdit, aReviewProposal } from '../builders/aReviewProposal.js';
import { aRunContext } from '../builders/aRunContext.js';
import { aSplit } from '../builders/aSplit.js';
import { generatedPackages } from '../builders/generatedPackages.js';
import { stagedStore } from '../builders/stageProposal.js';
import { neverAborted } from '../builders/storage.js';

/** A folder with skills of one's own, each in a folder below it, to be tried in the same way. */
const collection = process.env['WHETSTONE_SKILLS'];

describe('skills as whole packages', () => {
  let folder = '';
  before(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'whetstone-packages-')));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const { name, files } of generatedPackages()) {
    it(`are read, listed, adopted over all documents and undone byte for byte: ${name}`, async () => {
      const skill = path.join(folder, 'workspace', 'skills', name);
      for (const [file, content] of Object.entries(files)) {
        await mkdir(path.dirname(path.join(skill, file)), { recursive: true });
        await writeFile(path.join(skill, file), content);
      }
      const listed = await tried(folder, skill);
      const store = await stagedStore(placeIn(folder), path.join(skill, 'SKILL.md'));
      const scripts = Object.keys((await shownScripts(inAgent({ text: '', folder: skill, store }))) ?? {});
      const plain = Object.keys(files).filter((file) => /\.(?:py|sh|txt|html)$/u.test(file));
      assert.deepEqual(scripts, plain.sort());
      const markdown = Object.keys(files).filter((file) => /\.(?:md|markdown)$/u.test(file));
      const apart = /^SKILL\.md$|^evals\/|\/SKILL\.md$|empty\.md$|latin\.md$/u;
      assert.deepEqual(listed, markdown.filter((file) => !apart.test(file)).sort());
    });
  }

  if (collection !== undefined)
    it(`are so in ${collection}`, async function () {
      this.timeout(600_000);
      const skills = (await readdir(collection, { recursive: true })).filter(
        (file) => path.basename(file) === 'SKILL.md',
      );
      for (const [at, file] of skills.entries()) {
        const skill = path.join(folder, 'workspace', 'collection', String(at), path.basename(path.dirname(file)));
        await cp(path.join(collection, path.dirname(file)), skill, { recursive: true });
        const listed = await tried(folder, skill);
        process.stdout.write(`      ${path.dirname(file)}: SKILL.md and ${listed.length} more documents\n`);
      }
      assert.ok(skills.length > 0);
    });
});

/** Changes every document of the package that may be changed, takes that back, and gives their names. */
async function tried(root: string, skill: string): Promise<readonly string[]> {
  const before = await bytesOf(skill);
  const skillPath = path.join(skill, 'SKILL.md');
  const text = decodeSkill(await readFile(skillPath), skillPath);
  const store = await stagedStore(placeIn(root), skillPath);
  const files = (await editableFiles(inAgent({ text, folder: skill, store }))) ?? {};
  for (const each of [text, ...Object.values(files)]) assert.equal(printSkill(parseSkill(each)), each);
  const names = Object.keys(files);
  const edits = [undefined, ...names].map((file) =>
    aPatchEdit({ op: 'append', ...(file === undefined ? {} : { file }), content: '- Say who saw it.', rationale: 'r' }),
  );
  const { context } = aRunContext();
  const growing = { ...context.options.edits, growth: 1_000 };
  const base = originalCandidate(text, files);
  const made = await withEdits(
    { ...context, options: { ...context.options, edits: growing } },
    base,
    edits,
    neverAborted,
  );
  assert.deepEqual(
    made.report.map(({ outcome }) => outcome.kind),
    edits.map(() => 'applied'),
    JSON.stringify(made.report),
  );
  const documents = documentsOf(base, made.candidate, store.places.documentPath);
  assert.equal(documents.length, edits.length);
  const about = { skillKey: store.places.skillKey, id: store.places.skillKey };
  await writeProposal(store, aReviewProposal(documents, about));
  await adopt(store, { reading: await readProposal(store), attended: true }, neverAborted);
  const after = await bytesOf(skill);
  const changed = [...after].filter(([name, bytes]) => before.get(name) !== bytes).map(([name]) => name);
  assert.deepEqual(changed.toSorted(), ['SKILL.md', ...names].toSorted());
  await undoLast(store, neverAborted);
  assert.deepEqual(await bytesOf(skill), before);
  return names;
}

function placeIn(root: string) {
  return { workspace: path.join(root, 'workspace'), state: path.join(root, 'state'), home: root };
}

type Editable = Parameters<typeof editableFiles>[0];

function inAgent(skill: Editable['skill']): Editable {
  const split = aSplit({}, () => ({ environment: 'agent' }));
  return { skill, tasks: { result: { split } }, options: resolveOptions('quick', []) };
}

type Base = Parameters<typeof changedDocuments>[0]['base'];

function documentsOf(base: Base, candidate: Base, skillPath: string) {
  const edits = candidate.edits.map(({ edit }, at) => aProposedEdit(edit, { id: `E${at + 1}` }));
  return changedDocuments({ path: skillPath, base, candidate }, edits).map((part) => ({
    kind: part.kind,
    path: part.path,
    baseHash: part.base.hash,
    baseText: part.base.text,
    candidateHash: part.candidate.hash,
    candidateText: part.candidate.text,
    scope: 'body' as const,
    edits: part.edits.map((edit) => ({ ...edit, hunks: [] })),
  }));
}

async function bytesOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const read = files.sort().map(async (file) => {
    return [path.relative(folder, file), (await readFile(file)).toString('hex')] as const;
  });
  return new Map(await Promise.all(read));
}
