import assert from 'node:assert/strict';
import { carriesMarker } from '../../../../src/skill/document/protectedRegions.js';
import { parseSkill } from '../../../../src/skill/document/skillDocument.js';

describe('protected regions', () => {
  const keep = '<!-- whetstone:keep -->';
  const free = '<!-- /whetstone:keep -->';
  const rows: readonly (readonly [name: string, text: string, seen: readonly (readonly [string, string, string])[]])[] =
    [
      ['a kept part', `a\n${keep}\nb\n${free}\nc`, [['keep', 'closed', '\nb\n']]],
      ['a kept part to the end of the file', `a\n${keep}\nb\n`, [['keep', 'unclosed', '\nb\n']]],
      ['a kept part within a line', `a ${keep}b${free} c`, [['keep', 'closed', 'b']]],
      ['a kept part in a kept part as one', `${keep}${keep}a${free}b${free}`, [['keep', 'closed', `${keep}a${free}b`]]],
      ['an end without a start', `a\n${free}\nb`, [['keep', 'orphan', '']]],
      [
        'markers in any case and spacing',
        '<!--SLOW_UPDATE_START-->x<!--  slow_update_end  -->',
        [['slow-update', 'closed', 'x']],
      ],
      [
        'one kind in another',
        `<!-- APPENDIX_START -->${keep}a${free}<!-- APPENDIX_END -->`,
        [
          ['appendix', 'closed', `${keep}a${free}`],
          ['keep', 'closed', 'a'],
        ],
      ],
      [
        'two blocks of one kind',
        '<!-- APPENDIX_START -->a<!-- APPENDIX_END -->\n<!-- APPENDIX_START -->b<!-- APPENDIX_END -->',
        [
          ['appendix', 'closed', 'a'],
          ['appendix', 'closed', 'b'],
        ],
      ],
      ['no marker in a code span', `\`${keep}\` a\n`, []],
      ['a marker below one in a code span', `\`${keep}\`\n${keep}\na`, [['keep', 'unclosed', '\na']]],
      ['a marker beside one in a code span', `\`${keep}\` ${keep}\na`, [['keep', 'unclosed', '\na']]],
      ['a marker after a code span', `\`x\` ${keep}\na`, [['keep', 'unclosed', '\na']]],
      ['a marker below a line with one backtick', `it\`s\n${keep}\na`, [['keep', 'unclosed', '\na']]],
      ['no marker in a code fence', `\`\`\`\n${keep}\n\`\`\`\na\n`, []],
      ['a marker after a code fence', `\`\`\`\n${keep}\n\`\`\`\n${keep}a`, [['keep', 'unclosed', 'a']]],
      ['no marker in the front matter', `---\nname: x\nnote: "${keep}"\n---\na\n`, []],
      ['no other comment', '<!-- keep -->\n<!-- APPENDIX -->\n', []],
    ];
  for (const [name, text, seen] of rows) {
    it(`finds ${name}`, () => {
      const regions = parseSkill(text).regions.map(({ kind, state, inner }) => [
        kind,
        state,
        text.slice(inner.start, inner.end),
      ]);
      assert.deepEqual(regions, seen);
    });
  }

  for (const [text, carries] of [
    ['<!-- whetstone:keep -->', true],
    ['<!--/whetstone:keep', true],
    ['<!--\nSLOW_UPDATE_END', true],
    ['<!-- skillopt-sleep:learned start', true],
    ['<!-- a comment -->', false],
    ['See the Appendix.', false],
    ['whetstone:keep', false],
  ] as const) {
    it(`${carries ? 'sees' : 'sees no'} marker in ${JSON.stringify(text)}`, () =>
      assert.equal(carriesMarker(text), carries));
  }
});
