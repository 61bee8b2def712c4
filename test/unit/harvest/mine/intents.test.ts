import assert from 'node:assert/strict';
import { intentsOf, type Intent } from '../../../../src/harvest/mine/intents.js';
import { requestsIn } from '../../../../src/harvest/mine/requests.js';
import { loadedSkill, skillFinder } from '../../../../src/harvest/mine/skillFor.js';
import { aSession, type Said } from '../../../builders/someSessions.js';

const aDay = 86_400_000;

/** A session a day, each with these messages. */
function intentsIn(...sessions: readonly (readonly Said[])[]): readonly Intent[] {
  const all = sessions.map((said, day) =>
    aSession(`session ${day}`, said, { started: Date.UTC(2026, 10, 1) + day * aDay }),
  );
  return intentsOf(all.flatMap(requestsIn));
}

function told(intents: readonly Intent[]): readonly (readonly [number, number])[] {
  return intents.map(({ sessions, requests }) => [sessions, requests.length]);
}

describe('what comes up again and again', () => {
  it('is put together whatever it is about, counted by sessions, and ranked', () => {
    const intents = intentsIn(
      ['Write the release notes for version 1.2: faster search.'],
      ['Please write release notes for version 2.0, with a new basket.'],
      ['Translate “the basket is empty” into French.'],
      ['Write release notes for version 2.1: the search is fixed.', 'Wrong. Breaking changes come first.'],
    );
    assert.deepEqual(told(intents), [
      [3, 3],
      [1, 1],
    ]);
    assert.equal(intents[0]?.corrected, 1);
    assert.match(intents[0]?.requests[0]?.asked ?? '', /2\.1/u, 'the newest first');
  });

  it('is the same work on something else where a colon stands between the two', () => {
    const asked = 'Translate this sentence for our newsletter into French:';
    const intents = intentsIn(
      [`${asked} the shop is closed on Monday.`],
      [`${asked} gift cards are back in stock.`],
      [`${asked} our warehouse moves in March.`],
      ['Write a haiku about the shop: it is closed on Monday.'],
    );
    assert.deepEqual(told(intents), [
      [3, 3],
      [1, 1],
    ]);
  });

  it('counts the same words once, and keeps those that were corrected', () => {
    const same = 'Write the release notes for the next version of the shop.';
    const [intent] = intentsIn([same], [same, 'No, that is wrong, the heading is missing.'], [`${same} `]);
    assert.equal(intent?.sessions, 3);
    assert.deepEqual(
      intent?.requests.map(({ times, corrections }) => [times, corrections.length]),
      [[3, 1]],
    );
  });

  it('names every program that the same was asked in', () => {
    const same = 'Write the release notes for the next version of the shop.';
    const sessions = (['codex', 'claude-code', 'codex'] as const).map((source, at) =>
      aSession(`in ${at}`, [same], { source, started: Date.UTC(2026, 10, 3 - at) }),
    );
    const [intent] = intentsOf(sessions.flatMap(requestsIn));
    assert.deepEqual(
      intent?.requests.map(({ times, sources }) => [times, sources]),
      [[3, ['codex', 'claude-code']]],
    );
  });

  it('is apart where different skills were loaded for it, and stays with the one that was loaded most where none was', () => {
    const [notes, review] = [['release-notes'], ['code-review']];
    const sessions = [notes, review, undefined, notes].map((skills, at) => {
      const asked = `Write release notes for the changes in version 1.${at} of the shop, with part ${'abcd'[at]}.`;
      return aSession(`loaded ${at}`, [skills === undefined ? asked : { asked, skills }]);
    });
    const skills = ['release-notes', 'code-review'].map((name) => ({ name, description: '' }));
    const intents = intentsOf(sessions.flatMap(requestsIn), loadedSkill(skills));
    const find = skillFinder(skills);
    assert.deepEqual(
      intents.map((intent) => [find(intent)?.name, intent.requests.length]),
      [
        ['release-notes', 3],
        ['code-review', 1],
      ],
    );
  });

  it('counts a session once, however often it asks', () => {
    const [intent] = intentsIn([
      'Write the release notes for version 1.2: faster search.',
      'Write the release notes for version 1.3: slower search.',
    ]);
    assert.equal(intent?.sessions, 1);
  });

  it('puts Chinese and Japanese together by their characters', () => {
    const chinese = intentsIn(
      ['写一份1.2版本的发布说明'],
      ['请写一份2.0版本的发布说明'],
      ['把这句话翻译成英文：购物车'],
    );
    assert.deepEqual(told(chinese), [
      [2, 2],
      [1, 1],
    ]);
    const japanese = intentsIn(
      ['バージョン1.2のリリースノートを書いて'],
      ['バージョン2.0のリリースノートを書いてください'],
    );
    assert.deepEqual(told(japanese), [[2, 2]]);
  });
});

describe('the skill that work belongs to', () => {
  const find = skillFinder([
    { name: 'release-notes', description: 'Writes notes about what changed in a release, breaking changes first.' },
    { name: 'translations', description: 'Translates texts of the shop into French, Spanish and German.' },
    { name: 'poems', description: 'Writes poems for birthdays.' },
  ]);
  const first = (...said: readonly Said[]): ReturnType<typeof find> => {
    const [intent] = intentsIn(said);
    return intent === undefined ? undefined : find(intent);
  };

  it('is the one that was loaded, by its name or by that of its plugin', () => {
    const asked = 'Tell me about the weather in Lima.';
    assert.deepEqual(first({ asked, skills: ['poems'] }), { name: 'poems', how: 'fired' });
    assert.deepEqual(first({ asked, skills: ['shop:release-notes'] }), { name: 'release-notes', how: 'fired' });
  });

  it('is else the nearest by its words', () => {
    assert.deepEqual(first('Write the release notes for version 1.2.'), { name: 'release-notes', how: 'near' });
    assert.deepEqual(first('Translate these texts into French and Spanish.'), { name: 'translations', how: 'near' });
  });

  it('is none where nothing is near, and a skill that is not here counts for nothing', () => {
    assert.equal(first('How far is it from Lima to Cusco by bus?'), undefined);
    assert.equal(first({ asked: 'How far is it from Lima to Cusco?', skills: ['journeys'] }), undefined);
  });
});
