import assert from 'node:assert/strict';
import { judgeAgreement, type LabelledGrade, type PassFail } from '../../../../src/gate/statistics/judgeAgreement.js';
import { judgeSentences, judgeWords, lowJudgeNote } from '../../../../src/wording/judge/judgeWords.js';
import { english } from '../../../../src/wording/translate.js';

const nothing = { judge: 'openai/gpt-5-mini', agreement: undefined, changed: 0, ofOthers: 0 };
const low = { ...nothing, agreement: agreementOf('pass pass 8, fail fail 3, fail pass 3') };
const fine = { ...nothing, agreement: agreementOf('pass pass 8, fail fail 8') };
const few = { ...nothing, agreement: agreementOf('pass pass 3, fail fail 2') };
const oneKind = { ...nothing, agreement: agreementOf('pass pass 13') };

describe('what is said of a judge', () => {
  it('fits in a row', () => {
    assert.deepEqual(
      [low, fine, few, oneKind, nothing, { ...low, now: 'ollama/qwen3' }].map((each) => judgeWords(each, english)),
      [
        'agrees 11 of 14, 79 % (52–92 %)',
        'agrees 16 of 16, 100 % (81–100 %)',
        'too few to say: 5 of 12 labels',
        'too few to say: one verdict only',
        'too few to say: no label counts',
        'another judge grades now',
      ],
    );
  });

  it('is told with what it is worth', () => {
    assert.deepEqual(judgeSentences({ ...low, changed: 2, ofOthers: 1, now: 'ollama/qwen3' }, english), [
      'The judge openai/gpt-5-mini agrees with your labels in 11 of 14, 79 % (52–92 %).',
      '⚠ That is under 80 %: what it grades may mislead. Say the criteria more exactly, or take another judge.',
      'One that always said “pass” would agree in 8 of 14.',
      'Labels that no longer count, because their task or criterion changed: 2.',
      'Labels of answers that this judge did not grade, or not with the prompt of today: 1.',
      'ollama/qwen3 grades now: label answers that it graded.',
    ]);
    assert.deepEqual(judgeSentences(few, english), ['Too few to say: 5 of at least 12 labels.']);
    assert.match(judgeSentences(oneKind, english).join(' '), /^Too few to say: every label is “pass”/);
  });

  it('is a note for a run only where it is known to be under 80 %', () => {
    assert.equal(
      lowJudgeNote(low, english),
      'The judge openai/gpt-5-mini agrees with your labels in 11 of 14, 79 % (52–92 %), which is under 80 %: what it grades may mislead.',
    );
    for (const each of [fine, few, oneKind, nothing]) assert.equal(lowJudgeNote(each, english), undefined);
  });
});

/** `pass fail 3`: three that a person passed and the judge failed. */
function agreementOf(text: string): ReturnType<typeof judgeAgreement> {
  const labelled = text.split(', ').flatMap((part): readonly LabelledGrade[] => {
    const [label = '', grade = '', times] = part.split(' ');
    return Array.from({ length: Number(times) }, (_, index) => ({
      answer: `${part} ${index}`,
      of: 1,
      label: passFail(label),
      grade: passFail(grade),
    }));
  });
  return judgeAgreement(labelled);
}

function passFail(word: string): PassFail {
  return word === 'pass' ? 'pass' : 'fail';
}
