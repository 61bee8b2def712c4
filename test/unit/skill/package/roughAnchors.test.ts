import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isFull } from '../../../builders/few.js';
import { parseSkill } from '../../../../src/skill/document/skillDocument.js';
import type { ApplyReportRow, Edit } from '../../../../src/skill/edits/edit.js';
import { applyPackageEdits } from '../../../../src/skill/package/applyPackageEdits.js';
import { skillText } from '../arbitrarySkills.js';

const tone =
  '# Tone\n- Be brief.\n- Say what happens next.\n- Never guess.\n\n# Form\n\nOne paragraph\nof plain text.\n';

describe('An anchor that a model wrote roughly', () => {
  const found: readonly (readonly [name: string, document: string, anchor: string, place: string])[] = [
    ['a list in one line', tone, '# Tone - Be brief. - Say what', '# Tone\n- Be brief.\n- Say what'],
    ['a list without its marks', tone, 'Be brief.\nSay what happens next.', 'Be brief.\n- Say what happens next.'],
    ['other marks', tone, '* Be brief.\n* Say what happens next.', '- Be brief.\n- Say what happens next.'],
    ['numbers for bullets', tone, '1. Be brief.\n2. Say what', '- Be brief.\n- Say what'],
    ['bullets for numbers', '1. One a.\n2. Two b.\n', '- One a.\n- Two b.', '1. One a.\n2. Two b.'],
    ['bullets that only look like some', tone, '• Be brief.', '- Be brief.'],
    ['a paragraph in one line', tone, 'One paragraph of plain text.', 'One paragraph\nof plain text.'],
    ['a line broken in two', tone, 'Say what\nhappens next.', 'Say what happens next.'],
    ['spaces doubled', tone, 'Say  what happens', 'Say what happens'],
    ['tabs for spaces', tone, 'Say\twhat happens', 'Say what happens'],
    ['spaces before a line', '- a one\n  - b two\n', '- a one\n- b two', '- a one\n  - b two'],
    ['a blank line between', tone, '- Be brief.\n\n- Say what', '- Be brief.\n- Say what'],
    ['a blank line left out', tone, '- Never guess.\n# Form', '- Never guess.\n\n# Form'],
    ['a mark before what has none', tone, '- One paragraph', 'One paragraph'],
    ['beginning and ending within words', tone, 'rief.\nSay wha', 'rief.\n- Say wha'],
    ['carriage returns', 'a b\r\n- c d\r\n', 'a b - c d', 'a b\n- c d'],
  ];
  for (const [name, document, anchor, place] of found) {
    it(`is the one place that it can mean: ${name}`, async () => {
      const row = await placed(document, { op: 'replace', anchor, content: 'Something else.', rationale: '' });
      assert.equal('anchor' in row.edit ? row.edit.anchor : '', place);
      assert.deepEqual(row.outcome, {
        kind: 'applied',
        matched: 'matched after white space, list marks and line breaks were set aside',
      });
    });
  }

  const refused: readonly (readonly [name: string, document: string, anchor: string, reason?: string])[] = [
    ['two places', '- a b\n\ntext\n\n- a  b\n', 'a\nb'],
    ['a place that overlaps itself', 'a a  a\n', 'a\na'],
    ['other words', tone, '# Tone - Be short. - Say what'],
    ['other case', tone, '# tone - Be brief.'],
    ['other punctuation', tone, '# Tone: - Be brief.'],
    ['a word left out', tone, 'Be brief. Say happens next.'],
    ['a dash that is no mark there', tone, 'Be brief. - Never guess.'],
    ['a dash within a sentence', 'Say it - or not.\n', 'Say it or\nnot.'],
    ['a mark for words in the middle of a line', tone, '- happens next.\n- Never'],
    ['nothing but marks', tone, '-\n-'],
    ['a mark at its end', tone, 'Be  brief. -'],
    ['words parted', tone, 'Be bri ef.'],
    ['words joined', tone, 'Bebrief.'],
    ['code, in which white space has a meaning', '```sh\nif a\n  b c\n```\n', 'if a\nb c'],
    ['what stands there twice as it is written', 'a b\n\na b\n', 'a b', 'anchor-ambiguous'],
  ];
  for (const [name, document, anchor, reason = 'anchor-missing'] of refused) {
    it(`is none where it means no place, or more than one: ${name}`, async () => {
      const { outcome } = await placed(document, { op: 'replace', anchor, content: 'Something else.', rationale: '' });
      assert.deepEqual([outcome.kind, 'reason' in outcome ? outcome.reason : ''], ['unmatched', reason]);
    });
  }

  it('is read so only where the optimizer wrote it, never in what is stored', async () => {
    const edit: Edit = { op: 'delete', anchor: 'Be brief.\nSay what happens next.', rationale: '' };
    const { report } = await applyPackageEdits({ skill: parseSkill(tone), files: new Map() }, [edit], limits);
    assert.equal(report[0]?.outcome.kind, 'unmatched');
  });

  it('yields to one that an earlier edit brought in as it is written', async () => {
    const edits: readonly Edit[] = [
      { op: 'append', content: 'Be brief. Say what', rationale: '' },
      { op: 'replace', anchor: 'Be brief. Say what', content: 'Otherwise.', rationale: '' },
    ];
    const { documents, report } = await rough(tone, edits);
    assert.deepEqual(report[1]?.outcome, { kind: 'applied' });
    assert.ok(documents.skill.text.startsWith(tone.trimEnd()));
  });

  it('is refused in a protected part as one that is written exactly', async () => {
    const kept = '<!-- whetstone:keep -->\n- a b\n- c d\n<!-- /whetstone:keep -->\n';
    const { outcome } = await placed(kept, { op: 'delete', anchor: 'a b - c d', rationale: '' });
    assert.equal(outcome.kind, 'refused');
  });

  it('takes the place of nothing else, whatever the document and whatever was done to its white space', async () => {
    let places = 0;
    await fc.assert(
      fc.asyncProperty(skillText, fc.nat(), fc.nat(), spacing, async (text, from, length, respace) => {
        const start = from % (text.length + 1);
        const cut = text.slice(start, start + 1 + (length % 60));
        const anchor = respace(cut);
        const [as, roughly] = await Promise.all([exactly(text, anchor), roughlyPlaced(text, anchor)]);
        // What stands there as it is written is never taken for something else.
        if (as.outcome.kind !== 'unmatched' || as.outcome.reason !== 'anchor-missing') {
          assert.deepEqual(roughly, as);
          return;
        }
        if (roughly.outcome.kind !== 'applied') return;
        places += 1;
        const exact = 'anchor' in roughly.edit ? roughly.edit.anchor : '';
        assert.equal(wordsOf(exact), wordsOf(anchor));
        assert.equal(text.replaceAll(/\r\n?/g, '\n').split(exact).length, 2, 'another place has the same text');
      }),
      { numRuns: isFull ? 20_000 : 250 },
    );
    assert.ok(places > 5, `${places} places were found`);
  });
});

