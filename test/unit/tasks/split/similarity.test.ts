import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { similarity, tokensOf } from '../../../../src/tasks/split/similarity.js';

describe('similarity', () => {
  const alike: readonly (readonly [string, string, string])[] = [
    ['English', 'Summarise the incident of Monday', 'Please summarise the Monday incident'],
    ['Chinese', '请总结周一的事故报告', '总结一下周一的事故报告'],
    ['Japanese', '月曜日の障害を要約してください', '月曜日の障害の要約'],
    ['Korean', '월요일 장애를 요약해 주세요', '월요일의 장애 요약'],
    ['Russian', 'Составь сводку инцидента в понедельник', 'Сводку инцидента понедельник составь'],
    ['Thai', 'สรุปเหตุการณ์วันจันทร์', 'สรุปเหตุการณ์ของวันจันทร์'],
    ['Greek', 'Σύνοψη του περιστατικού', 'Η σύνοψη περιστατικού'],
  ];
  const stranger = 'Write a poem about winter. 写一首关于冬天的诗。';
  for (const [language, first, second] of alike) {
    it(`finds two tasks alike in ${language}, and neither like a stranger`, () => {
      assert.ok(similarity(first, second) > 0.25, String(similarity(first, second)));
      assert.ok(similarity(first, stranger) < 0.1);
    });
  }

  it('is symmetric, within 0..1, and 1 for a text with words and itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        assert.equal(similarity(a, b), similarity(b, a));
        assert.ok(similarity(a, b) >= 0 && similarity(a, b) <= 1);
        assert.equal(similarity(a, a), tokensOf(a).length === 0 ? 0 : 1);
      }),
    );
  });

  it('reads full-width and half-width letters as the same words', () => {
    assert.deepEqual(tokensOf('ＡＢＣ ｶﾀｶﾅ'), tokensOf('abc カタカナ'));
  });
});
