import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { emptyBudgetAhead } from '../../../../src/wording/preflight/emptyBudget.js';
import { withOwnWay } from '../../../../src/wording/preflight/strongerModel.js';
import { english, retold, speak, t } from '../../../../src/wording/translate.js';

const chinese = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync('l10n/bundle.l10n.zh-cn.json', 'utf8')));

describe('what a Chinese window says before a run', () => {
  before(() => speak(chinese));
  after(() => speak(undefined));

  it('is Chinese of an error budget that is used up, here and under another skill', () => {
    const elsewhere = { certifications: 4, names: '“work/skills/words/SKILL.md”' };
    for (const spent of [
      { certifications: 4, newTasks: 1 },
      { certifications: 4, newTasks: 4, elsewhere },
    ]) {
      const said = retold(emptyBudgetAhead(spent, english));
      assert.equal(said.replaceAll(/\s/gu, ''), emptyBudgetAhead(spent, t).replaceAll(/\s/gu, ''));
      assert.doesNotMatch(said.replace(elsewhere.names, ''), /[a-z]{4}/u);
    }
  });

  it('is Chinese of a stronger model, without a flag', () => {
    const note =
      'A stronger model for that (“Choose Model”, or --optimizer and --judge) and this one as the target: usually about 10 calls and 49,290 tokens a run, with openai/gpt-5.4 about 0.26 USD.';
    assert.doesNotMatch(
      retold(withOwnWay(note, 'editor')).replace('openai/gpt', '').replace('token', ''),
      /--|[a-z]{4}/u,
    );
  });
});
