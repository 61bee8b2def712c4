import assert from 'node:assert/strict';
import { askedLines } from '../../../../src/wording/harvest/draftWords.js';
import { minedPage } from '../../../../src/wording/harvest/minedPage.js';
import { minedSentences, noSessionSentences } from '../../../../src/wording/harvest/minedWords.js';
import { trainingDetail } from '../../../../src/wording/harvest/usageWords.js';
import { english } from '../../../../src/wording/translate.js';

describe('what the window says of drafting from sessions', () => {
  it('is in the end how many drafts wait, and what none was made of', () => {
    const none = {
      drafts: 0,
      madeByRules: 0,
      files: 0,
      unplaced: 0,
      emptied: 0,
      minedBefore: 0,
      partlyShown: 0,
      pushedOut: 0,
    };
    const nothing = { ...none, asked: [], unread: [] };
    const said = (more: Partial<Parameters<typeof minedSentences>[0]>): string =>
      minedSentences({ ...nothing, ...more }, '20.1.0', english).join(' ');
    assert.equal(said({}), 'No new draft was made of your sessions.');
    assert.equal(
      said({ drafts: 1, files: 1, emptied: 1 }),
      '1 draft out of your sessions waits for you. No draft was made of 1 request: it was worked on with files that are not known or gone. 1 message was little more than a secret, so no draft was made of it.',
    );
    assert.equal(
      said({ drafts: 19, files: 2, asked: ['Write a changelog.'] }),
      '19 drafts out of your sessions wait for you. No drafts were made of 2 requests: they were worked on with files that are not known or gone. Asked more than once, and no skill is for it: Write a changelog.',
    );
  });

  it('is in the end also what was lost, left or not read', () => {
    const counts = {
      drafts: 2,
      madeByRules: 2,
      files: 0,
      unplaced: 2,
      emptied: 0,
      minedBefore: 1,
      partlyShown: 1,
      pushedOut: 1,
    };
    const unread = ['a', 'b', 'c', 'd'].map((path) => ({ source: 'opencode', path, why: 'too-long' }) as const);
    assert.deepEqual(minedSentences({ ...counts, asked: ['One.', 'Two.'], unread }, '20.1.0', english), [
      '2 drafts out of your sessions wait for you.',
      'For 2 requests the reply of the model held nothing that stands on your words: rules made drafts of them.',
      '1 older draft was dropped for them: more wait than are kept. Confirm or delete some.',
      '1 session was mined before, and is not mined again until it goes on.',
      '1 session holds more requests than a model is shown at once: draft tasks again for the others.',
      '2 more requests fit no skill here: none was loaded for them, and none is near by its words.',
      'Asked more than once, and no skill is for it: One.',
      '1 more such request is in the list.',
      'a was not read: it is too large.',
      'b was not read: it is too large.',
      'c was not read: it is too large.',
      '1 more file with sessions was not read.',
    ]);
  });

  it('is of a folder without sessions also that a file was not read, in which some may be', () => {
    assert.equal(toldWithout(), 'None of your sessions of the last 30 days that may be read was had in these folders.');
    assert.equal(
      toldWithout('busy'),
      'None of your sessions of the last 30 days that could be read was had in these folders. /db was not read: its program is writing to it. Try again when the agent rests.',
    );
  });

  it('is in a list every request that nobody could attempt again, with the reason, and all that no skill is for', () => {
    const notReplayable = [
      { asked: 'Mend it.\n# Not a heading', source: 'codex', why: 'gone', files: 'changed' },
      { asked: 'Sum it up.', source: 'claude-code', why: 'not-asked', files: 'named' },
    ] as const;
    const suggestions = [
      { asked: 'Translate it.', sessions: 2, corrected: 1 },
      { asked: 'Draw it.', sessions: 3, corrected: 0 },
    ];
    assert.equal(
      minedPage({ said: ['No new draft was made of your sessions.'], notReplayable, suggestions }, english),
      `# What was found in your sessions

- No new draft was made of your sessions.

## No draft was made: nobody could attempt it again

Codex: the agent changed files for it, and their commit is no longer there.
> Mend it.
> # Not a heading

Claude Code: it is about files, and git could not be started to look for their commit: try again once it can be.
> Sum it up.

## Asked more than once, and no skill is for it

Asked in 2 sessions. Once you were not content with the answer.
> Translate it.

Asked in 3 sessions.
> Draw it.
`,
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

function toldWithout(...why: readonly 'busy'[]): string {
  const unread = why.map((each) => ({ source: 'opencode', path: '/db', why: each }) as const);
  return noSessionSentences({ days: 30, unread }, '22.13.0', english).join(' ');
}
