import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseSkill, printSkill } from '../../../src/skill/document/skillDocument.js';
import { applyEdits } from '../../../src/skill/edits/applyEdits.js';
import type { Edit } from '../../../src/skill/edits/edit.js';
import { readDecisions } from '../../../src/storage/proposals/decisions.js';
import { readProposal } from '../../../src/storage/proposals/proposals.js';
import { rejectedEditsOf } from '../../../src/storage/proposals/rejectedEdits.js';
import { aCommandLine, type CommandLine, type CommandResult } from '../../builders/commandLine.js';
import { stagedStore, stageProposal, type StagePlace } from '../../builders/stageProposal.js';

const text = '---\nname: dates\n---\n\n# Dates\n\n- Name the month.\n- Keep the year.\n';
const neighbours: readonly Edit[] = [
  after('- Keep the year.', '- Say the time zone.'),
  after('- Keep the year.', '- Write the day in full.'),
  { op: 'append', content: 'Look twice.', rationale: 'r' },
];
const bound: readonly Edit[] = [
  after('- Keep the year.', '- Say the time zone.'),
  after('- Name the month.', '- In words.'),
  after('- Say the time zone.', '- UTC is best.'),
];

describe('the edits of a proposal, one by one on the command line', () => {
  let line: CommandLine;
  let place: StagePlace;
  let skillPath = '';
  const skillText = (): string => readFileSync(skillPath, 'utf8');
  const run = (verb: string, ...more: readonly string[]): Promise<CommandResult> =>
    line.run(verb, skillPath, '--root', line.folder, ...more);
  const ran = async (verb: string, ...more: readonly string[]): Promise<string> => {
    const { code, out, err } = await run(verb, ...more);
    assert.equal(code, 0, err);
    return out;
  };
  const stage = async (edits: readonly Edit[]): Promise<void> => {
    line = aCommandLine();
    place = { workspace: line.folder, state: line.home, home: line.home };
    skillPath = await stageProposal(place, { name: 'dates', text, edits });
  };
  afterEach(() => line.dispose());

  it('are taken and rejected in any order, and the skill is what the taken ones make', async () => {
    await stage(neighbours);
    assert.match(await ran('adopt', '--edits', 'E3'), /holds only E3: that text was not measured/);
    assert.doesNotMatch(await ran('show'), /has changed since/, 'what was taken is no change of somebody else');
    assert.equal(skillText(), made(neighbours, [2]));
    assert.match(await ran('reject', '--edits', 'E1', '--reason', 'too long'), /Rejected: E1\./);
    assert.equal(skillText(), made(neighbours, [2]));
    assert.match(await ran('adopt', '--edits', 'E2'), /holds only part of the proposal: that text was not measured/);
    assert.equal(skillText(), made(neighbours, [1, 2]));
    assert.match(await ran('status'), /no proposal waits/);
    const [row] = await rejectedEditsOf(await stagedStore(place, skillPath)).all();
    assert.equal(row?.reason, 'too long');
  });

  it('are shown with what was decided on each, and only the open ones are to review', async () => {
    await stage(neighbours);
    assert.match(await ran('show'), /3 edits to review\.[\s\S]*^E1 .* · open/m);
    await ran('reject', '--edits', 'E1', '--reason', 'too long');
    const shown = await ran('show');
    assert.match(shown, /held-out tasks · with all 3 edits; 1 is rejected\. 2 edits to review\.\n/);
    assert.match(shown, /^E1 .* · rejected \(too long\)/m);
    assert.match(shown, /^E2 .* · open/m);
    await ran('adopt', '--edits', 'E2');
    assert.match(await ran('show'), /1 edit to review\.[\s\S]*^E2 .* · accepted/m);
  });

  it('say so where one is taken that was rejected before', async () => {
    await stage(neighbours);
    await ran('reject', '--edits', 'E1,E3');
    assert.match(await ran('adopt', '--edits', 'E1'), /^Adopted\. E1 was rejected before\. /);
    assert.doesNotMatch(await ran('adopt', '--edits', 'E2'), /rejected before/);
  });

  it('are all taken by a last word about the rest, which is then the text that was measured', async () => {
    await stage(neighbours);
    await ran('adopt', '--edits', 'E2');
    await ran('adopt');
    assert.equal(skillText(), made(neighbours, [0, 1, 2]));
    assert.match(await ran('history'), /^2\s.*adopt\s+improved/m);
  });

  it('write the record of the team only where the skill is the text that was measured', async () => {
    await stage(neighbours);
    const record = withRecord(skillPath);
    await ran('reject', '--edits', 'E1');
    assert.match(await ran('adopt'), /That text was not measured\./);
    assert.equal(skillText(), made(neighbours, [1, 2]));
    assert.equal(readFileSync(record, 'utf8'), emptyRecord, 'a part was never scored');
    line.dispose();
    await stage(neighbours);
    const whole = withRecord(skillPath);
    await ran('adopt', '--edits', 'E2');
    assert.equal(readFileSync(whole, 'utf8'), emptyRecord);
    await ran('adopt', '--edits', 'E1,E3');
    assert.match(readFileSync(whole, 'utf8'), /"verdict": "accepted"/);
  });

  it('are open again where somebody put the text back that was there before', async () => {
    await stage(neighbours);
    await ran('adopt', '--edits', 'E1');
    writeFileSync(skillPath, text);
    assert.match(await ran('adopt', '--edits', 'E2'), /holds only E2: that text was not measured/);
    assert.equal(skillText(), made(neighbours, [1]));
    await ran('adopt');
    assert.equal(skillText(), made(neighbours, [0, 1, 2]));
  });

  it('are refused where one is in the skill already, or none is named', async () => {
    await stage(neighbours);
    await ran('adopt', '--edits', 'E2');
    const twice = await run('adopt', '--edits', 'E2,E3');
    assert.equal(twice.code, 2);
    assert.match(twice.err, /In the skill already: E2\./);
    assert.match((await run('adopt', '--edits', ',')).err, /No edit was named\./);
    assert.equal(skillText(), made(neighbours, [1]));
  });

  it('are shown with as much of a reason as a person reads', async () => {
    await stage(neighbours.map((edit) => ({ ...edit, rationale: `Because. ${'x'.repeat(100_000)}` })));
    const reasons = (await ran('show')).split('\n').filter((row) => row.startsWith('   Because.'));
    assert.equal(reasons.length, neighbours.length);
    for (const reason of reasons) assert.ok(reason.length < 2_100 && reason.endsWith('x…'), String(reason.length));
  });

  it('are refused where one cannot be had without another, which is named; nothing is written', async () => {
    await stage(bound);
    const shown = await ran('show');
    assert.match(shown, /^\S+ improved from \d+ % to \d+ % on \d+ held-out tasks\. 3 edits to review\.\n/);
    assert.match(
      shown,
      /^E1, E3 can only be decided together: they change the same lines, or one stands in what another wrote\.$/m,
    );
    for (const verb of ['adopt', 'reject']) {
      const { code, err } = await run(verb, '--edits', 'E3');
      assert.equal(code, 2);
      assert.match(err, /E1, E3 can only be decided together: they change the same lines/);
      assert.match(err, /Name all of them: E1,E3\./);
    }
    assert.equal(skillText(), text);
    await ran('adopt', '--edits', 'E3,E1');
    assert.equal(skillText(), made(bound, [0, 2]));
  });

  it('are the whole proposal where there is only one, measured as it is', async () => {
    await stage(neighbours.slice(0, 1));
    assert.doesNotMatch(await ran('adopt', '--edits', 'E1'), /not measured/);
    assert.match(await ran('history'), /^1\s.*adopt\s+improved/m);
  });

  it('wait again after an undo, one by one or as a whole', async () => {
    await stage(neighbours);
    await ran('adopt');
    assert.match(await ran('status'), /no proposal waits/);
    assert.match(await ran('undo'), /Its edits can be decided again\./);
    assert.equal(skillText(), text);
    assert.match(await ran('show'), /E1[^]*E2[^]*E3/);
    await ran('adopt', '--edits', 'E1');
    await ran('undo');
    await ran('adopt', '--edits', 'E1,E2,E3');
    assert.equal(skillText(), made(neighbours, [0, 1, 2]));
  });

  it('are taken back adoption by adoption, the last one first, and each undo says which', async () => {
    await stage(neighbours);
    await ran('adopt', '--edits', 'E2');
    await ran('adopt', '--edits', 'E3');
    assert.match(await ran('undo'), /^Undone: E3\. The skill is as it was before that adoption\./);
    assert.equal(skillText(), made(neighbours, [1]));
    const store = await stagedStore(place, skillPath);
    const reading = await readProposal(store);
    const id = reading.kind === 'verified' ? reading.proposal.id : '';
    assert.deepEqual(Object.keys(await readDecisions(store, id)), ['E2'], 'E3 is open again, E2 stays taken');
    assert.match(await ran('undo', '--json'), /"takenBack": ?\[\s*"E2"\s*\]/);
    assert.equal(skillText(), text);
    assert.match((await run('undo')).err, /left to undo/);
  });

  it('stay decided where the undo is refused, because the skill was changed since', async () => {
    await stage(neighbours);
    await ran('adopt');
    writeFileSync(skillPath, `${skillText()}\nMine.\n`);
    assert.equal((await run('undo')).code, 2);
    assert.match(await ran('status'), /no proposal waits/);
    writeFileSync(skillPath, made(neighbours, [0, 1, 2]));
    await ran('undo');
    assert.equal(skillText(), text);
    assert.match(await ran('show'), /E1[^]*E2[^]*E3/);
  });

  it('are gone for good with all data of the skill', async () => {
    await stage(neighbours);
    await ran('adopt');
    const asked = await run('clean');
    assert.equal(asked.code === 0, false);
    assert.match(asked.err, /also its error budget/);
    await ran('clean', '--yes');
    assert.match((await run('show')).err, /No proposal waits/);
    assert.equal((await run('undo')).code === 0, false);
  });
});

function made(edits: readonly Edit[], chosen: readonly number[]): string {
  const taken = edits.filter((_, at) => chosen.includes(at));
  return printSkill(applyEdits(parseSkill(text), taken, { scope: 'body' }).document);
}

const emptyRecord = JSON.stringify({
  format: 'whetstone-record',
  version: 1,
  skill: 'dates',
  skillHash: '',
  recordedAt: '2026-01-01T00:00:00.000Z',
  model: 'm',
  simulated: false,
  score: 0,
  tasks: {},
  adopted: [],
});

function withRecord(skillPath: string): string {
  const record = path.join(path.dirname(skillPath), 'evals', 'record.json');
  mkdirSync(path.dirname(record), { recursive: true });
  writeFileSync(record, emptyRecord);
  return record;
}

function after(anchor: string, content: string): Edit {
  return { op: 'insert_after', anchor, content, rationale: 'r' };
}
