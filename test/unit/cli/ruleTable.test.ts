import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { outcomesPath } from '../../bench/truth/page.js';
import { aCommandLine } from '../../builders/commandLine.js';

describe('whetstone gate --rule-table', () => {
  const scores = JSON.stringify({
    before: Array.from({ length: 6 }, (_, task) => [task % 2, 0, 1, 0, 1]),
    after: Array.from({ length: 6 }, () => [1, 1, 1, 1, 1]),
  });

  it('lays every rule over a person’s own scores, from standard input or a file', async () => {
    const line = aCommandLine({ input: scores });
    try {
      const { code, out, err } = await line.run('gate', '--rule-table', '--resamples', '20');
      assert.equal(code, 0, err);
      assert.match(out, /^your scores\n\n\| rule \|/);
      assert.match(out, /\| strictly higher, 5 attempts † \|.*\| accepted \|/);
      assert.match(out, /\| \*\*Whetstone, up to 8 attempts\*\* \|/);
      assert.match(out, /6 tasks, 5 attempts each; 0 always passed, 0 always failed\./);
      writeFileSync(path.join(line.folder, 'scores.json'), scores);
      assert.equal((await line.run('gate', '--rule-table', 'scores.json', '--resamples', '20')).out, out);
    } finally {
      line.dispose();
    }
  });

  it('takes recorded outcomes, and prints JSON', async () => {
    const line = aCommandLine();
    try {
      cpSync(outcomesPath, path.join(line.folder, 'outcomes.json'));
      const words = ['gate', '--rule-table', 'outcomes.json', '--resamples', '10', '--seed', '9', '--json'];
      const { code, out, err } = await line.run(...words);
      assert.equal(code, 0, err);
      const printed = JSON.parse(out);
      assert.deepEqual([printed.seed, printed.resamples, printed.sets[0].name], [9, 10, 'tau2-airline-v4']);
      const [first] = printed.sets[0].rules;
      assert.deepEqual([first.rule.id, first.noEffect.accepted.of, first.noEffect.seed], ['higher-1', 10, [9, 12, 0]]);
      assert.equal(first.compared.length, 12);
    } finally {
      line.dispose();
    }
  });

  const refused: readonly { readonly name: string; readonly words: readonly string[]; readonly says: RegExp }[] = [
    {
      name: 'a file that is not there',
      words: ['--rule-table', 'nowhere.json'],
      says: /“nowhere\.json” cannot be read.*Name a file/,
    },
    {
      name: 'scores that are none',
      words: ['--rule-table'],
      says: /"before" is not an array of rows.*docs\/truth\.md/,
    },
    {
      name: 'a number that is none',
      words: ['--rule-table', '--resamples', 'many'],
      says: /“many” is no whole number/,
    },
  ];
  for (const { name, words, says } of refused) {
    it(`refuses ${name}, and says what to do`, async () => {
      const line = aCommandLine({ input: '{}' });
      try {
        const { code, out, err } = await line.run('gate', ...words);
        assert.ok(code === 1 || code === 2, String(code));
        assert.equal(out, '');
        assert.match(err, says);
      } finally {
        line.dispose();
      }
    });
  }
});
