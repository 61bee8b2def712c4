import assert from 'node:assert/strict';
import { rowHead, typedWord } from '../../../src/wording/shownText.js';
import { english } from '../../../src/wording/translate.js';
import { warningHead } from '../../../src/wording/verdictReport.js';
import { copiesWarning, sealedWarning } from '../../../src/wording/verdictSentences.js';

describe('a sentence on a narrow row', () => {
  const table = [
    ['2 more held-out tasks.', '2 more held-out tasks'],
    [
      '2 held-out tasks more (the same on 8 would be shown), confirmed or drafted: with new held-out tasks the same edits may be tried again.',
      '2 held-out tasks more',
    ],
    ['More held-out tasks, confirmed or drafted: with new ones again.', 'More held-out tasks, confirmed or drafted'],
    ['At most 6 more passes, about 96 calls, free of charge.', 'At most 6 more passes, about 96 calls'],
    ['Once the model answers reliably, measure again (at most 8 passes).', 'Once the model answers reliably'],
    [
      'See why attempts under the candidate give no result, then measure again.',
      'See why attempts under the candidate give…',
    ],
    ['还需 2 个留出任务（同样的结果在 8 个任务上即可显示），可以确认或起草：有了新的留出任务', '还需 2 个留出任务'],
  ] as const;
  for (const [sentence, head] of table)
    it(`begins with what matters: ${head}`, () => {
      assert.equal(rowHead(sentence), head);
      assert.ok(rowHead(sentence).length <= 45);
    });

  it('says of a warning what it is about', () => {
    const fell = sealedWarning(0.2, { before: 1, after: 0.75, n: 4 }) ?? '';
    assert.equal(warningHead(fell, english), 'The sealed tasks fell');
    assert.equal(warningHead(copiesWarning(3), english), 'Repeats never differ');
  });
});

describe('a word of a line that is typed', () => {
  for (const [word, typed] of [
    ['/home/me/skills/a-b/SKILL.md', '/home/me/skills/a-b/SKILL.md'],
    ['C:\\Users\\me\\SKILL.md', 'C:\\Users\\me\\SKILL.md'],
    ['my skills/a', '"my skills/a"'],
    ['a$b; rm', "'a$b; rm'"],
    ["it's $5", `'it'\\''s $5'`],
  ] as const)
    it(typed, () => assert.equal(typedWord(word), typed));
});
