import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { english, retold, speak, t } from '../../../src/wording/translate.js';

const bundle = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync('l10n/bundle.l10n.zh-cn.json', 'utf8')));

describe('what is said', () => {
  afterEach(() => speak(undefined));

  it('is English as long as no language is set', () => {
    assert.equal(t('{0} of {1}', 1, 'two'), '1 of two');
    assert.equal(retold('There is no API key for m.'), 'There is no API key for m.');
  });

  it('is in the language that was set, while what is stored stays English', () => {
    speak({ 'Good {0}': '{0}好' });
    assert.equal(t('Good {0}', 'morning'), 'morning好');
    assert.equal(english('Good {0}', 'morning'), 'Good morning');
  });

  it('leaves a place without a value as it is', () => assert.equal(english('{0} and {1}', 'a'), 'a and {1}'));
});

describe('a stored sentence', () => {
  before(() => speak(bundle));
  after(() => speak(undefined));

  it('is found again for every text of the bundle, whatever stands in its places', () => {
    const lost = Object.keys(bundle).filter((text) => {
      if (!isFoundAgain(text)) return false;
      const values = [...text.matchAll(/\{\d\}/g)].map((_, index) => `${index + 7}x`);
      return retold(english(text, ...values)) !== t(text, ...values);
    });
    assert.deepEqual(lost, []);
  });

  it('takes what stands in its places along', () => {
    assert.equal(
      retold('Edits were tried, and nothing is staged. Not measured: there are no held-out tasks.'),
      '尝试了修改，但没有准备任何提议。未测量：没有留出任务。',
    );
  });

  const kept = [
    'A sentence that nobody wrote.',
    'accepted by all of us',
    'Use ISO dates. Always.',
    '用国际日期。',
    'one of two: three',
    'constructor',
    'a. '.repeat(40),
  ];
  for (const text of kept) {
    it(`is not seen in what a model wrote: “${text.slice(0, 30)}”`, () => assert.equal(retold(text), text));
  }

  it('keeps the name of a task that is called like a word of ours', () => {
    assert.equal(retold('The proposal has no edit accepted.'), '提议中没有修改 accepted。');
  });
});

/** Texts with enough words of ours, each place once and in order: all that is stored or thrown is made like that. */
function isFoundAgain(text: string): boolean {
  const places = [...text.matchAll(/\{(\d)\}/g)].map(([, at]) => Number(at));
  const letters = text.replaceAll(/\{\d\}/g, '').replaceAll(/[^\p{L}]/gu, '').length;
  return letters >= 12 && places.length > 0 && places.every((place, at) => place === at) && !/\}\{/.test(text);
}
