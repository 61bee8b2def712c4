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
      const table = out.slice(0, out.indexOf('6 tasks'));
      assert.ok(table.split('\n').every((row) => row.length <= 100));
      assert.match(table, /^your scores\n\nrule +luck +\+20 +\+40 +attempts +your edit +asks\n/);
      assert.match(table, /\nstrictly higher, 5 attempts .* accepted +a †\n/);
      assert.match(table, /below 12 tasks: shown on these only/);
      assert.match(out, /6 tasks, 5 attempts each; 0 always passed, 0 always failed\./);
      writeFileSync(path.join(line.folder, 'scores.json'), `\uFEFF${scores}`);
      assert.equal((await line.run('gate', '--rule-table', 'scores.json', '--resamples', '20')).out, out);
      const whole = await line.run('gate', '--rule-table', '--resamples', '20', '--markdown');
      assert.match(whole.out, /^your scores\n\n\| rule \|[^]*\| \*\*Whetstone, up to 8 attempts\*\* \|/);
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

  it('says of few tasks, and of those that always pass, why nothing is found', async () => {
    const line = aCommandLine({ input: JSON.stringify({ before: [[1], [1]] }) });
    try {
      const { out } = await line.run('gate', '--rule-table', '--resamples', '10');
      assert.match(out, /Whetstone, up to 8 attempts .* none made /);
      assert.match(out, /2 tasks, 1 attempt each; 2 always passed/);
      assert.match(
        out,
        /fewer than 5 tasks nothing can be proved[^]*Every task always passed[^]*With 1 attempt at a task/,
      );
    } finally {
      line.dispose();
    }
  });

  it('is ended between two tries', async () => {
    const stop = new AbortController();
    const before = Array.from({ length: 300 }, (_, task) => [task % 2, 0, 1]);
    const line = aCommandLine({ input: JSON.stringify({ before }), signal: stop.signal });
    try {
      setTimeout(() => stop.abort(), 50);
      const started = Date.now();
      const { code, err } = await line.run('gate', '--rule-table', '--resamples', '1000000');
      assert.ok(Date.now() - started < 5000);
      assert.deepEqual([code, err], [1, 'Cancelled. Every file is as it was.\n']);
    } finally {
      line.dispose();
    }
  });

  const refused: readonly {
    readonly name: string;
    readonly words: readonly string[];
    readonly says: RegExp;
    readonly input?: string;
  }[] = [
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
    { name: 'a folder', words: ['--rule-table', '.'], says: /“\.” cannot be read: it is no file but a folder/ },
    {
      name: 'more resamples than are made',
      words: ['--rule-table', '--resamples', '1000000000'],
      says: /“1000000000” is no whole number from 10 to 1000000\./,
    },
    {
      name: 'more tasks than are compared',
      words: ['--rule-table'],
      input: JSON.stringify({ before: Array.from({ length: 2001 }, () => [1]) }),
      says: /2001 tasks are too many for a table of rules\. Give at most 2000 tasks/,
    },
  ];
  for (const { name, words, says, input = '{}' } of refused) {
    it(`refuses ${name}, and says what to do`, async () => {
      const line = aCommandLine({ input });
      try {
        const { code, out, err } = await line.run('gate', ...words);
        assert.deepEqual([code, out], [2, '']);
        assert.match(err, says);
      } finally {
        line.dispose();
      }
    });
  }
});
