import assert from 'node:assert/strict';
import { assertLinear } from '../../../builders/linearTime.js';
import { parseSkill } from '../../../../src/skill/document/skillDocument.js';
import { alignedHunks } from '../../../../src/skill/edits/alignedHunks.js';
import { applyEdits } from '../../../../src/skill/edits/applyEdits.js';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import { findGaming } from '../../../../src/skill/edits/gaming.js';
import { mostEditsOn } from '../../../../src/skill/edits/sizeBudget.js';
import { findInvisible } from '../../../../src/skill/edits/visibleText.js';

const skill = '---\nname: s\ndescription: d\n---\n\n# T\n\nOne.\n\n- a\n';
const anySize = { lines: 1e9, tokens: 1e9 };
const because = { rationale: '' };
const evidence = {
  regexSources: ['\\d{4}-\\d{2}'],
  references: ['alpha', 'the quick brown fox'],
  taskTexts: [{ taskId: 't', prompt: 'word '.repeat(50), context: '', reference: 'x' }],
};

/** What a reply or a file may hold over and over. */
const parts: Readonly<Record<string, string>> = {
  'one letter': 'a',
  words: 'word ',
  lines: 'line\n',
  'list items': '- x\n',
  quotes: '> ',
  fences: '```\nx\n```\n',
  'openers of fences': '~~~\n',
  comments: '<!-- ',
  headings: 'a\n=\n',
  'returns without line feeds': '\r',
  'blank lines': '\n',
  'Thai letters': '\u0e01',
  'families without end': '\u{1f468}\u200d',
  'answers in quotes': 'answer "',
};

const isFull = process.env['WHETSTONE_FULL'] === '1';
const worst = ['list items', 'returns without line feeds', 'Thai letters'];

const works: Readonly<Record<string, (text: string) => unknown>> = {
  'an edit that appends': (text) => applied(skill, { op: 'append', content: text, ...because }),
  'an edit of the learned block': (content) =>
    applyEdits(parseSkill(skill), [{ op: 'append', content, ...because }], { scope: 'learned', sizeBudget: anySize }),
  'an edit whose anchor is': (text) => applied(skill, { op: 'replace', anchor: text, content: 'x', ...because }),
  'an edit of a document of': (text) =>
    applied(`${skill}\n${text}\n\nLast.\n`, { op: 'replace', anchor: 'Last.', content: 'x', ...because }),
  'looking for what tasks hold in': (content) => findGaming({ op: 'append', content, ...because }, evidence),
  'looking for what nobody sees in': (text) => findInvisible(text, text),
  'a diff to': (text) => alignedHunks(skill, skill + text),
};

/** As large as a skill may be. */
const largest: readonly (readonly [what: string, line: string, lines: number])[] = [
  ['very many short lines', 'a', 49_000],
  ['lines of a sentence', 'Write the date as the year, the month and the day.', 19_000],
  ['long lines', 'word '.repeat(200), 1_000],
];

describe('the time of', function () {
  for (const [work, run] of Object.entries(works)) {
    for (const [what, part] of Object.entries(parts).filter(([name]) => isFull || worst.includes(name))) {
      it(`${work} ${what} goes by its length`, () => {
        assertLinear((length) => {
          run(part.repeat(Math.floor(length / part.length)));
        }, 4_000);
      });
    }
  }

  it('reading a document of returns without line feeds goes by its length', () => {
    assertLinear((length) => {
      parseSkill('\r'.repeat(length));
    }, 40_000);
  });

  for (const [what, line, lines] of largest) {
    it(`a reply of many edits to ${what} is bounded, whatever the size`, () => {
      const small = Math.min(...[0, 1].map(() => timeOf(() => reply(line, 400))));
      const first = timeOf(() => reply(line, lines));
      const large =
        first <= 6 * small
          ? first
          : Math.min(
              first,
              timeOf(() => reply(line, lines)),
            );
      assert.ok(large <= 6 * small, `${large.toFixed(0)} ms to ${small.toFixed(0)} ms`);
    });
  }

  it('a diff of texts that share single lines alone goes by their length', () => {
    assertLinear((lines) => {
      alignedHunks(strangers(lines, 'a'), strangers(lines, 'b'));
    }, 3_000);
  });
});

/** As many edits as a reply can bring, to a document of so many lines. */
function reply(line: string, lines: number): void {
  const text = `${skill}\n${`${line}\n`.repeat(lines)}`;
  const edits: readonly Edit[] = Array.from({ length: 1_000 }, (_, at) => {
    return { op: 'insert_after', anchor: 'One.', content: `Rule ${at}.`, ...because };
  });
  const most = Math.max(1, mostEditsOn(text));
  const { report } = applyEdits(parseSkill(text), edits, { scope: 'body', sizeBudget: anySize, most });
  const taken = Math.min(most, edits.length);
  assert.ok(taken > 0);
  assert.deepEqual(
    report.map(({ outcome }) => (outcome.kind === 'refused' ? outcome.reason : outcome.kind)),
    edits.map((_, at) => (at < taken ? 'applied' : 'size-budget')),
  );
}

function timeOf(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function applied(text: string, edit: Edit): unknown {
  return applyEdits(parseSkill(text), [edit], { scope: 'body', gaming: evidence, sizeBudget: anySize });
}

/** Lines of its own, and one now and then that both have. */
function strangers(lines: number, name: string): string {
  return Array.from({ length: lines }, (_, at) => (at % 300 === 0 ? `common ${at}\n` : `${name} ${at}\n`)).join('');
}
