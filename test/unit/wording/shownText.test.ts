import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import {
  asMarkdown,
  exactText,
  iconLabel,
  shownLine,
  shownText,
  visibleText,
  withIcon,
} from '../../../src/wording/shownText.js';
import { hostileTexts, honestTexts } from '../../builders/hostileTexts.js';

/** As VS Code looks for links in a message and in a box, and for icons in a label. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const icon = /\$\([\w-]+(?:~\w+)?\)/;
/** What steers a terminal, turns the reading direction or is not seen. */
const unseen =
  /[^\P{Cc}\n\t]|\p{Cs}|\p{Co}|\p{Cn}|[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;

const doors = { visibleText, shownText, shownLine } as const;

describe('hostile text', () => {
  it('is tried in at least 60 ways', () => assert.ok(hostileTexts.length >= 60, String(hostileTexts.length)));

  for (const [name, text] of hostileTexts) {
    it(`does nothing and hides nothing: ${name}`, () => {
      for (const door of Object.values(doors)) assert.doesNotMatch(door(text), unseen);
      for (const marked of [shownText(text), shownLine(text)]) {
        assert.doesNotMatch(marked, link);
        assert.doesNotMatch(marked, icon);
        assert.ok(marked.length < 40_000, `${marked.length} characters`);
      }
      assert.doesNotMatch(shownLine(text), /\n/);
      assert.equal(iconLabel('play', text), `$(play) ${shownLine(text)}`);
      assert.equal(withIcon('play', text), `$(play)\u00a0${shownLine(text)}`);
      assert.deepEqual(actingIn(asMarkdown(text)), []);
      assert.doesNotMatch(asMarkdown(text), unseen);
      assert.doesNotMatch(asMarkdown(text).replaceAll('\\', ''), icon);
    });
  }

  it('comes to the same when it goes through a door twice', () => {
    for (const [name, text] of hostileTexts.filter(([, each]) => each.length < 1_000))
      for (const door of Object.values(doors)) assert.equal(door(door(text)), door(text), name);
  });

  it('holds for any text', () => {
    const pieces = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '$',
      'command:x',
      '\u200b',
      '\u202e',
      '\n',
      '\r',
      ' ',
      '\\',
      'a',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((each) => each.join('')),
        ),
        (text) => {
          for (const shown of [shownText(text), shownLine(text)]) {
            assert.doesNotMatch(shown, link);
            assert.doesNotMatch(shown, icon);
            assert.doesNotMatch(shown, unseen);
          }
          assert.deepEqual(actingIn(asMarkdown(text)), []);
        },
      ),
    );
  });

  it('ends in time by its length, which the time limit of a test would notice', () => {
    const count = process.env['WHETSTONE_FULL'] === '1' ? 300_000 : 100_000;
    assert.equal(visibleText('\u{e0041}'.repeat(count), Infinity).length, count * '‹U+E0041›'.length);
  });
});

describe('honest text', () => {
  for (const [script, text] of honestTexts) {
    it(`stays as it is: ${script}`, () => {
      for (const door of Object.values(doors)) assert.equal(door(text), text);
      assert.equal(asMarkdown(text).replaceAll(/\\([!-/:-@[-`{-~])/g, '$1'), text);
    });
  }
});

describe('text in a lens, a row or a menu', () => {
  const cases = [
    ['keeps plain words', 'Say the unit.', 'Say the unit.'],
    ['joins lines and spaces', ' a\n\tb\r\n  c ', 'a b c'],
    ['cannot bring an icon of its own', '$(check) Accept', '$ (check) Accept'],
    ['shows control characters', 'a\u0007b\u001b[31m', 'a‹U+0007›b‹U+001B›[31m'],
    ['shows what turns the reading direction', 'safe \u202egnihton', 'safe ‹U+202E›gnihton'],
    ['shows what hides', 'a\u200b\ufeffb', 'a‹U+200B›‹U+FEFF›b'],
    ['shows tags', 'a\u{e0041}b', 'a‹U+E0041›b'],
    ['shows a return that would overwrite', 'rejected\raccepted', 'rejected‹U+000D›accepted'],
  ] as const;
  for (const [name, text, shown] of cases) it(name, () => assert.equal(shownLine(text, 80), shown));

  it('is cut with an ellipsis', () => {
    assert.equal(shownLine('one two three four', 10), 'one two t…');
    assert.equal(shownLine('exactly ten', 11), 'exactly ten');
  });
});

describe('text in a message', () => {
  it('keeps a link from being one, and says the same', () => {
    assert.equal(
      shownText('The task “[Click](command:x?%7B%7D)” failed.'),
      'The task “[Click] (command:x?%7B%7D)” failed.',
    );
  });
  it('keeps its line breaks', () => assert.equal(shownText('a\r\nb\nc'), 'a\nb\nc'));
});

describe('text in a dialog or a plain tooltip', () => {
  it('is read letter by letter', () => {
    assert.equal(visibleText('sh -c "$(cat x)" [a](b)'), 'sh -c "$(cat x)" [a](b)');
    assert.equal(visibleText('sh\u202e -c'), 'sh‹U+202E› -c');
  });

  it('shows line breaks and tabs of what is to be run', () => {
    assert.equal(exactText('sh -c "a\nb\r\n\tc\u200b"'), 'sh -c "a‹U+000A›b‹U+000D›‹U+000A›‹U+0009›c‹U+200B›"');
  });
});

describe('text in a rationale', () => {
  it('escapes every mark of Markdown in any text', () => {
    fc.assert(fc.property(fc.string(), (text) => assert.doesNotMatch(asMarkdown(text), live)));
  });

  it('ends somewhere', () => assert.equal(asMarkdown('x'.repeat(9_000)), `${'x'.repeat(2_000)}…`));
});

/** Punctuation that no backslash disarms. */
const live = /(?<!\\)(?:\\\\)*[!-/:-@[\]^_`{-~]/;

/** What a Markdown text would do beside saying words. */
function actingIn(markdown: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: { readonly type: string; readonly children?: readonly unknown[] }): void => {
    if (!['root', 'paragraph', 'text', 'break'].includes(node.type)) found.push(node.type);
    for (const child of node.children ?? []) if (isNode(child)) visit(child);
  };
  visit(fromMarkdown(markdown));
  return found;
}

function isNode(value: unknown): value is { readonly type: string; readonly children?: readonly unknown[] } {
  return typeof value === 'object' && value !== null && 'type' in value;
}
