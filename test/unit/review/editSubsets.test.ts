import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { editsInText } from '../../../src/review/decidedState.js';
import { EditSubsets } from '../../../src/review/editSubsets.js';
import { explainHunks } from '../../../src/review/explainHunks.js';
import type { ReviewTexts } from '../../../src/review/openChange.js';
import { textsOf } from '../../../src/review/proposalTexts.js';
import { editIds, reviewState, textAfterAccept, textAfterReject } from '../../../src/review/reviewHunks.js';
import { parseSkill, printSkill } from '../../../src/skill/document/skillDocument.js';
import { applyEdits } from '../../../src/skill/edits/applyEdits.js';
import type { Edit } from '../../../src/skill/edits/edit.js';
import { aProposedEdit, aReviewDocument } from '../../builders/aReviewProposal.js';
import { isFull } from '../../builders/few.js';

const base = '# Dates\n\nUse the local order.\n\n## Rules\n\n- Name the month.\n- Keep the year.\n\nThe end.\n';

describe('what is remembered of proposals', () => {
  it('is their texts and places, and not the whole text before and after each edit', () => {
    const rules = Array.from(
      { length: isFull ? 800 : 400 },
      (_, at) => `Rule ${at} of this skill says what to do in case ${at}.`,
    );
    const edits = Array.from({ length: rules.length / 40 }, (_, at) => {
      const anchor = rules[at * 40] ?? '';
      const edit: Edit = { op: 'replace', anchor, content: `${anchor} Do it.`, rationale: 'r' };
      return aProposedEdit(edit, { id: `E${at}` });
    });
    const ids = new Set(edits.map(({ id }) => id));
    const text = rules.join('\n\n');
    const look = (skill: number): void => {
      const subsets = new EditSubsets({ base: `${text}\n\nSkill ${skill}.\n`, edits, scope: 'body', code: 'allowed' });
      assert.equal(subsets.take(ids).hunks.size, edits.length);
    };
    look(0); // code that runs for the first time
    const before = heldBytes();
    for (let skill = 1; skill <= 6; skill += 1) look(skill);
    const each = (heldBytes() - before) / 6;
    assert.ok(each < 8 * text.length, `${Math.round(each)} bytes are held of a text of ${text.length}`);
  });
});

function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  assert.ok(typeof collect === 'function');
  Reflect.apply(collect, undefined, []);
  return process.memoryUsage().heapUsed;
}

