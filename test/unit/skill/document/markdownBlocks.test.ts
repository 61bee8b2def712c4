import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Nodes } from 'mdast';
import { readBlocks } from '../../../../src/skill/document/markdownBlocks.js';

describe('readBlocks', () => {
  it('finds fences, headings, paragraphs and items with their places in the source', () => {
    const text = '# Title\r\n\r\nOne\r\ntwo\r\n\r\n- a\r\n  ```sh\r\n  x\r\n  ```\r\n- b\r\n\t- c\r\n';
    const blocks = readBlocks(text);
    const shown = (spans: readonly { readonly span: { readonly start: number; readonly end: number } }[]) =>
      spans.map(({ span }) => text.slice(span.start, span.end));
    assert.deepEqual(
      blocks.headings.map(({ depth, text: title }) => [depth, title]),
      [[1, 'Title']],
    );
    assert.deepEqual(shown(blocks.paragraphs), ['One\r\ntwo', 'a', 'b', 'c']);
    assert.deepEqual(shown(blocks.fences), ['```sh\r\n  x\r\n  ```']);
    assert.deepEqual(shown(blocks.items), ['- a\r\n  ```sh\r\n  x\r\n  ```', '- b\r\n\t- c', '- c']);
    assert.deepEqual(
      blocks.items.map(({ level, indent }) => [level, indent]),
      [
        [0, 0],
        [0, 0],
        [1, 4],
      ],
    );
  });

  it('agrees with a full Markdown parser on where blocks are', function () {
    const runs = process.env['WHETSTONE_FULL'] === '1' ? 20_000 : 60;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), (lines, eol) => {
        const text = lines.join(eol);
        assert.deepEqual(ours(text), theirs(text));
      }),
      { numRuns: runs },
    );
  });

  for (const [name, text] of [
    ['one endless line', 'a'.repeat(5_000_000)],
    ['nothing but line breaks', '\n'.repeat(5_000_000)],
    ['a line of a million list markers', `${'- '.repeat(1_000_000)}x\n`.repeat(2)],
    ['a line of a million quote marks', `${'>'.repeat(1_000_000)}\n`.repeat(5)],
    ['a heading of a million hashes', `# ${'#'.repeat(2_000_000)}x`],
    ['fences without end', '```\n~~~\n'.repeat(600_000)],
    ['tabs', `${'\t'.repeat(2_000_000)}x`],
    ['an ordinary text of 5 MB', '# T\n\nSome text.\n\n- one\n- two\n\n```sh\nnpm test\n```\n\n'.repeat(90_000)],
  ] as const) {
    it(`reads 5 MB in linear time: ${name}`, () => {
      const isFull = process.env['WHETSTONE_FULL'] === '1';
      const started = performance.now();
      readBlocks(isFull ? text : text.slice(0, 200_000));
      const elapsed = performance.now() - started;
      assert.ok(elapsed < 10_000, `${Math.round(elapsed)} ms`);
    });
  }
});

type Seen = readonly [kind: string, start: number, end: number];

const indent = fc.constantFrom('', '', '', ' ', '  ', '   ', '    ', '\t', '     ', '      ');
const mark = fc.constantFrom('', '', '', '- ', '* ', '1. ', '1) ', '> ', '>', '-\t', '-   ', '-      ', '1.   ');
const prose = ['', 'text', 'more text ', '# head', '## head ##', '#x', '---', '===', '***', '- a', '* * *', '|a|b|'];
const fences = ['```', '````', '~~~', '``` js', '```a`b'];
const html = ['<div>', '</div>', '<!-- a -->', '<!--', '-->', '<pre>', 'x</pre>'];
const body = fc.constantFrom(...prose, ...fences, ...html);
const emptyItem = /(?:[*+-]|\d[.)])\s*$/; // the other parser has its own mind about what these interrupt
const line = fc
  .tuple(indent, mark, indent, mark, body)
  .map((parts) => parts.join(''))
  .filter((text) => !emptyItem.test(text) || /^\s*(?:---|\*\*\*)$/.test(text));

function ours(text: string): readonly Seen[] {
  const blocks = readBlocks(text);
  return inOrder(
    [
      ...blocks.headings.map(({ span }): Seen => ['heading', span.start, span.end]),
      ...blocks.fences.map(({ span }): Seen => ['fence', span.start, span.end]),
      ...blocks.paragraphs.map(({ span }): Seen => ['paragraph', span.start, span.end]),
      ...blocks.items.map(({ span }): Seen => ['item', span.start, -1]),
    ],
    text,
  );
}

const names: Readonly<Record<string, string>> = {
  heading: 'heading',
  code: 'fence',
  paragraph: 'paragraph',
  listItem: 'item',
};

function theirs(text: string): readonly Seen[] {
  const seen: Seen[] = [];
  const visit = (node: Nodes): void => {
    const [start, end] = [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0];
    const name = names[node.type];
    const isIndentedCode = node.type === 'code' && !/^[`~]/.test(text.slice(start, end));
    if (name !== undefined && !isIndentedCode) seen.push([name, start, name === 'item' ? -1 : end]);
    if ('children' in node) node.children.forEach(visit);
  };
  visit(fromMarkdown(text, { extensions: [{ disable: { null: ['definition'] } }] }));
  return inOrder(seen, text);
}

/** Ends are compared without the white space and quote marks before them. */
function inOrder(seen: readonly Seen[], text: string): readonly Seen[] {
  return seen
    .map(([kind, start, end]): Seen => [kind, start, end < 0 ? end : text.slice(0, end).replace(/[\s>]+$/, '').length])
    .toSorted((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1));
}
