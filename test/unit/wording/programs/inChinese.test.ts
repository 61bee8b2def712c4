import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { ProgramQuestion } from '../../../../src/ports/programs.js';
import { containmentSentences } from '../../../../src/wording/programs/containment.js';
import { unparsedLanguagesSentence } from '../../../../src/wording/programs/scriptEdits.js';
import { speak } from '../../../../src/wording/translate.js';

const chinese = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync('l10n/bundle.l10n.zh-cn.json', 'utf8')));

/** Whoever is asked whether a program may run reads what it could do in their own language. */
describe('in the Chinese window, before a program runs', () => {
  before(() => speak(chinese));
  after(() => speak(undefined));

  const rows: Readonly<Record<string, ProgramQuestion['sandbox']>> = {
    'nobody knows whether there is a sandbox': undefined,
    'there is no sandbox': { kind: 'off' },
    'there could be one': { kind: 'missing', programs: ['bwrap'], install: 'apt' },
    'there is a sandbox': { kind: 'available' },
  };
  for (const [name, sandbox] of Object.entries(rows)) {
    it(`what it could do is said in Chinese where ${name}`, () => {
      const said = containmentSentences({ what: 'a', content: 'b', sandbox });
      assert.ok(said.length > 0);
      for (const sentence of said) assert.doesNotMatch(sentence, /[A-Za-z]{2,} [A-Za-z]{2,}/);
    });
  }

  it('the languages of scripts that nothing parses are', () => {
    assert.match(unparsedLanguagesSentence(['python', 'sh', 'module'], ''), /Python, sh, JavaScript 模块/);
  });
});
