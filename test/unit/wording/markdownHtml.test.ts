import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { assertLinear } from '../../builders/linearTime.js';
import { markdownHtml } from '../../../src/wording/markdownHtml.js';

describe('Markdown as a page shows it', () => {
  const table: readonly (readonly [name: string, markdown: string, html: string])[] = [
    ['a paragraph, line by line', 'One\ntwo\n\nthree', '<p>One<br>two</p>\n<p>three</p>'],
    ['headings below those of the page', '# Title\n### Part', '<h3>Title</h3>\n<h5>Part</h5>'],
    ['words', '**bold**, *slanted*, _too_, ~~gone~~, `a < b`, snake_case_name', words()],
    ['a list in a list', '- a\n  - b\n- c', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
    ['a numbered list that goes on', '3. x\n4. y', '<ol start="3"><li>x</li><li>y</li></ol>'],
    [
      'code as it is',
      '```ts\nif (a < b) **c**\n```\nafter',
      '<pre><code>if (a &lt; b) **c**</code></pre>\n<p>after</p>',
    ],
    ['code that is never closed', '```\nx', '<pre><code>x</code></pre>'],
    ['a quote', '> said\n> *so*', '<blockquote><p>said<br><em>so</em></p></blockquote>'],
    ['a rule', 'a\n\n---\n\nb', '<p>a</p>\n<hr>\n<p>b</p>'],
    [
      'a table',
      '| a | b |\n|---|---|\n| 1 | **2** |',
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><strong>2</strong></td></tr></tbody></table>',
    ],
    ['a link as text, with where it would lead', '[press](command:evil) ![x](http://a/b.png)', link()],
    ['HTML as text', '<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
    ['what nobody would see', 'a\u200bb', '<p>a‹U+200B›b</p>'],
  ];
  for (const [name, markdown, html] of table) it(`has ${name}`, () => assert.equal(markdownHtml(markdown), html));

  it('holds no element and no attribute of its author, whatever they wrote', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '`',
      '*',
      '_',
      '|',
      '-',
      '#',
      '[',
      ']',
      '(',
      ')',
      '!',
      '\n',
      'a',
      ' ',
      '1.',
      '&',
      '<a href="x">',
      '<script>',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const html = markdownHtml(pieces.join(''));
        const elements = html.match(/<[^>]*>/g) ?? [];
        const ours =
          /^<\/?(?:p|br|h[3-6]|ul|ol|li|pre|code|blockquote|hr|table|thead|tbody|tr|th|td|strong|em|del)>$|^<ol start="\d+">$/;
        assert.deepEqual(
          elements.filter((element) => !ours.test(element)),
          [],
        );
      }),
    );
  });

  const long: readonly (readonly [what: string, piece: string, before?: string])[] = [
    ['spaces where a table would be ruled', ' '.repeat(10), 'a | b\n'],
    ['lines where a table would be ruled', '-', 'a | b\n'],
    ['open brackets', '['],
    ['short paragraphs', 'a\n\n'],
    ['quotes in quotes', '>'],
    ['stars', '*a'],
    ['bars', '|\n'],
    ['items', '- a\n\n'],
  ];
  for (const [what, piece, before = ''] of long) {
    it(`takes time as its length with many ${what}`, () =>
      assertLinear((size) => void markdownHtml(`${before}${piece.repeat(size)}x`), 500));
  }
});

function words(): string {
  return '<p><strong>bold</strong>, <em>slanted</em>, <em>too</em>, <del>gone</del>, <code>a &lt; b</code>, snake_case_name</p>';
}

function link(): string {
  return '<p>press (command:evil) x (http://a/b.png)</p>';
}
