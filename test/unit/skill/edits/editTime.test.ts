import { assertLinear } from '../../../builders/linearTime.js';
import { parseSkill } from '../../../../src/skill/document/skillDocument.js';
import { alignedHunks } from '../../../../src/skill/edits/alignedHunks.js';
import { applyEdits } from '../../../../src/skill/edits/applyEdits.js';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import { findGaming } from '../../../../src/skill/edits/gaming.js';
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

describe('the time of', function () {
  this.timeout(60_000);
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

  it('a diff of texts that share single lines alone goes by their length', () => {
    assertLinear((lines) => {
      alignedHunks(strangers(lines, 'a'), strangers(lines, 'b'));
    }, 3_000);
  });
});

function applied(text: string, edit: Edit): unknown {
  return applyEdits(parseSkill(text), [edit], { scope: 'body', gaming: evidence, sizeBudget: anySize });
}

/** Lines of its own, and one now and then that both have. */
function strangers(lines: number, name: string): string {
  return Array.from({ length: lines }, (_, at) => (at % 300 === 0 ? `common ${at}\n` : `${name} ${at}\n`)).join('');
}
