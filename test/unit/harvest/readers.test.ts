import assert from 'node:assert/strict';
import type { Session, SessionPlace } from '../../../src/harvest/session.js';
import { readFixture } from './readFixture.js';
import { shopSession, sources } from './shopSessions.js';
import { stories, storySession, type Story } from './storySessions.js';

const told: Readonly<Record<Story, string>> = {
  broken: 'goes on after lines and entries that are broken or unknown, and counts them',
  chinese: 'may be in Chinese',
  'other-project': 'says which folder it is of',
  'own-call': 'is known as one of our own calls',
  secrets: 'holds secrets that were said',
};

for (const source of sources) {
  const read = (file: string, more: SessionPlace = {}): Promise<Session> =>
    readFixture(source.source, `${file}.jsonl`, { ...source.place, ...more });

  describe(`a session of ${source.source}`, () => {
    it('has what was asked and answered, names of tools and skills, and what the person said of it', async () => {
      assert.deepEqual(await read('normal'), shopSession(source));
    });

    for (const story of stories)
      it(told[story], async () => {
        const isElsewhere = story === 'other-project' && source.place !== undefined;
        const session = await read(story, isElsewhere ? { folder: '/home/user/other' } : {});
        assert.deepEqual(session, storySession(source, story));
      });

    it('holds nothing that a tool was given or gave back, nor thoughts', async () => {
      const all = [await read('secrets'), await read('normal')].map((each) => JSON.stringify(each)).join('\n');
      for (const hidden of ['ARGUMENT-ONLY-7c1f', 'OUTPUT-ONLY-9d2e', 'THOUGHT-ONLY-3b4a', 'git status', 'round.py'])
        assert.ok(!all.includes(hidden), hidden);
    });
  });
}
