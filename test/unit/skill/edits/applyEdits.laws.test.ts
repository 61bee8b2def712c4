import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyEdits } from '../../../../src/skill/edits/applyEdits.js';
import { keepsCode } from '../../../../src/skill/edits/codeFences.js';
import type { EditScope } from '../../../../src/skill/edits/edit.js';
import { parseSkill, printSkill, type SkillDocument } from '../../../../src/skill/document/skillDocument.js';
import { skillAndEdits } from '../arbitrarySkills.js';

const runs = process.env['WHETSTONE_FULL'] === '1' ? 10_000 : 60;
const sizeBudget = { lines: 30, tokens: 120 };

describe('applyEdits, for any skill and any edits,', function () {
  this.timeout(300_000);

  for (const scope of ['body', 'learned'] as const satisfies readonly EditScope[]) {
    const holds = (law: (before: SkillDocument, after: SkillDocument) => void): void => {
      fc.assert(
        fc.property(skillAndEdits(scope), ({ text, edits }) => {
          const before = parseSkill(text);
          law(before, applyEdits(before, edits, { scope, sizeBudget }).document);
        }),
        { numRuns: runs },
      );
    };

    it(`keeps the front matter and what comes before it (scope ${scope})`, () => {
      holds((before, after) => {
        assert.equal(head(after), head(before));
        assert.deepEqual({ ...after.frontMatter, next: 0 }, { ...before.frontMatter, next: 0 });
      });
    });

    it(`leaves a document as reading its text anew would give it (scope ${scope})`, () => {
      holds(({ eol }, after) => assert.deepEqual(after, { ...parseSkill(after.text), eol }));
    });

    it(`keeps every protected region (scope ${scope})`, () => {
      holds((before, after) => {
        assert.deepEqual(regionTexts(after, scope), regionTexts(before, scope));
      });
    });

    it(`keeps the number of open code fences (scope ${scope})`, () => {
      holds((before, after) => {
        assert.ok(openFences(after) <= openFences(before));
      });
    });

    it(`keeps every code fence word for word (scope ${scope})`, () => {
      holds((before, after) => assert.ok(keepsCode(before.text, after.text)));
    });

    it(`stays in the budget, or in the former size (scope ${scope})`, () => {
      holds((before, after) => {
        assert.ok(after.size.lines <= Math.max(before.size.lines, sizeBudget.lines));
        assert.ok(after.size.tokens <= Math.max(before.size.tokens, sizeBudget.tokens));
      });
    });

    it(`ends every line as the text does (scope ${scope})`, () => {
      holds((before, after) => {
        assert.ok(before.mixedEol || !after.mixedEol);
        if (/[\r\n]/.test(before.text) && /[\r\n]/.test(after.text)) assert.equal(after.eol, before.eol);
      });
    });

    it(`reports every edit once, and changes the text only by those it applied (scope ${scope})`, () => {
      fc.assert(
        fc.property(skillAndEdits(scope), ({ text, edits }) => {
          const { document, report } = applyEdits(parseSkill(text), edits, { scope, sizeBudget });
          assert.deepEqual(
            report.map(({ index, edit }) => [index, edit]),
            [...edits.entries()],
          );
          const applied = report.filter(({ outcome }) => outcome.kind === 'applied').map(({ edit }) => edit);
          if (applied.length === 0) assert.equal(printSkill(document), text);
          assert.equal(
            printSkill(applyEdits(parseSkill(text), applied, { scope, sizeBudget }).document),
            printSkill(document),
          );
        }),
        { numRuns: runs },
      );
    });

    it(`changes nothing outside the learned block in scope learned, and applies some edits (scope ${scope})`, () => {
      let applied = 0;
      fc.assert(
        fc.property(skillAndEdits(scope), ({ text, edits }) => {
          const { document, report } = applyEdits(parseSkill(text), edits, { scope });
          applied += report.filter(({ outcome }) => outcome.kind === 'applied').length;
          if (scope === 'learned') assert.equal(withoutLearned(document.text), withoutLearned(text));
        }),
        { numRuns: runs },
      );
      assert.ok(applied > runs / 20, `only ${applied} edits were applied: the law holds for nothing`);
    });
  }
});

function openFences({ fences }: SkillDocument): number {
  return fences.filter(({ closed }) => !closed).length;
}

function head({ text, frontMatter, body }: SkillDocument): string {
  return text.slice(0, frontMatter?.span.end ?? body.start);
}

function regionTexts({ text, regions }: SkillDocument, scope: EditScope): readonly (readonly [string, string])[] {
  return regions
    .filter(({ kind }) => scope === 'body' || kind !== 'learned')
    .map(({ kind, span }) => [kind, text.slice(span.start, span.end)]);
}

/** What lies outside the first learned block, without the white space around it. */
function withoutLearned(text: string): string {
  const region = parseSkill(text).regions.find(({ kind, state }) => kind === 'learned' && state === 'closed');
  if (region === undefined) return text.trimEnd();
  return `${text.slice(0, region.span.start).trimEnd()}${text.slice(region.span.end)}`.trimEnd();
}
