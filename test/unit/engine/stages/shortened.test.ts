import assert from 'node:assert/strict';
import { shortened } from '../../../../src/engine/stages/shortened.js';

const key = 'sk-0123456789abcdef0123456789abcdef';
const redact = (text: string): string => text.replaceAll(/sk-[0-9a-f]{32}/gu, 'REDACTED');

describe('a text that is shortened', () => {
  it('is as it was where there is room', () => {
    assert.equal(shortened('short', 100, redact), 'short');
  });

  for (const length of [3_000, 60_000]) {
    it(`of ${length} characters shows no half of a secret that stands where it is cut`, () => {
      for (let at = 60; at <= 100; at += 1) {
        const text = `${'a'.repeat(at)}${key}${'b'.repeat(length)}${key}${'c'.repeat(at)}`;
        const shown = shortened(text, 200, redact);
        assert.doesNotMatch(shown, /sk-|[0-9a-f]*0123|4567/u);
        assert.match(shown, /\n\[\.\.\. \d+ characters left out \.\.\.\]\n/u);
      }
    });
  }

  it('has no half of a character at its cut', () => {
    const shown = shortened('😀'.repeat(100), 51, (text) => text);
    assert.doesNotMatch(shown, /[\uD800-\uDFFF]/u);
  });
});
