import assert from 'node:assert/strict';
import { applyEdits } from '../../../../src/skill/edits/applyEdits.js';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import { parseSkill, printSkill } from '../../../../src/skill/document/skillDocument.js';

describe('applyEdits', () => {
  describe('appends', () => {
    const rows: readonly (readonly [name: string, before: string, content: string, after: string])[] = [
      ['a paragraph after a blank line', '# T\n\nText.\n', 'More.', '# T\n\nText.\n\nMore.\n'],
      ['without a final line break where there was none', '# T\n\nText.', 'More.', '# T\n\nText.\n\nMore.'],
      ['a list item to a tight list', '# T\n\n- a\n- b\n', '- c', '# T\n\n- a\n- b\n- c\n'],
      ['a list item to a loose list', '- a\n\n- b\n', '- c', '- a\n\n- b\n\n- c\n'],
      ['a list item after a paragraph', 'Text.\n', '- c', 'Text.\n\n- c\n'],
      ['to an empty document', '', 'New.', 'New.\n'],
      ['to a byte order mark', '\uFEFF', 'New.', '\uFEFFNew.\n'],
      ['below front matter that ends the file', '---\nname: a\n---', 'New.', '---\nname: a\n---\n\nNew.\n'],
      ['below front matter with nothing after it', '---\nname: a\n---\n\n', 'New.', '---\nname: a\n---\n\nNew.\n'],
      ['keeping trailing blank lines', 'Text.\n\n\n', 'More.', 'Text.\n\nMore.\n\n\n'],
      ['without the blank lines that a model wraps around it', 'Text.\n', '\n\nMore.\n\n', 'Text.\n\nMore.\n'],
      [
        'before the blocks that end the document',
        'Text.\n\n<!-- SLOW_UPDATE_START -->\nx\n<!-- SLOW_UPDATE_END -->\n\n<!-- APPENDIX_START -->\n<!-- APPENDIX_END -->\n',
        'More.',
        'Text.\n\nMore.\n\n<!-- SLOW_UPDATE_START -->\nx\n<!-- SLOW_UPDATE_END -->\n\n<!-- APPENDIX_START -->\n<!-- APPENDIX_END -->\n',
      ],
      [
        'with a blank line before a block that stood close',
        'Text.\n<!-- APPENDIX_START -->\n<!-- APPENDIX_END -->',
        'More.',
        'Text.\n\nMore.\n\n<!-- APPENDIX_START -->\n<!-- APPENDIX_END -->',
      ],
      [
        'to a document that is nothing but a block',
        '<!-- APPENDIX_START -->\n<!-- APPENDIX_END -->\n',
        'More.',
        'More.\n\n<!-- APPENDIX_START -->\n<!-- APPENDIX_END -->\n',
      ],
      [
        'after a block that does not end the document',
        '<!-- APPENDIX_START -->\n<!-- APPENDIX_END -->\n\nText.\n',
        'More.',
        '<!-- APPENDIX_START -->\n<!-- APPENDIX_END -->\n\nText.\n\nMore.\n',
      ],
      [
        'after a kept part at the end',
        '<!-- whetstone:keep -->\nMine.\n<!-- /whetstone:keep -->\n',
        'More.',
        '<!-- whetstone:keep -->\nMine.\n<!-- /whetstone:keep -->\n\nMore.\n',
      ],
      ['a whole code fence', 'Text.\n', '```sh\nls\n```', 'Text.\n\n```sh\nls\n```\n'],
    ];
    for (const [name, before, content, after] of rows) {
      it(name, () => assert.equal(apply(before, { op: 'append', content, rationale: '' }), after));
    }
  });

  describe('inserts after', () => {
    const rows: readonly (readonly [name: string, before: string, anchor: string, content: string, after: string])[] = [
      ['a heading', '# A\n\ntext\n', '# A', 'New.', '# A\n\nNew.\n\ntext\n'],
      ['a heading with text close below', '# A\ntext\n', '# A', 'New.', '# A\n\nNew.\n\ntext\n'],
      ['an underlined heading', 'A\n===\n\ntext\n', 'A', 'New.', 'A\n===\n\nNew.\n\ntext\n'],
      ['a heading, joining the list below it', '## R\n\n- a\n- b\n', '## R', '- new', '## R\n\n- new\n- a\n- b\n'],
      ['a paragraph, joining the list close below', 'R:\n- a\n', 'R:', '- new', 'R:\n- new\n- a\n'],
      [
        'a whole wrapped paragraph, not its first line',
        'one\ntwo\n\nthree\n',
        'one',
        'New.',
        'one\ntwo\n\nNew.\n\nthree\n',
      ],
      ['a list item', '- a\n- b\n', 'a', '- new', '- a\n- new\n- b\n'],
      ['the last list item', '- a\n- b\n\ntext\n', '- b', '- new', '- a\n- b\n- new\n\ntext\n'],
      [
        'a list item with all its lines',
        '- a\n  more\n  - x\n- b\n',
        '- a',
        '- new',
        '- a\n  more\n  - x\n- new\n- b\n',
      ],
      ['an item of a loose list', '- a\n\n- b\n', '- a', '- new', '- a\n\n- new\n\n- b\n'],
      [
        'a nested item, as its sibling',
        '- a\n  - x\n  - y\n- b\n',
        '- x',
        '- new',
        '- a\n  - x\n  - new\n  - y\n- b\n',
      ],
      [
        'a nested item, on the level that its indent says',
        '1. a\n   - x\n2. b\n',
        'x',
        '   - new',
        '1. a\n   - x\n   - new\n2. b\n',
      ],
      ['an item, as its child', '- a\n- b\n', '- a', '  - new', '- a\n  - new\n- b\n'],
      ['an item, as a paragraph of it', '- a\n- b\n', '- a', '  New.', '- a\n\n  New.\n\n- b\n'],
      ['an item, as a paragraph below the list item', '- a\n- b\n', '- b', 'New.', '- a\n- b\n\nNew.\n'],
      [
        'a table row, as a row',
        '| a |\n|---|\n| 1 |\n| 2 |\n',
        '| 1 |',
        '| x |',
        '| a |\n|---|\n| 1 |\n| x |\n| 2 |\n',
      ],
      [
        'a table, as a paragraph',
        '| a |\n|---|\n| 1 |\n\ntext\n',
        '| a |',
        'New.',
        '| a |\n|---|\n| 1 |\n\nNew.\n\ntext\n',
      ],
      ['a line of code, as code', '```sh\na\nb\n```\n', 'a\n', 'x', '```sh\na\nx\nb\n```\n'],
      ['a line of code, as code that is there already', '```\na\nb\n```\n', 'b', 'a', '```\na\nb\na\n```\n'],
      ['a whole fence', '```\na\n```\ntext\n', '```\na\n```', 'New.', '```\na\n```\n\nNew.\n\ntext\n'],
      ['the end of a fence', '```\na\nb\n```\n\ntext\n', 'b\n```', 'New.', '```\na\nb\n```\n\nNew.\n\ntext\n'],
      ['the last line without a line break', 'text', 'text', 'New.', 'text\n\nNew.'],
    ];
    for (const [name, before, anchor, content, after] of rows) {
      it(name, () => assert.equal(apply(before, { op: 'insert_after', anchor, content, rationale: '' }), after));
    }
  });

  describe('replaces', () => {
    const rows: readonly (readonly [name: string, before: string, anchor: string, content: string, after: string])[] = [
      ['part of a line', 'Use tabs here.\n', 'tabs', 'spaces', 'Use spaces here.\n'],
      ['lines, whatever line breaks the anchor has around it', 'a\nb\nc\n', '\nb\n', 'x', 'a\nx\nc\n'],
      ['an item whose bullet the content repeats', '- a\n- b\n', 'b', '- x', '- a\n- x\n'],
      ['a numbered item by a bulleted one', '1. a\n', 'a', '- x', '- x\n'],
      ['a heading whose hashes the content repeats', '## Old\n', 'Old', '## New', '## New\n'],
      ['a nested item by two', '- a\n  - x\n- b\n', '- x', '- y\n- z', '- a\n  - y\n  - z\n- b\n'],
      ['a nested item by one that brings its indent', '- a\n  - x\n', '- x', '  - y', '- a\n  - y\n'],
      [
        'a block of lines that keep their indent',
        '- a\n  one\n  two\n',
        '- a\n  one',
        '- b\n  new',
        '- b\n  new\n  two\n',
      ],
      ['code inside a fence', '```\nrun a\n```\n', 'run a', 'run b\n# note', '```\nrun b\n# note\n```\n'],
      ['a whole fence', 'x\n\n```\na\n```\n', '```\na\n```', '~~~\nb\n~~~', 'x\n\n~~~\nb\n~~~\n'],
      ['text by nothing, which deletes it', 'a\n\nb\n\nc\n', 'b', ' ', 'a\n\nc\n'],
      ['paragraphs that hold a fence', 'a\n\n```\nx\n```\n\nb\n', 'a\n\n```\nx\n```\n\nb', 'c', 'c\n'],
    ];
    for (const [name, before, anchor, content, after] of rows) {
      it(name, () => assert.equal(apply(before, { op: 'replace', anchor, content, rationale: '' }), after));
    }
  });

  describe('deletes', () => {
    const rows: readonly (readonly [name: string, before: string, anchor: string, after: string])[] = [
      ['a paragraph, leaving one blank line', 'a\n\nb\n\nc\n', 'b', 'a\n\nc\n'],
      ['the last paragraph', 'a\n\nb\n', 'b', 'a\n'],
      ['the last paragraph without a line break', 'a\n\nb', 'b', 'a\n'],
      ['the first paragraph', 'a\n\nb\n', 'a', 'b\n'],
      ['the first paragraph below front matter', '---\nname: n\n---\n\none\n\nb\n', 'one', '---\nname: n\n---\n\nb\n'],
      ['the first paragraph after a byte order mark', '\uFEFFa\n\nb\n', 'a', '\uFEFFb\n'],
      ['the whole text', 'a\n', 'a', ''],
      ['a list item by its text, with its bullet', '- a\n- b\n- c\n', 'b', '- a\n- c\n'],
      ['a numbered item by its text', '1. a\n2. b\n', 'b', '1. a\n'],
      ['an item with several lines', '- a\n- b\n  more\n- c\n', '- b\n  more', '- a\n- c\n'],
      ['the first line of an item, keeping its bullet', '- a b\n  more\n', 'a b', '-\n  more\n'],
      ['words, with one of two spaces', 'Use very short words.\n', 'very', 'Use short words.\n'],
      ['words at the end of a line', 'Use words. Always.\n', 'Always.', 'Use words.\n'],
      ['a whole fence', 'a\n\n```\nx\n```\n\nb\n', '```\nx\n```', 'a\n\nb\n'],
      ['a line of code, keeping blank lines of code', '```\na\n\nb\n\nc\n```\n', 'b\n', '```\na\n\n\nc\n```\n'],
      ['a line between blank lines that are more than one', 'a\n\n\nb\n\n\nc\n', 'b', 'a\n\n\nc\n'],
    ];
    for (const [name, before, anchor, after] of rows) {
      it(name, () => assert.equal(apply(before, { op: 'delete', anchor, rationale: '' }), after));
    }
  });

  describe('leaves alone', () => {
    const front = '---\nname: demo\ndescription: Helps with tabs.\n---\n\n';
    const slow = '<!-- SLOW_UPDATE_START -->\nslow rule\n<!-- SLOW_UPDATE_END -->';
    const kept = '<!-- whetstone:keep -->\nkept rule\n<!-- /whetstone:keep -->';
    const learned = '<!-- SKILLOPT-SLEEP:LEARNED START -->\n- learned rule\n<!-- SKILLOPT-SLEEP:LEARNED END -->';
    const fence = '```sh\nnpm test\nnpm run build\n```';
    const rows: readonly (readonly [name: string, before: string, edit: Loose, reason: string])[] = [
      ['the front matter', `${front}Text.\n`, ['replace', 'Helps with tabs.', 'Does all.'], 'front-matter'],
      ['its closing line', `${front}Text.\n`, ['replace', '---\n\nText.', 'x'], 'front-matter'],
      ['front matter that is not closed', '---\nname: demo\n\nText.\n', ['replace', 'name: demo', 'x'], 'front-matter'],
      ['the end of the front matter', `${front}Text.\n`, ['insert_after', 'name: demo', 'x: y'], 'front-matter'],
      ['a place where front matter would begin', 'Text.\n', ['replace', 'Text.', '---\nname: x\n---'], 'front-matter'],
      ['the byte order mark', '\uFEFFText.\n', ['replace', '\uFEFFText', 'x'], 'front-matter'],
      ['a slow-update block', `Text.\n\n${slow}\n`, ['replace', 'slow rule', 'x'], 'protected-region'],
      [
        'a block that the anchor spans',
        `Text.\n\n${slow}\n\nEnd.\n`,
        ['replace', `Text.\n\n${slow}\n\nEnd.`, 'x'],
        'protected-region',
      ],
      [
        'a block that the anchor begins before',
        `Text.\n\n${slow}\n`,
        ['delete', 'Text.\n\n<!-- SLOW_UPDATE_START -->\nslow'],
        'protected-region',
      ],
      [
        'a marker that content would follow',
        `${slow}\n\nText.\n`,
        ['insert_after', '<!-- SLOW_UPDATE_END -->', 'x'],
        'protected-region',
      ],
      ['a marker alone', `Text.\n\n${slow}\n`, ['delete', '<!-- SLOW_UPDATE_END -->'], 'protected-region'],
      [
        'a closing marker without its block',
        'Text.\n\n<!-- APPENDIX_END -->\n',
        ['delete', '<!-- APPENDIX_END -->'],
        'protected-region',
      ],
      [
        'a block that is not closed',
        'Text.\n\n<!-- APPENDIX_START -->\nnote\n',
        ['delete', 'note'],
        'protected-region',
      ],
      ['a place inside a block', `Text.\n\n${slow}\n`, ['insert_after', 'slow rule', 'x'], 'protected-region'],
      [
        'the learned block, in scope body',
        `Text.\n\n${learned}\n`,
        ['replace', 'learned rule', 'x'],
        'protected-region',
      ],
      ['a kept part', `Text.\n\n${kept}\n`, ['replace', 'kept rule', 'x'], 'kept-region'],
      [
        'a kept part within a line',
        'Do <!-- whetstone:keep -->this<!-- /whetstone:keep --> now.\n',
        ['replace', 'this', 'x'],
        'kept-region',
      ],
      ['the very end of a file that is kept', '<!-- whetstone:keep -->\nText.', ['append', '', 'x'], 'kept-region'],
      [
        'all after a keep that is not closed',
        '<!-- whetstone:keep -->\n\nText.\n',
        ['replace', 'Text.', 'x'],
        'kept-region',
      ],
      [
        'the end of a file that is kept to its end',
        'a\n\n<!-- whetstone:keep -->\nText.\n',
        ['append', '', 'x'],
        'kept-region',
      ],
      [
        'a keep in a keep',
        '<!-- whetstone:keep -->\n<!-- whetstone:keep -->\n<!-- /whetstone:keep -->\nmine\n<!-- /whetstone:keep -->\n',
        ['delete', 'mine'],
        'kept-region',
      ],
      ['a document from content with a marker', 'Text.\n', ['append', '', '<!-- whetstone:keep -->'], 'marker'],
      ['a document from content with half a marker', 'Text.\n', ['append', '', '<!-- SLOW_UPDATE_START'], 'marker'],
      [
        'a marker that two texts would make together',
        '<!-- whetstone -->\n',
        ['replace', 'whetstone', 'whetstone:keep'],
        'marker',
      ],
      ['the opener of a fence', `${fence}\n`, ['replace', '```sh', '```js'], 'code-fence'],
      ['half of a fence', `Text.\n\n${fence}\n`, ['delete', 'Text.\n\n```sh\nnpm test'], 'code-fence'],
      ['the other half of a fence', `${fence}\n\nText.\n`, ['replace', 'build\n```\n\nText.', 'x'], 'code-fence'],
      ['a place after the opener of a fence', `${fence}\n`, ['insert_after', '```sh', 'Text.'], 'code-fence'],
      ['a fence that code would close', `${fence}\n`, ['replace', 'npm test', '```\nText.'], 'code-fence'],
      ['a document from half a fence', 'Text.\n', ['append', '', '```sh\nnpm test'], 'code-fence'],
      ['a document from half a fence in the middle', `Text.\n\n${fence}\n`, ['replace', 'Text.', '~~~'], 'code-fence'],
      ['a fence that is not closed, from being closed', '```\ncode', ['replace', 'code', 'x\n```'], 'code-fence'],
      ['the end of a fence that is not closed', 'Text.\n\n```\ncode\n', ['append', '', 'More.'], 'code-fence'],
      ['an edit that adds nothing', 'Text.\n', ['append', '', ' \n '], 'empty'],
      ['an edit that names nothing', 'Text.\n', ['delete', ' \n '], 'empty'],
      ['what is there already', '- Use tabs.\n', ['append', '', '* use  tabs'], 'duplicate'],
      ['several lines that are there already', '# R\n\n- a\n- b\n', ['insert_after', '# R', '- a\n\n- b'], 'duplicate'],
      ['a text that would be the same', 'Text.\n', ['replace', 'Text.', 'Text.'], 'no-change'],
      ['an anchor that is not there', 'Text.\n', ['replace', 'text.', 'x'], 'anchor-missing'],
      ['a missing anchor, instead of appending', 'Text.\n', ['insert_after', 'Nothing', 'x'], 'anchor-missing'],
      ['an anchor that is there twice', 'a b a\n', ['replace', 'a', 'x'], 'anchor-ambiguous'],
      ['an anchor that overlaps itself', 'aaa\n', ['replace', 'aa', 'x'], 'anchor-ambiguous'],
      [
        'an anchor that is in the front matter too',
        `${front}Mind tabs.\n`,
        ['replace', 'tabs.', 'x'],
        'anchor-ambiguous',
      ],
    ];
    for (const [name, before, loose, reason] of rows) {
      it(`${name} (${reason})`, () => {
        const { document, report } = applyEdits(parseSkill(before), [edit(loose)], { scope: 'body' });
        const outcome = report[0]?.outcome;
        assert.equal(outcome?.kind === 'applied' ? 'applied' : outcome?.reason, reason);
        assert.equal(printSkill(document), before);
      });
    }
  });

  describe('counts as text, not as structure,', () => {
    it('a marker that is quoted as code', () => {
      const before = 'Write `<!-- whetstone:keep -->` to keep.\n\n```\n<!-- SLOW_UPDATE_START -->\n```\n\nText.\n';
      assert.equal(
        apply(before, { op: 'replace', anchor: 'Text.', content: 'New.', rationale: '' }),
        before.replace('Text.', 'New.'),
      );
    });

    it('a fence inside a longer fence', () => {
      const before = '````md\n```\ncode\n```\n````\n';
      assert.equal(apply(before, { op: 'delete', anchor: '```\ncode\n```\n`', rationale: '' }), undefined);
      assert.equal(
        apply(before, { op: 'replace', anchor: 'code', content: '```\nx', rationale: '' }),
        before.replace('code', '```\nx'),
      );
    });
  });

  it('applies one edit after the other, each to what the last one left', () => {
    const { document, report } = applyEdits(
      parseSkill('# T\n'),
      [
        { op: 'append', content: '- a', rationale: '' },
        { op: 'insert_after', anchor: '- a', content: '- b', rationale: '' },
        { op: 'delete', anchor: '- a', rationale: '' },
        { op: 'insert_after', anchor: '- a', content: '- c', rationale: '' },
      ],
      { scope: 'body' },
    );
    assert.equal(printSkill(document), '# T\n\n- b\n');
    assert.deepEqual(
      report.map(({ index, outcome }) => [index, outcome.kind]),
      [
        [0, 'applied'],
        [1, 'applied'],
        [2, 'applied'],
        [3, 'unmatched'],
      ],
    );
  });

  describe('line breaks', () => {
    it('matches an anchor with \\n in a text with \\r\\n, and inserts what the text has', () => {
      const before = '\uFEFF# T\r\n\r\none\r\ntwo\r\n\r\n- a\r\n';
      const { document } = applyEdits(
        parseSkill(before),
        [
          { op: 'replace', anchor: 'one\ntwo', content: 'three\nfour', rationale: '' },
          { op: 'append', content: '- b\n- c', rationale: '' },
        ],
        { scope: 'body' },
      );
      assert.equal(printSkill(document), '\uFEFF# T\r\n\r\nthree\r\nfour\r\n\r\n- a\r\n- b\r\n- c\r\n');
    });

    it('keeps the line break of a text that lost its last one', () => {
      const edits = [edit(['delete', 'a']), edit(['append', '', 'x\ny'])];
      const { document } = applyEdits(parseSkill('a\r\n'), edits, { scope: 'body' });
      assert.equal(printSkill(document), 'x\r\ny\r\n');
    });

    it('matches an anchor with \\r\\n in a text with \\n', () => {
      assert.equal(apply('a\nb\n', { op: 'replace', anchor: 'a\r\nb', content: 'c\r\nd', rationale: '' }), 'c\nd\n');
    });

    it('leaves other line breaks of a mixed text as they are, and inserts what most lines have', () => {
      const after = apply('a\r\nb\nc\r\n', { op: 'append', content: '- x\n- y', rationale: '' });
      assert.equal(after, 'a\r\nb\nc\r\n\r\n- x\r\n- y\r\n');
    });
  });

  describe('size budget', () => {
    const long = Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\n');
    const rows: readonly (readonly [
      name: string,
      before: string,
      edits: readonly Loose[],
      kinds: readonly string[],
    ])[] = [
      ['refuses a line too many', `${long}\n`, [['append', '', 'x']], ['size-budget']],
      ['lets a long text be replaced by a shorter one', `${long}\nb\nc\n`, [['replace', 'b\nc', 'd']], ['applied']],
      [
        'lets a text grow to its former size',
        `${long}\nb\nc\nd\n`,
        [
          ['delete', 'b\nc\nd'],
          ['append', '', 'e'],
          ['append', '', 'f'],
        ],
        ['applied', 'applied', 'size-budget'],
      ],
      [
        'lets a text of too many tokens be made shorter',
        `${'word '.repeat(4400)}end\n`,
        [['replace', 'end', 'e']],
        ['applied'],
      ],
      ['refuses too many tokens', 'a\n', [['append', '', 'word '.repeat(4100)]], ['size-budget']],
      ['counts Chinese by the character', 'a\n', [['append', '', '字'.repeat(5001)]], ['size-budget']],
    ];
    for (const [name, before, edits, kinds] of rows) {
      it(name, () => {
        const { report } = applyEdits(parseSkill(before), edits.map(edit), { scope: 'body' });
        assert.deepEqual(
          report.map(({ outcome }) => ('reason' in outcome ? outcome.reason : outcome.kind)),
          kinds,
        );
      });
    }

    it('does not count the front matter', () => {
      const front = `---\nname: a\ndescription: >\n${'  words\n'.repeat(600)}---\n`;
      const { report } = applyEdits(parseSkill(front), [edit(['append', '', 'x'])], { scope: 'body' });
      assert.equal(report[0]?.outcome.kind, 'applied');
    });

    it('takes the budget that it is given', () => {
      const limits = { scope: 'body', sizeBudget: { lines: 3, tokens: 5000 } } as const;
      const { report } = applyEdits(parseSkill('a\n'), [edit(['append', '', 'x']), edit(['append', '', 'y'])], limits);
      assert.deepEqual(
        report.map(({ outcome }) => outcome.kind),
        ['applied', 'refused'],
      );
    });
  });
});

type Loose = readonly [op: Edit['op'], anchor: string, content?: string];

function edit([op, anchor, content = '']: Loose): Edit {
  if (op === 'delete') return { op, anchor, rationale: '' };
  return op === 'append' ? { op, content, rationale: '' } : { op, anchor, content, rationale: '' };
}

/** The text afterwards; undefined where the edit was not applied. */
function apply(before: string, one: Edit): string | undefined {
  const { document, report } = applyEdits(parseSkill(before), [one], { scope: 'body', code: 'allowed' });
  return report[0]?.outcome.kind === 'applied' ? printSkill(document) : undefined;
}
