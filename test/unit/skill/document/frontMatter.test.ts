import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { frontmatter } from 'micromark-extension-frontmatter';
import { readFrontMatter } from '../../../../src/skill/document/frontMatter.js';

describe('readFrontMatter', () => {
  const rows: readonly (readonly [name: string, text: string, seen: Seen])[] = [
    [
      'plain fields',
      '---\nname: demo\ndescription: Does it.\n---\n',
      { name: 'demo', description: 'Does it.', problems: 0 },
    ],
    ['Windows line breaks', '---\r\nname: demo\r\n---\r\n', { name: 'demo', description: undefined, problems: 0 }],
    ['folded text', '---\ndescription: >\n  a\n  b\n---', { name: undefined, description: 'a b', problems: 0 }],
    ['quotes', `---\nname: "demo"\ndescription: 'a: b'\n---`, { name: 'demo', description: 'a: b', problems: 0 }],
    ['a number as it is written', '---\nname: 1.10\n---', { name: '1.10', description: undefined, problems: 0 }],
    [
      'a blank name as none',
      '---\nname:\ndescription: " "\n---',
      { name: undefined, description: undefined, problems: 0 },
    ],
    [
      'a colon in a plain value',
      '---\nname: demo\ndescription: Use when: asked\n---',
      { name: 'demo', description: 'Use when: asked', problems: 1 },
    ],
    [
      'lines below a broken value',
      '---\ndescription: Use: a\n  and b\nname: "x"\n---',
      { name: 'x', description: 'Use: a and b', problems: 1 },
    ],
    ['a list instead of fields', '---\n- a\n---', { name: undefined, description: undefined, problems: 1 }],
    ['a field twice', '---\nname: a\nname: b\n---', { name: 'a', description: undefined, problems: 1 }],
    ['nothing between the lines', '---\n---\n', { name: undefined, description: undefined, problems: 0 }],
    ['an end that is missing', '---\nname: demo\n\n# T\n', { name: 'demo', description: undefined, problems: 1 }],
    [
      'brackets that would exhaust the parser',
      `---\nname: demo\nx: ${'['.repeat(10_000)}\n---`,
      { name: 'demo', description: undefined, problems: 1 },
    ],
    [
      'nested lists that would exhaust the parser',
      `---\nname: demo\n${'- '.repeat(5000)}\n---`,
      { name: 'demo', description: undefined, problems: 1 },
    ],
    [
      'thousands of fields',
      `---\nname: demo\n${'k: v\n'.repeat(50_000)}---`,
      { name: 'demo', description: undefined, problems: 1 },
    ],
  ];
  for (const [name, text, seen] of rows) {
    it(`reads ${name}`, () => {
      const read = readFrontMatter(text, 0);
      const { name: readName, description, problems } = read ?? { name: 'none', description: 'none', problems: [] };
      assert.deepEqual({ name: readName, description, problems: problems.length }, seen);
    });
  }

  for (const [name, text] of [
    ['a text without it', '# T\n'],
    ['a thematic break at the start', '---\n\n# T\n'],
    ['a line that is not quite it', '----\nname: x\n----\n'],
    ['an indented fence', ' ---\nname: x\n---\n'],
    ['nothing', ''],
    ['one line', '---'],
  ] as const) {
    it(`finds none in ${name}`, () => assert.equal(readFrontMatter(text, 0), undefined));
  }

  it('points at the values in the whole text', () => {
    const text = '\uFEFF---\r\nname: demo\r\ndescription: "It: does"\r\n---\r\n';
    const shown = readFrontMatter(text, 1)?.fields.map(({ keySpan, valueSpan }) => [
      text.slice(keySpan.start, keySpan.end),
      text.slice(valueSpan.start, valueSpan.end),
    ]);
    assert.deepEqual(shown, [
      ['name', 'demo'],
      ['description', '"It: does"'],
    ]);
  });

  it('agrees with a Markdown parser on where it ends', () => {
    const line = fc.constantFrom('---', '--- ', '---\t', '----', '', 'name: x', '# T', ' ---', '...', '- a');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), (lines, eol) => {
        const text = ['---', ...lines].join(eol);
        const ours = readFrontMatter(text, 0);
        const [first] = fromMarkdown(text, {
          extensions: [frontmatter(['yaml'])],
          mdastExtensions: [frontmatterFromMarkdown(['yaml'])],
        }).children;
        const theirs = first?.type === 'yaml' ? text.slice(0, first.position?.end.offset).trimEnd() : undefined;
        assert.equal(ours?.closed === true ? text.slice(0, ours.span.end).trimEnd() : undefined, theirs);
      }),
      { numRuns: 60 },
    );
  });
});

interface Seen {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly problems: number;
}
