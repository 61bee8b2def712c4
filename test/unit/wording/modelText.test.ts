import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { asMarkdown, onOneLine } from '../../../src/wording/modelText.js';

describe('text of a model in a lens', () => {
  const cases = [
    ['keeps plain words', 'Say the unit.', 'Say the unit.'],
    ['joins lines and spaces', ' a\n\tb\r\n  c ', 'a b c'],
    ['cannot bring an icon of its own', '$(check) Accept', '$ (check) Accept'],
    ['drops control characters', 'a\u0007b\u001b[31m', 'a b [31m'],
    ['drops what turns the reading direction', 'safe \u202egnihton', 'safe gnihton'],
    ['drops what hides', 'a\u200b\ufeffb', 'a b'],
    ['keeps Chinese', '日期写成 ISO 格式。', '日期写成 ISO 格式。'],
  ] as const;
  for (const [name, text, shown] of cases) it(name, () => assert.equal(onOneLine(text, 80), shown));

  it('is cut with an ellipsis', () => {
    assert.equal(onOneLine('one two three four', 10), 'one two t…');
    assert.equal(onOneLine('exactly ten', 11), 'exactly ten');
  });
});

describe('text of a model in a rationale', () => {
  const harmless = [
    ['a command link', '[Accept](command:workbench.action.reloadWindow)'],
    ['a web link', '[more](https://example.com)'],
    ['a bare address', 'see https://example.com or www.example.com or me@example.com'],
    ['an image', '![x](https://example.com/a.png)'],
    ['HTML', '<a href="command:x">y</a><img src=x>'],
    ['an icon', '$(check) $(error)'],
    ['a heading, a list and a fence', '# big\n- item\n1. one\n```js\ncode\n```\n---'],
    ['a reference link', '[a]: command:x\n\n[a]'],
    ['a link in angle brackets', '<command:x>'],
    ['an entity', '&lt;b&gt;'],
    ['a table', '| a | b |\n|---|---|'],
  ] as const;
  for (const [name, text] of harmless) {
    it(`is shown, not done: ${name}`, () => assert.doesNotMatch(asMarkdown(text), live));
  }

  it('brings no icon, escaped or not', () => {
    assert.equal(asMarkdown('$(check)').replaceAll('\\', ''), '$ (check)');
  });

  it('escapes every mark of Markdown in any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.doesNotMatch(asMarkdown(text), live);
      }),
    );
  });

  it('says the same once Markdown has taken its backslashes', () => {
    const words = 'Replace `a` by *b* (see #3): 50 % – 日期。';
    assert.equal(asMarkdown(words).replaceAll(/\\([!-/:-@[-`{-~])/g, '$1'), words);
  });

  it('ends somewhere', () => assert.ok(asMarkdown('x'.repeat(9_000)).length < 2_100));
});

/** Punctuation that no backslash disarms. */
const live = /(?<!\\)(?:\\\\)*[!-/:-@[\]^_`{-~]/;
