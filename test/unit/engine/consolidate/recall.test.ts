import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/tasks/steps.js';
import { recallSimilar } from '../../../../src/engine/consolidate/trainingTasks.js';
import type { SplitTasks, Task } from '../../../../src/tasks/task.js';
import { aHeldOutTask, aSealedTask, aTask, aTrainingTask } from '../../../builders/aTask.js';

function splitOf(parts: Partial<SplitTasks>): SplitTasks {
  return { training: [], heldOut: [], sealed: [], setAside: [], ...parts };
}

function recalled(
  archive: readonly Task[],
  split: Partial<SplitTasks>,
  more: { readonly most?: number; readonly present?: readonly Task[] } = {},
): readonly string[] {
  const input = { archive, split: splitOf(split), present: more.present ?? [] };
  return atOnce(recallSimilar(input, more.most ?? 3)).map(({ id }) => id);
}

const languages = [
  {
    name: 'English',
    tonight: 'Summarise the outage of the payment service for the customers.',
    like: 'Summarise the outage of the login service for the support team.',
    unlike: 'Write a poem on spring.',
  },
  {
    name: 'Chinese',
    tonight: '请为客户总结支付服务的故障。',
    like: '请为支持团队总结登录服务的故障。',
    unlike: '写一首关于春天的诗歌吧。',
  },
  {
    name: 'Japanese',
    tonight: '決済サービスの障害を顧客向けに要約してください。',
    like: 'ログインサービスの障害を要約してください。',
    unlike: '春の歌を書いて。',
  },
  {
    name: 'Korean',
    tonight: '고객을 위해 결제 서비스 장애를 요약해 주세요.',
    like: '지원팀을 위해 로그인 서비스 장애를 요약해 주세요.',
    unlike: '봄에 관한 시 한 편.',
  },
  {
    name: 'Cyrillic',
    tonight: 'Опиши сбой платёжного сервиса для клиентов.',
    like: 'Опиши сбой сервиса входа для поддержки.',
    unlike: 'Напиши стихи о весне.',
  },
];

describe('recall of past tasks', () => {
  for (const { name, tonight, like, unlike } of languages) {
    it(`puts the likest first in ${name}`, () => {
      const archive = [aTask({ id: 'unlike', prompt: unlike }), aTask({ id: 'like', prompt: like })];
      const ids = recalled(archive, { training: [aTrainingTask({ prompt: tonight })] });
      assert.equal(ids[0], 'recall:like');
    });
  }

  it('gives at most as many as are wanted, the same in any order of the archive', () => {
    const archive = Array.from({ length: 9 }, (_, index) =>
      aTask({ id: `t${index}`, prompt: `Report on the ${['red', 'blue', 'green'][index % 3]} pump number ${index}.` }),
    );
    const training = [aTrainingTask({ prompt: 'Report on the green pump of hall 5.' })];
    const one = recalled(archive, { training }, { most: 2 });
    assert.equal(one.length, 2);
    assert.deepEqual(recalled(archive.toReversed(), { training }, { most: 2 }), one);
  });

  it('gives a task once, however often it was archived with other checks', () => {
    const prompt = 'Report on the pump of hall 5.';
    const archive = [aTask({ id: 'a', prompt }), aTask({ id: 'a', prompt, checks: [] })];
    assert.equal(
      recalled(archive, { training: [aTrainingTask({ prompt: 'Report on the pump of hall 6 and 7.' })] }).length,
      1,
    );
  });

  const training = [aTrainingTask({ id: 'tonight', prompt: 'Report on the pump of hall 6.' })];
  const past = aTask({ id: 'past', prompt: 'Report on the pump of hall 5 before noon today.' });
  const kept: readonly {
    readonly name: string;
    readonly split: Partial<SplitTasks>;
    readonly present?: readonly Task[];
  }[] = [
    { name: 'is held out now', split: { heldOut: [aHeldOutTask({ id: 'h', prompt: past.prompt })] } },
    { name: 'is sealed now', split: { sealed: [aSealedTask({ id: 's', prompt: past.prompt })] } },
    {
      name: 'has almost the text of a held-out task',
      split: { heldOut: [aHeldOutTask({ id: 'h', prompt: `Hello. ${past.prompt}` })] },
    },
    { name: 'was set aside', split: { setAside: [{ task: aTask({ prompt: past.prompt }), reason: '' }] } },
    { name: 'was disabled by the person', split: {}, present: [aTask({ prompt: past.prompt, enabled: false })] },
  ];
  for (const { name, split, present } of kept) {
    it(`never brings back a task that ${name}`, () => {
      assert.deepEqual(recalled([past], { training, ...split }, { present: present ?? [] }), []);
    });
  }

  it('never brings back a task of one origin with a held-out task', () => {
    const archive = [aTask({ id: 'past', prompt: 'Report on the pump of hall 5.', origin: 'session-9' })];
    const heldOut = [aHeldOutTask({ prompt: 'Order new filters.', origin: 'session-9' })];
    assert.deepEqual(recalled(archive, { training, heldOut }), []);
  });

  it('brings back nothing that has no word in common with tonight', () => {
    assert.deepEqual(recalled([aTask({ prompt: 'xylophone' })], { training }), []);
  });
});
