import assert from 'node:assert/strict';
import { applyEdits } from '../../../src/skill/edits/applyEdits.js';
import { parseSkill } from '../../../src/skill/document/skillDocument.js';
import { anySize } from '../../../src/skill/edits/hunksOfEdits.js';
import { partOfRewrite, rewriteEdits } from '../../../src/skill/rewrite/rewriteEdits.js';
import { eventually } from '../driver/eventually.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { openForReviews, openReview, pressIn, readSkill, rowTexts, stage, waitForSkill } from './reviewDriver.js';

const rooms = [
  'Bow',
  'Stern',
  'Bridge',
  'Galley',
  'Hold',
  'Deck',
  'Cabin',
  'Engine',
  'Anchor',
  'Radio',
  'Mast',
  'Keel',
];
const name = 'rounds';
const head = `---\nname: ${name}\ndescription: Writes down the rounds of a watch.\n---\n\n# Rounds\n`;
const original = written((room) => `Look at the ${room.toLowerCase()} now and then.`);
const rewritten = written((room) => `Write one line about the ${room.toLowerCase()}, with the time in UTC.`);

/** A rewrite that changes every section of a skill is twelve edits, each of which is decided by itself. */
describe('a rewrite of twelve edits', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);
  const made = rewriteEdits(parseSkill(original), rewritten, { most: rooms.length, allowed: anySize });
  before(async () => {
    workbench = await openForReviews();
  });
  after(() => workbench.close());

  it('is one edit for each block that it changes', () => {
    assert.ok(made.kind === 'edits', JSON.stringify(made));
    assert.equal(made.edits.length, rooms.length);
  });

  it('is reviewed one by one: what was accepted is in the file, and nothing of what was rejected', async function () {
    this.timeout(600_000);
    assert.ok(made.kind === 'edits');
    const edits = made.edits.map(({ edit, headings: [heading = ''] }, at) => ({
      ...edit,
      rationale: at % 3 === 0 ? partOfRewrite : `${heading}: the answers did not say when.`,
    }));
    assert.equal(applyEdits(parseSkill(original), edits, { scope: 'body' }).document.text, rewritten);
    await stage(workbench, { name, text: original, edits });
    await openReview(workbench, name);
    await eventually(async () => (await left()) === rooms.length, 'all edits have a row');
    await workbench.screenshot('rewrite-review');
    await workbench.page.setViewportSize({ width: 1000, height: 700 });
    await workbench.screenshot('rewrite-review-1000');
    for (const [at] of rooms.entries()) {
      await pressIn(workbench, /1 of \d+/, isTaken(at) ? 'Accept' : 'Reject');
      if (!isTaken(at)) await workbench.quickInput.choose('No reason');
      await eventually(async () => (await left()) === rooms.length - at - 1, `${at + 1} are decided`);
    }
    const wanted = written((room, at) => lineOf(isTaken(at) ? rewritten : original, room));
    await waitForSkill(workbench, name, (text) => text === wanted);
    assert.equal(readSkill(workbench, name), wanted);
    await workbench.screenshot('rewrite-decided');
  });

  async function left(): Promise<number> {
    const rows = (await rowTexts(workbench)).join(' | ');
    return Number(/1 of (\d+) · /.exec(rows)?.[1] ?? 0);
  }
});

function isTaken(at: number): boolean {
  return at % 4 !== 3;
}

function written(line: (room: string, at: number) => string): string {
  return head + rooms.map((room, at) => `\n## ${room}\n\n${line(room, at)}\n`).join('');
}

function lineOf(text: string, room: string): string {
  return new RegExp(`## ${room}\\n\\n(.*)\\n`, 'u').exec(text)?.[1] ?? '';
}