describe('the edits that can be decided by themselves', () => {
  it('are all that stand side by side', () => {
    const edits: readonly Edit[] = [
      after('- Keep the year.', '- Say the time zone.'),
      after('- Keep the year.', '- Write the day in full.'),
      { op: 'replace', anchor: '- Keep the year.', content: '- Keep the year and the week.', rationale: 'r' },
      { op: 'append', content: 'Look twice.', rationale: 'r' },
      { op: 'append', content: 'Then send it.', rationale: 'r' },
    ];
    assert.deepEqual(unitsOf(base, edits.slice(0, 2)), [['E1'], ['E2']]);
    assert.deepEqual(unitsOf(base, edits.slice(2)), [['E1'], ['E2'], ['E3']]);
    assert.deepEqual(unitsOf(base.trimEnd(), edits.slice(3)), [['E1'], ['E2']]);
  });

  it('are those on either side of one that takes lines away', () => {
    const rules = Array.from({ length: 6 }, (_, at) => `Rule ${at + 1} is as it was.`);
    const edits = rules.map((anchor, at): Edit => {
      if (at % 3 === 2) return { op: 'delete', anchor, rationale: 'r' };
      return {
        op: at % 3 === 0 ? 'replace' : 'insert_after',
        anchor,
        content: `Rule ${at + 1} is better.`,
        rationale: 'r',
      };
    });
    const text = `# Rules\n\n${rules.join('\n\n')}\n`;
    assert.deepEqual(unitsOf(text, edits), [['E1'], ['E2'], ['E3'], ['E4'], ['E5'], ['E6']]);
  });

  it('are not those that stand in what another wrote, or change the same line', () => {
    const needing: readonly Edit[] = [
      after('- Keep the year.', '- Say the time zone.'),
      after('- Name the month.', '- Write it in full.'),
      after('- Say the time zone.', '- UTC is best.'),
    ];
    assert.deepEqual(unitsOf(base, needing), [['E1', 'E3'], ['E2']]);
    const same: readonly Edit[] = [
      { op: 'replace', anchor: 'local', content: 'ISO', rationale: 'r' },
      { op: 'replace', anchor: 'Use the', content: 'Always use the', rationale: 'r' },
    ];
    assert.deepEqual(unitsOf(base, same), [['E1', 'E2']]);
  });

  it('are not those whose place is only one once another has changed the rest', () => {
    const twice = '# T\n\nSay it.\n\nOther.\n\nSay it.\n\nEnd.\n';
    const edits: readonly Edit[] = [
      { op: 'replace', anchor: 'Other.\n\nSay it.', content: 'Other.\n\nShout.', rationale: 'r' },
      after('Say it.', 'And again.'),
    ];
    assert.deepEqual(unitsOf(twice, edits), [['E1', 'E2']]);
  });

  it('are found in about the time in which all are applied, whatever the size of the document and the number of edits', () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => `- Rule ${at} stays as it is for ever and a day.`);
    const edits = Array.from({ length: 20 }, (_, at): Edit => after(lines[at * 45] ?? '', `- New rule ${at}.`));
    const measured = (round: number): { readonly all: number; readonly rest: number } => {
      const text = `# Long ${round}\n\n${lines.join('\n')}\n`; // what is known of one text is not found out again
      const document = aReviewDocument(text, edits);
      const subsets = new EditSubsets({ base: text, edits: document.edits, scope: 'body', code: 'allowed' });
      const all = timed(() => subsets.take(new Set(subsets.ids)));
      const rest = timed(() => [subsets.units, editsInText(subsets, `${text}Mine.\n`)]);
      assert.equal(subsets.units.length, 20);
      return { all, rest };
    };
    // One of three is good enough: the machine may be at work on other things.
    const times = [measured(0)];
    const isBounded = (): boolean => times.some(({ all, rest }) => rest < 12 * all + 50);
    while (times.length < 3 && !isBounded()) times.push(measured(times.length));
    assert.ok(isBounded(), JSON.stringify(times));
  });

  it('are found once, whoever asks: the tree and a review look at the same proposal', () => {
    const { edits } = aReviewDocument(base, [after('- Keep the year.', '- Say the time zone.')]);
    const [one, other, elsewhere] = [base, base, `${base}\nMore.\n`].map(
      (text) => new EditSubsets({ base: text, edits, scope: 'body', code: 'allowed' }),
    );
    assert.equal(one?.units, other?.units);
    assert.equal(one?.take(new Set(['E1'])), other?.take(new Set(['E1'])));
    assert.notEqual(one?.units, elsewhere?.units);
    assert.match(elsewhere?.take(new Set(['E1'])).text ?? '', /More\./);
  });

  it('take their block with them, whichever is taken first', () => {
    const edits: readonly Edit[] = [
      { op: 'append', content: '- One.', rationale: 'r' },
      { op: 'append', content: '- Two.', rationale: 'r' },
    ];
    const document = aReviewDocument(base, edits, { scope: 'learned' });
    const subsets = new EditSubsets({ base, edits: document.edits, scope: 'learned', code: 'allowed' });
    assert.deepEqual(subsets.units, [['E1'], ['E2']]);
    assert.match(subsets.take(new Set(['E2'])).text, /LEARNED START[^]*- Two\./);
  });
});

describe('deciding edit by edit', () => {
  it('writes exactly what applying the accepted ones makes, whatever the order and the rejections between', () => {
    const runs = isFull ? 200 : 15;
    let decided = 0;
    fc.assert(
      fc.property(proposals(), fc.nat({ max: 1_000_000 }), ({ text, edits }, seed) => {
        decided += walk(text, edits, drawer(seed));
      }),
      { numRuns: runs, seed: 16 },
    );
    assert.ok(decided > runs * 1.5, `only ${decided} decisions`);
  });

  it('goes the same way in a document without a last line break, and inside the learned block', () => {
    const draw = drawer();
    for (let run = 0; run < (isFull ? 20 : 3); run += 1) {
      const edits = [1, 2, 3, 4].map((at): Edit => ({
        op: 'append',
        content: `- Rule ${at} of ${run}.`,
        rationale: 'r',
      }));
      walk(base.trimEnd(), edits, draw);
      walk(base, edits, draw, 'learned');
    }
  });
});

