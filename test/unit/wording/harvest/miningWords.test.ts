import assert from 'node:assert/strict';
import { askedLines, minedSentences } from '../../../../src/wording/harvest/draftWords.js';
import { trainingDetail } from '../../../../src/wording/harvest/usageWords.js';
import { english } from '../../../../src/wording/translate.js';

describe('what the window says of drafting from sessions', () => {
  it('is in the end how many drafts wait, and what none was made of', () => {
    const nothing = { drafts: 0, files: 0, emptied: 0, asked: undefined };
    const said = (more: Partial<Parameters<typeof minedSentences>[0]>): string =>
      minedSentences({ ...nothing, ...more }, english).join(' ');
    assert.equal(said({}), '0 drafts out of your sessions wait for you.');
    assert.equal(
      said({ drafts: 1, files: 1, emptied: 1 }),
      '1 draft out of your sessions waits for you. 1 more is about files that are not known or gone. 1 message was little more than a secret, so no draft was made of it.',
    );
    assert.equal(
      said({ drafts: 19, files: 2, asked: 'Write a changelog.' }),
      '19 drafts out of your sessions wait for you. 2 more are about files that are not known or gone. Asked more than once, and no skill is for it: Write a changelog.',
    );
  });

  it('is before a model is asked whom, and why about fewer sessions than were read', () => {
    const all = { asked: 3, read: 3, most: 20 };
    assert.deepEqual(askedLines({ ...all, model: 'openai/gpt-5-mini' }, english), ['Asked is openai/gpt-5-mini.']);
    const [whom, why] = askedLines({ ...all, read: 41, model: 'simulated/optimizer' }, english);
    assert.equal(whom, 'Asked is simulated/optimizer: nothing leaves this machine.');
    assert.match(why ?? '', /^41 sessions were read\. The others hold no request .* at most 20 at once\.$/);
  });

  it('is beside a skill that is chosen why it is offered first, unless a proposal waits', () => {
    const usage = { fired: 6, corrected: 2, tokens: { listed: 1, body: 1, aMessage: 1 } };
    const beside = (waits: boolean, corrected: number): string | undefined =>
      trainingDetail({ waits, usage: { ...usage, corrected } }, english);
    assert.equal(beside(false, 2), 'used 6 times, corrected 2 times in your sessions: training it is likely to pay');
    assert.equal(beside(false, 0), undefined);
    assert.equal(beside(true, 2), 'a proposal waits: review it before you train again');
    assert.equal(trainingDetail({ waits: false, usage: undefined }, english), undefined);
  });
});