const limits = {
  scope: 'body',
  sizeBudget: { lines: 500, tokens: 5_000 },
  filesSize: { lines: 0, tokens: 0 },
} as const;

const spacing = fc.constantFrom(
  (text: string) => text.replaceAll(/\s+/g, ' '),
  (text: string) => text.replaceAll(' ', '  '),
  (text: string) => text.replaceAll(' ', '\n'),
  (text: string) => text.replaceAll(/^- /gm, '* '),
  (text: string) => text.replaceAll(/^\s*(?:[-*]|\d\.) /gm, ''),
);

/** The words of a text without anything that could be a mark. */
function wordsOf(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => !/^(?:[*+•-]|\d{1,9}[.)])?$/.test(word))
    .join(' ');
}

function rough(text: string, edits: readonly Edit[]): ReturnType<typeof applyPackageEdits> {
  return applyPackageEdits({ skill: parseSkill(text), files: new Map() }, edits, { ...limits, roughAnchors: true });
}

async function placed(text: string, edit: Edit): Promise<ApplyReportRow> {
  const { report } = await rough(text, [edit]);
  const [row] = report;
  assert.ok(row !== undefined);
  return row;
}

function roughlyPlaced(text: string, anchor: string): Promise<ApplyReportRow> {
  return placed(text, { op: 'delete', anchor, rationale: '' });
}

async function exactly(text: string, anchor: string): Promise<ApplyReportRow> {
  const edit: Edit = { op: 'delete', anchor, rationale: '' };
  const { report } = await applyPackageEdits({ skill: parseSkill(text), files: new Map() }, [edit], limits);
  const [row] = report;
  assert.ok(row !== undefined);
  return row;
}
