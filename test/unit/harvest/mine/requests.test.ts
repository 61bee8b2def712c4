import assert from 'node:assert/strict';
import { needsFiles } from '../../../../src/harvest/mine/needsFiles.js';
import { isEmptied, requestsIn } from '../../../../src/harvest/mine/requests.js';
import { aSession, type Said } from '../../../builders/someSessions.js';

function askedIn(...said: readonly Said[]): readonly string[] {
  return requestsIn(aSession('one', said)).map(({ asked }) => asked);
}

describe('what of a session can be asked again', () => {
  it('is a request that says all it needs, and not what only goes on with it', () => {
    assert.deepEqual(
      askedIn(
        'Write release notes for version 1.2 of the shop: faster search, new basket.',
        'and also mention the new logo',
        'Now do it in German',
        'continue',
        'ok',
        'Translate “the basket is empty” into French and Spanish.',
      ),
      [
        'Write release notes for version 1.2 of the shop: faster search, new basket.',
        'Translate “the basket is empty” into French and Spanish.',
      ],
    );
  });

  it('takes a first message that only goes on with another session for none', () => {
    assert.deepEqual(askedIn('Continue where we stopped yesterday with the migration'), []);
    assert.deepEqual(askedIn('继续昨天没有做完的迁移工作'), []);
  });

  it('takes no remark for a request, also where what it is on was not kept', () => {
    const remark = 'That is wrong, CHG_AOUT impact first.';
    assert.deepEqual(askedIn(remark), []);
    const late = 'The heading is wrong, name the impact first.';
    assert.deepEqual(askedIn({ asked: late, goesOn: true }), []);
    assert.deepEqual(askedIn(late), [late], 'a session may begin with what is wrong');
  });

  it('leaves out what was little more than a secret', () => {
    const key = 'REDACTED_aws-key_0123456789ab';
    const emptied = [`here is my key: ${key}`, `My password for the shop is ${key}.`, `${key} ${key}`, `密码是${key}`];
    for (const asked of emptied) assert.deepEqual([askedIn(asked), isEmptied({ asked })], [[], true], asked);
    const kept = [`Rotate the key ${key} in the config.`, 'Write about REDACTED_ signs in logs of servers.'];
    for (const asked of kept) assert.deepEqual([askedIn(asked), isEmptied({ asked })], [[asked], false], asked);
  });

  it('leaves out what a program asked, and what is too long to be reviewed', () => {
    const long = 'word '.repeat(900);
    assert.deepEqual(askedIn({ asked: 'Write the nightly report on the builds.', by: 'program' }, { asked: long }), []);
  });

  it('keeps what the person said of answers as corrections, as long as they were not content', () => {
    const [request, ...others] = requestsIn(
      aSession('one', [
        'Write release notes for version 1.2 of the shop.',
        'No, that is wrong. Breaking changes must come first.',
        'Still not right, the heading is missing.',
        'Thanks, perfect.',
        'Describe the new basket in one sentence for the shop window.',
      ]),
    );
    assert.deepEqual(request?.corrections, [
      'No, that is wrong. Breaking changes must come first.',
      'Still not right, the heading is missing.',
    ]);
    assert.deepEqual(
      others.map(({ asked }) => asked),
      ['Describe the new basket in one sentence for the shop window.'],
    );
  });

  it('reads Chinese and Japanese, whose words are short', () => {
    assert.deepEqual(
      askedIn('写一份1.2版本的发布说明', '不对，重大变更要放在最前面', '翻译这句话成英文：购物车是空的'),
      ['写一份1.2版本的发布说明', '翻译这句话成英文：购物车是空的'],
    );
    assert.deepEqual(askedIn('リリースノートを書いてください'), ['リリースノートを書いてください']);
  });
});

describe('whether a request needs files', () => {
  const plain = { tools: [], skills: [] };
  const aboutFiles = [
    'Fix the bug in src/basket.ts',
    'Why does ./build.sh fail?',
    'Look at @shop/basket and explain it',
    'Refactor this function so that it is shorter',
    'Rename the class in our repo',
    'Was macht diese Datei?',
    'Corrige ce fichier',
    'Explica este archivo',
    '解释一下这个文件',
    'このファイルを説明して',
    'Open C:\\shop\\basket.cs',
    'Update package.json',
  ];
  for (const asked of aboutFiles)
    it(`says yes to “${asked}”`, () => assert.equal(needsFiles({ asked, ...plain }), true));

  const plainOnes = [
    'Write release notes for version 1.2: faster search and a new basket.',
    'Translate “the file is missing” into French.',
    'What is the capital of Peru, and since when?',
    '写一份发布说明',
  ];
  for (const asked of plainOnes)
    it(`says no to “${asked}”`, () => assert.equal(needsFiles({ asked, ...plain }), false));

  it('goes by the tools that were used, but for the one that loaded the skill', () => {
    const asked = 'Write release notes for version 1.2.';
    assert.equal(needsFiles({ asked, tools: ['Edit'], skills: [] }), true);
    assert.equal(needsFiles({ asked, tools: ['copilot_readFile', 'read_file'], skills: ['notes'] }), true);
    assert.equal(needsFiles({ asked, tools: ['Read'], skills: ['notes'] }), false);
    assert.equal(needsFiles({ asked, tools: ['TodoWrite', 'WebFetch', 'Skill'], skills: ['notes'] }), false);
  });
});
