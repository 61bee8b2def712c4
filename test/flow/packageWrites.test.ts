import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { originalCandidate, type Candidate } from '../../src/engine/candidate.js';
import { changedDocuments } from '../../src/engine/package/changedDocuments.js';
import { withEdits } from '../../src/engine/stages/update.js';
import { readEdits } from '../../src/prompts/replies/editReply.js';
import { adopt } from '../../src/storage/adoption/adopt.js';
import { undoLast } from '../../src/storage/adoption/history.js';
import { aPatchEdit } from '../builders/aPatch.js';
import { aProposedEdit, aReviewProposal } from '../builders/aReviewProposal.js';
import { aRunContext } from '../builders/aRunContext.js';
import { isFull } from '../builders/few.js';
import { aMachine, aStore, neverAborted, scrapMachines, skillText, type Machine } from '../builders/storage.js';

const files = { 'references/tone.md': '# Tone\r\n\r\nBe calm.\r\n', 'FORMS.md': '# Forms\n\nOne for each case.\n' };

/** What else lies there: answers, history, a script, another skill, the workspace and what is above it. */
const others = [
  'skills/dates/evals/evals.json',
  'skills/dates/.git/config',
  'skills/dates/scripts/run.sh',
  'skills/dates/notes.txt',
  'skills/other/SKILL.md',
  'README.md',
  '../outside.md',
];

const names = [
  ...Object.keys(files),
  './references/tone.md',
  'SKILL.md',
  '',
  '../outside.md',
  '../../README.md',
  '../other/SKILL.md',
  'references/../../other/SKILL.md',
  'references/../evals/evals.json',
  'evals/evals.json',
  '.git/config',
  '.git/hooks/post-commit',
  'scripts/run.sh',
  'notes.txt',
  '/etc/passwd',
  '/tmp/x.md',
  'C:\\x.md',
  '..\\outside.md',
  'references\\tone.md',
  '__proto__',
  'constructor',
  'toString',
  'new.md',
  'references/tone.md\0.md',
  '~/x.md',
  'REFERENCES/TONE.MD',
];

/** An edit as a model, or whoever speaks through one, may write it. */
const replyEdit = fc.record({
  op: fc.constantFrom('append', 'insert_after', 'replace', 'delete', 'add', 'rewrite'),
  file: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: fc.string() }),
  anchor: fc.constantFrom('Be calm.', 'One for each case.', 'Write dates.', '# Tone', 'nowhere', ''),
  content: fc.oneof(
    fc.constantFrom('- Be brief.', '../../outside.md', '[x](../../README.md)', 'a\r\nb'),
    fc.string({ unit: 'binary' }),
  ),
  rationale: fc.string(),
});

const editsOfACase = 10;
const cases = isFull ? 1_000 : 12;

describe(`${cases * editsOfACase} generated edits of a package`, () => {
  after(scrapMachines);

  it('change the documents of the package and nothing else, and are undone byte for byte', async () => {
    const machine = await ready();
    const store = await aStore(machine);
    const { context } = aRunContext();
    const before = await bytesOf(machine);
    let adopted = 0;
    const property = fc.asyncProperty(
      fc.array(replyEdit, { minLength: editsOfACase, maxLength: editsOfACase }),
      async (reply) => {
        const items = readEdits(reply).edits.map(({ edit }) => aPatchEdit(edit));
        const base = originalCandidate(skillText, files);
        const { candidate, report } = await withEdits(context, base, items, neverAborted);
        assert.equal(report.length, items.length);
        const documents = documentsOf(base, candidate, store.places.documentPath);
        if (documents.length === 0) return;
        const reading = { kind: 'verified' as const, proposal: aReviewProposal(documents) };
        await adopt(store, { reading, attended: true }, neverAborted);
        adopted += 1;
        const after = await bytesOf(machine);
        assert.deepEqual(
          after.map(([name]) => name),
          before.map(([name]) => name),
        );
        const changed = after.filter(([, bytes], at) => bytes !== before[at]?.[1]).map(([name]) => name);
        for (const name of changed) assert.ok(lawful.has(name), name);
        await undoLast(store, neverAborted);
        assert.deepEqual(await bytesOf(machine), before);
      },
    );
    await fc.assert(property, { numRuns: cases, seed: 21, endOnFailure: true });
    assert.ok(adopted >= cases / 4, `only ${adopted} of ${cases} changed something`);
  });
});

const lawful = new Set(['SKILL.md', ...Object.keys(files)].map((name) => `workspace/skills/dates/${name}`));

function documentsOf(base: Candidate, candidate: Candidate, skillPath: string) {
  const edits = candidate.edits.map(({ edit }, at) => aProposedEdit(edit, { id: `E${at + 1}` }));
  const parts = changedDocuments({ path: skillPath, base, candidate }, edits);
  return parts
    .filter((part) => part.base.text !== part.candidate.text)
    .map(({ kind, path: name, base: from, candidate: to, edits: own }) => ({
      kind,
      path: name,
      baseHash: from.hash,
      baseText: from.text,
      candidateHash: to.hash,
      candidateText: to.text,
      scope: 'body' as const,
      edits: own.map((edit) => ({ ...edit, hunks: [] })),
    }));
}

async function ready(): Promise<Machine> {
  const machine = await aMachine();
  const folder = path.dirname(machine.skillPath);
  for (const [name, text] of Object.entries(files)) await written(path.join(folder, name), text);
  for (const name of others) await written(path.join(machine.workspace, name), `mine: ${name}\n`);
  return machine;
}

async function written(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Every file of the machine but the state of the person, which holds receipts and backups. */
async function bytesOf({ folder, home, workspace }: Machine): Promise<readonly (readonly [string, string])[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const own = [home, path.join(workspace, '.whetstone')];
  const found = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !own.some((state) => file.startsWith(state)))
    .sort();
  return Promise.all(
    found.map(async (file) => [path.relative(folder, file), (await readFile(file)).toString('hex')] as const),
  );
}
