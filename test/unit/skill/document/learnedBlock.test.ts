import assert from 'node:assert/strict';
import { applyEdits } from '../../../../src/skill/edits/applyEdits.js';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import { readLearned } from '../../../../src/skill/document/learnedBlock.js';
import { parseSkill, printSkill } from '../../../../src/skill/document/skillDocument.js';

const start = '<!-- SKILLOPT-SLEEP:LEARNED START -->';
const end = '<!-- SKILLOPT-SLEEP:LEARNED END -->';
const heading = '## Learned preferences & procedures';

describe('the learned block', () => {
  it('reads its rules, each with all its lines', () => {
    const text = `- outside\n\n${start}\n${heading}\n\n_Banner._\n\n- one\n  and more\n  - nested\n- two\n${end}\n- after\n`;
    assert.deepEqual(
      readLearned(parseSkill(text))?.rules.map((rule) => rule.text),
      ['- one\n  and more\n  - nested', '- two'],
    );
  });

  for (const [name, text] of [
    ['none', '# T\n'],
    ['one without an end', `${start}\n- a\n`],
    ['one without a start', `- a\n${end}\n`],
  ] as const) {
    it(`finds no block where there is ${name}`, () => assert.equal(readLearned(parseSkill(text)), undefined));
  }

  describe('changes by', () => {
    const rows: readonly (readonly [name: string, before: string, edit: Loose, after: string])[] = [
      ['an appended rule', block('- a'), ['append', '', '- b'], block('- a\n- b')],
      [
        'an appended sentence, which becomes a rule',
        block('- a'),
        ['append', '', 'Do b.\nAlways.'],
        block('- a\n- Do b.\n  Always.'),
      ],
      ['two appended rules with another bullet', block('- a'), ['append', '', '* b\n* c'], block('- a\n- b\n- c')],
      ['a numbered rule', block('- a'), ['append', '', '1. b'], block('- a\n- b')],
      ['the first rule below its banner', block('_Banner._'), ['append', '', '- a'], block('_Banner._\n\n- a')],
      ['the first rule in nothing', `${start}\n${end}\n`, ['append', '', '- a'], `${start}\n- a\n${end}\n`],
      ['the first rule on one line', `${start}${end}\n`, ['append', '', '- a'], `${start}\n- a\n${end}\n`],
      [
        'a rule after another',
        block('- a\n  more\n- c'),
        ['insert_after', 'a more', '- b'],
        block('- a\n  more\n- b\n- c'),
      ],
      ['a rule for another', block('- a\n- b'), ['replace', 'A.', 'x'], block('- x\n- b')],
      ['two rules for one', block('- a\n- b'), ['replace', '- a', '- x\n- y'], block('- x\n- y\n- b')],
      ['nothing for a rule', block('- a\n- b'), ['replace', '- a', ''], block('- b')],
      ['a rule less', block('- a\n- b'), ['delete', 'a'], block('- b')],
      ['the last rule less', block('_Note._\n\n- a'), ['delete', 'a'], block('_Note._\n')],
      [
        'a rule in the middle of a document',
        `Top.\n\n${block('- a')}\nBottom.\n`,
        ['append', '', 'b'],
        `Top.\n\n${block('- a\n- b')}\nBottom.\n`,
      ],
      ['a new block at the end', 'Text.\n', ['append', '', 'a'], `Text.\n\n${block('- a')}`],
      ['a new block without a final line break', 'Text.', ['append', '', 'a'], `Text.\n\n${block('- a')}`.trimEnd()],
      ['a new block in an empty file', '', ['append', '', 'a'], block('- a')],
      [
        'a new block below front matter',
        '---\nname: x\n---\n',
        ['append', '', 'a'],
        `---\nname: x\n---\n\n${block('- a')}`,
      ],
      [
        'a new block after all others',
        '<!-- APPENDIX_START -->\n<!-- APPENDIX_END -->\n',
        ['append', '', 'a'],
        `<!-- APPENDIX_START -->\n<!-- APPENDIX_END -->\n\n${block('- a')}`,
      ],
      [
        'a rule with Windows line breaks',
        block('- a').replaceAll('\n', '\r\n'),
        ['append', '', 'b\nc'],
        block('- a\n- b\n  c').replaceAll('\n', '\r\n'),
      ],
    ];
    for (const [name, before, loose, after] of rows) {
      it(name, () => {
        const { document, report } = applyEdits(parseSkill(before), [edit(loose)], { scope: 'learned' });
        assert.deepEqual(report[0]?.outcome, { kind: 'applied' });
        assert.equal(printSkill(document), after);
      });
    }
  });

  describe('refuses', () => {
    const rows: readonly (readonly [name: string, before: string, edit: Loose, reason: string])[] = [
      ['part of a rule', block('- Never use tabs in YAML.'), ['delete', 'use tabs'], 'not-list-item'],
      ['a line of a rule', block('- a\n  more'), ['replace', 'more', 'x'], 'not-list-item'],
      ['its heading', block('- a'), ['insert_after', heading, '- b'], 'not-list-item'],
      ['its banner', block('_Banner._\n\n- a'), ['delete', '_Banner._'], 'not-list-item'],
      ['its markers', block('- a'), ['delete', start], 'outside-scope'],
      ['text outside', `Use tabs.\n\n${block('- a')}`, ['replace', 'Use tabs.', 'x'], 'outside-scope'],
      ['an anchor of nothing', block('- .'), ['delete', ' '], 'empty'],
      ['a rule that is nowhere', block('- a'), ['delete', 'b'], 'anchor-missing'],
      ['a rule that is there twice', block('- a\n- A.'), ['delete', 'a'], 'anchor-ambiguous'],
      ['a heading as a rule', block('- a'), ['append', '', '## More'], 'not-list-item'],
      ['two paragraphs as a rule', block('- a'), ['append', '', 'b\n\nc'], 'not-list-item'],
      ['code as a rule', block('- a'), ['append', '', '```\nx\n```'], 'not-list-item'],
      ['a rule that is there', block('- Use tabs.'), ['append', '', '* use  tabs'], 'duplicate'],
      ['a replacement that would make a rule twice', block('- a\n- b'), ['replace', 'a', 'b'], 'duplicate'],
      ['a replacement by the same', block('- a\n- b'), ['replace', 'a', '- a'], 'no-change'],
      [
        'a kept rule',
        block('- <!-- whetstone:keep -->a<!-- /whetstone:keep -->\n- b'),
        ['delete', '<!-- whetstone:keep -->a<!-- /whetstone:keep -->'],
        'kept-region',
      ],
      ['a block without an end', `${start}\n- a\n`, ['append', '', 'b'], 'protected-region'],
      ['a new block in a file kept to its end', '<!-- whetstone:keep -->\n', ['append', '', 'a'], 'kept-region'],
      ['a new block in code', '```\nx\n', ['append', '', 'a'], 'code-fence'],
    ];
    for (const [name, before, loose, reason] of rows) {
      it(`${name} (${reason})`, () => {
        const { document, report } = applyEdits(parseSkill(before), [edit(loose)], { scope: 'learned' });
        const outcome = report[0]?.outcome;
        assert.equal(outcome?.kind === 'applied' ? 'applied' : outcome?.reason, reason);
        assert.equal(printSkill(document), before);
      });
    }
  });
});

type Loose = readonly [op: Edit['op'], anchor: string, content?: string];

function edit([op, anchor, content = '']: Loose): Edit {
  if (op === 'delete') return { op, anchor, rationale: '' };
  return op === 'append' ? { op, content, rationale: '' } : { op, anchor, content, rationale: '' };
}

function block(inside: string): string {
  return `${start}\n${heading}\n\n${inside}\n${end}\n`;
}