/** Decides one unit after the other, and looks at both texts after each. Gives how many were decided. */
function walk(
  text: string,
  edits: readonly Edit[],
  draw: (below: number) => number,
  scope: 'body' | 'learned' = 'body',
): number {
  const document = aReviewDocument(text, edits, { scope });
  const texts = textsOf(document);
  const explained = explainHunks(texts, document.edits, scope);
  const made = (ids: ReadonlySet<string>): string => {
    const chosen = document.edits.filter(({ id }) => ids.has(id)).map(({ edit }) => edit);
    return printSkill(applyEdits(parseSkill(text), chosen, { scope, code: 'allowed' }).document);
  };
  const [accepted, open] = [new Set<string>(), new Set(document.edits.map(({ id }) => id))];
  let review: ReviewTexts = { texts, explained, real: texts.base, candidate: texts.proposed };
  let steps = 0;
  for (; ; steps += 1) {
    const state = reviewState(review);
    assert.deepEqual(new Set(editIds(state.hunks)), shownOf(open, explained.subsets), 'every open edit is shown');
    const units = [...new Set(state.hunks.map((hunk) => editIds([hunk]).join(' ')))];
    if (units.length === 0) break;
    assert.ok(state.decided, 'both texts are known for what they are');
    const unit = (units[draw(units.length)] ?? '').split(' ');
    const chosen = state.hunks.filter((hunk) => editIds([hunk]).some((id) => unit.includes(id)));
    for (const id of unit) open.delete(id);
    if (draw(2) === 0) {
      for (const id of unit) accepted.add(id);
      review = { ...review, real: textAfterAccept(review, state, chosen) };
    } else review = { ...review, candidate: textAfterReject(review, state, chosen) };
    assert.equal(review.real, made(accepted), 'the file');
    assert.equal(review.candidate, made(new Set([...accepted, ...open])), 'the proposal');
  }
  return steps;
}

/** An edit that another one took back changes nothing, and is not asked about. */
function shownOf(open: ReadonlySet<string>, subsets: EditSubsets): ReadonlySet<string> {
  const { hunks } = subsets.take(new Set(subsets.ids));
  const silent = subsets.units.filter((unit) => unit.every((id) => hunks.get(id)?.length === 0)).flat();
  return new Set([...open].filter((id) => !silent.includes(id)));
}

/** Documents of short sections and lists, and edits that crowd around the same few lines of them. */
function proposals(): fc.Arbitrary<{ readonly text: string; readonly edits: readonly Edit[] }> {
  const word = fc.constantFrom('month', 'year', 'zone', 'order', 'day', 'week');
  const line = fc
    .tuple(fc.constantFrom('- Name the ', '- Keep the ', 'Say the ', '1. Check the '), word)
    .map(([a, b]) => `${a}${b}.`);
  return fc
    .record({
      lines: fc.uniqueArray(line, { minLength: 2, maxLength: 7 }),
      gaps: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
    })
    .chain(({ lines, gaps }) => {
      const body = lines.map((each, at) => `${each}${gaps[at] === true ? '\n\n' : '\n'}`).join('');
      const text = `# Rules\n\n${body}`;
      const anchor = fc.constantFrom(...lines);
      const said = fc
        .tuple(fc.constantFrom('- Say ', 'Always say ', '- Never say '), fc.nat({ max: 999 }))
        .map(([a, b]) => `${a}${b}.`);
      const content = fc.oneof(
        said,
        fc.tuple(said, said).map((both) => both.join('\n')),
      );
      const edit: fc.Arbitrary<Edit> = fc.oneof(
        fc.record({ op: fc.constant('insert_after' as const), anchor, content, rationale: fc.constant('r') }),
        fc.record({ op: fc.constant('append' as const), content, rationale: fc.constant('r') }),
        fc.record({ op: fc.constant('replace' as const), anchor, content, rationale: fc.constant('r') }),
        fc.record({ op: fc.constant('delete' as const), anchor, rationale: fc.constant('r') }),
      );
      return fc.array(edit, { minLength: 2, maxLength: 7 }).map((edits) => ({ text, edits: lawful(text, edits) }));
    });
}

/** Those that find a place one after the other, as a run proposes them. */
function lawful(text: string, edits: readonly Edit[]): readonly Edit[] {
  const { report } = applyEdits(parseSkill(text), edits, { scope: 'body', code: 'allowed' });
  return report.filter(({ outcome }) => outcome.kind === 'applied').map(({ edit }) => edit);
}

/** In milliseconds. */
function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function unitsOf(text: string, edits: readonly Edit[]): readonly (readonly string[])[] {
  return new EditSubsets({ base: text, edits: aReviewDocument(text, edits).edits, scope: 'body', code: 'allowed' })
    .units;
}

function after(anchor: string, content: string): Edit {
  return { op: 'insert_after', anchor, content, rationale: 'r' };
}

/** Numbers that look drawn and are the same every time. */
function drawer(seed = 7): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}
