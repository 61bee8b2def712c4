import assert from 'node:assert/strict';
import type { Session, SessionPlace } from '../../../src/harvest/session.js';
import { nothingCounted, readFixture } from './readFixture.js';
import { shopSession, sources } from './shopSessions.js';

for (const told of sources) {
  const { source } = told;
  const read = (file: string, more: SessionPlace = {}): Promise<Session> =>
    readFixture(source, `${file}.jsonl`, { ...told.place, ...more });
  const [tool = ''] = told.tools.slice(-1);

  describe(`a session of ${source}`, () => {
    it('has what was asked and answered, names of tools and skills, and what the person said of it', async () => {
      assert.deepEqual(await read('normal'), shopSession(told));
    });

    it('goes on after lines and entries that are broken or unknown, and counts them', async () => {
      const { exchanges, counts } = await read('broken');
      assert.deepEqual(
        exchanges.map(({ asked, answer, tools }) => ({ asked, answer, tools })),
        [{ asked: 'List the open questions.', answer: 'There are two.', tools: [tool] }],
      );
      const broken = source === 'opencode' ? { unknown: 1, broken: 1, tooLong: 1 } : { unknown: 1, broken: 3 };
      assert.deepEqual(counts, { ...nothingCounted, ...broken });
    });

    it('says which folder it is of', async () => {
      const { folder } = await read('other-project', told.place === undefined ? {} : { folder: '/home/user/other' });
      assert.equal(folder, '/home/user/other');
    });

    it('is known as one of our own calls', async () => {
      assert.equal((await read('own-call')).kind, 'own-call');
    });

    it('holds secrets that were said, and nothing that a tool was given or gave back, nor thoughts', async () => {
      const session = await read('secrets');
      const key = 'AKIAIOSFODNN7EXAMPLE';
      assert.deepEqual(
        session.exchanges.map(({ asked, answer, tools }) => ({ asked, answer, tools })),
        [{ asked: `Rotate the key ${key} in the config.`, answer: `I replaced ${key}.`, tools: [tool] }],
      );
      const all = [session, await read('normal')].map((each) => JSON.stringify(each)).join('\n');
      for (const hidden of ['ARGUMENT-ONLY-7c1f', 'OUTPUT-ONLY-9d2e', 'THOUGHT-ONLY-3b4a', 'git status', 'round.py'])
        assert.ok(!all.includes(hidden), hidden);
    });

    it('may be in Chinese', async () => {
      const { exchanges } = await read('chinese');
      assert.deepEqual(
        exchanges.map(({ asked, answer, feedback }) => [asked, answer, feedback?.tone]),
        [
          ['为四舍五入的修复写一条变更日志。', '已在未发布一节加入一条。', 'negative'],
          ['还是不对，请写出函数名。', '现在写的是 round_total。', undefined],
        ],
      );
    });
  });
}
