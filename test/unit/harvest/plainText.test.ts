import assert from 'node:assert/strict';
import { plainText } from '../../../src/harvest/plainText.js';
import { marksOf } from '../../../src/harvest/mine/instructions.js';
import { jsonFile } from '../../../src/jsonFile.js';
import { assertLinear } from '../../builders/linearTime.js';

describe('the words of a session without what steers a terminal', () => {
  const cases: Readonly<Record<string, readonly [text: string, plain: string]>> = {
    'a title': ['a\u001B]0;evil\u0007b', 'ab'],
    'a link': ['\u001B]8;;https://x.example\u001B\\here\u001B]8;;\u001B\\!', 'here!'],
    colours: ['\u001B[1;31mred\u001B[0m and \u009B31mred\u009B0m', 'red and red'],
    'a title of one character of control': ['a\u009D0;evil\u009Cb', 'ab'],
    'going back': ['ab\b\bcd', 'abcd'],
    'a return to the beginning of the line': ['one\rtwo\r\nthree', 'one\ntwo\nthree'],
    'a string that never ends': ['a\u001B]0;said\nmore', 'a]0;said\nmore'],
    'an order of two letters': ['a\u001BMb\u001B(Bc\u001B7d', 'abcd'],
    'other characters of control': ['a\u0000\u007F\u0085\u000Cb', 'ab'],
    'nothing of it': ['a\tb\n  „ü“ 漢 👍🏽 ﷺ', 'a\tb\n  „ü“ 漢 👍🏽 ﷺ'],
  };
  for (const [name, [text, plain]] of Object.entries(cases))
    it(`is left: ${name}`, () => assert.equal(plainText(text), plain));

  it('is read in linear time', () => {
    for (const part of ['\u001B]', '\u009B1;', '\u001B[', '\r'])
      assertLinear((size) => plainText(part.repeat(size)), 2_000);
  });

  it('is marked as unseen where it stands all the same', () => {
    assert.deepEqual(marksOf('a \u001B[8mb'), ['unseen']);
    assert.deepEqual(marksOf('a \u009B8mb'), ['unseen']);
    assert.deepEqual(marksOf('a\r\n\tb'), []);
  });

  it('is escaped in every file of JSON', () => {
    const value = { a: ['\u009B31m', '\u001B', '\u2028', 'ü'] };
    assert.equal(jsonFile(value), String.raw`{"a":["\u009b31m","\u001b","\u2028","ü"]}`);
    assert.deepEqual(JSON.parse(jsonFile(value, 2)), value);
  });
});
