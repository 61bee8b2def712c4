import assert from 'node:assert/strict';
import * as z from 'zod';
import { randomFor } from '../../src/engine/random.js';
import { messagesFor } from '../../src/environments/taskMessages.js';
import { replyKey } from '../../src/models/wrappers/replyKey.js';
import { chanceOf, keyOf } from '../../src/simulated/chance.js';
import type { AttemptRequest } from '../../src/ports/environment.js';
import type { ModelRequest } from '../../src/ports/languageModel.js';
import { fence } from '../../src/prompts/renderPrompt.js';
import { placeholderFor } from '../../src/redaction/redactor.js';
import { fingerprintNight } from '../../src/schedule/preconditions.js';
import { skillKey } from '../../src/skill/document/fingerprint.js';
import { sealedJson } from '../../src/storage/files/sealedJson.js';
import { canonicalJson, sha256 } from '../../src/hash.js';
import { chainStart, nextLine } from '../../src/storage/runs/readJournal.js';
import { seal } from '../../src/storage/files/sealedFile.js';
import { keyFrom } from '../../src/storage/state/stateKey.js';
import { canonicalHash, hashOfBytes } from '../../src/tasks/canonicalHash.js';
import { makeTask, publicHashOf, textHashOf } from '../../src/tasks/makeTask.js';
import { osPlaces } from '../../src/app/osSchedule/installedSchedule.js';
import { aTrainingTask } from '../builders/aTask.js';
import { MemoryFiles } from '../fakes/MemoryFiles.js';

/** Keys that look like the index of a list, `__proto__`, other scripts, half a pair of surrogates, nested lists. */
const tricky: Readonly<Record<string, unknown>> = {
  ...JSON.parse(
    '{"b":[1,[2,[]],{"z":null,"a":true}],"10":"ten","9":"nine","-1":"minus","01":"no index","\\u00e9":"e\\u0301 \\u2638 \\ud83d\\ude00","A":"\\u0000\\u2028\\ud800","a":{}}',
  ),
  own: JSON.parse('{"__proto__":{"constructor":1},"2":0,"10":1,"1":2}'),
  zero: -0,
  nothing: undefined,
  numbers: [undefined, -0, 1e21, 1e-7, 0.1],
};

const key = keyFrom('7e57'.repeat(16));
const identity = { provider: 'p', endpoint: 'e', model: 'm', simulated: false };
const request: ModelRequest = {
  role: 'target',
  messages: [
    { role: 'system', content: 'Be brief. \u2638' },
    { role: 'user', content: 'How?' },
  ],
  maxOutputTokens: 100,
  tools: [{ name: 'look', description: 'Looks.', parameters: tricky }],
  replySchema: { name: 's', schema: tricky },
  dependsOn: ['fixture'],
  attempt: 3,
};
const task = {
  id: 't1',
  prompt: 'Write \u00e9.',
  context: 'In \ud83d\ude00.',
  files: ['b.md', 'a.md'],
  expectations: ['two', 'one'],
  references: ['r'],
  checks: [{ check: 'json', hidden: false, arguments: tricky }],
  tools: [{ name: 'look', description: 'Looks.', parameters: tricky, result: 'seen' }],
  tags: ['x'],
};

/** What was worked out once and written to disk: each of these changes what people have stored. */
const golden: readonly (readonly [what: string, found: () => unknown, wanted: unknown])[] = [
  [
    'the text that is sealed',
    () => sealedJson(tricky),
    '{"9":"nine","10":"ten","-1":"minus","01":"no index","A":"\\u0000\u2028\\ud800","a":{},"b":[1,[2,[]],{"a":true,"z":null}],"numbers":[null,0,1e+21,1e-7,0.1],"own":{"1":2,"2":0,"10":1,"__proto__":{"constructor":1}},"zero":0,"\u00e9":"e\u0301 \u2638 \ud83d\ude00"}',
  ],
  [
    'the text that a task is hashed by',
    () => canonicalJson(tricky),
    '{"-1":"minus","01":"no index","10":"ten","9":"nine","A":"\\u0000\u2028\\ud800","a":{},"b":[1,[2,[]],{"a":true,"z":null}],"numbers":[null,0,1e+21,1e-7,0.1],"own":{"1":2,"10":1,"2":0,"__proto__":{"constructor":1}},"zero":0,"\u00e9":"e\u0301 \u2638 \ud83d\ude00"}',
  ],
  ['a task text of a number that JSON has not', () => canonicalJson({ n: Number.NaN, u: undefined }), '{"n":null}'],
  ['a task text of nothing', () => canonicalJson(undefined), 'null'],
  ['the short hash of a value', () => canonicalHash(tricky), '0329023f1d0e8042d7e3d037b865f19f'],
  ['the short hash of bytes', () => hashOfBytes(Buffer.from('caf\u00e9')), '850f7dc43910ff890f8879c0ed26fe69'],
  [
    'the hash of a text in storage',
    () => sha256('caf\u00e9 \u2638'),
    '2098f7ec56949b58e0e492c02f2fb11535005d522da4d36ab7afb8e7c19528a5',
  ],
  [
    'the hash of bytes in storage',
    () => sha256(Buffer.from([0, 255, 13, 10])),
    'e9489f37fb3051e9efa1dc916004d7274e7b63975e3209708947267f2393a9be',
  ],
  [
    'the hash of a skill',
    () => sha256('---\r\nname: caf\u00e9\r\n---\r\n'),
    '47f94e04c85f801ec0a32c6ee4a5ceaa79d872d454b8ce5d4c4cd59cd64f99e1',
  ],
  [
    'the hash of half a pair of surrogates',
    () => [sha256('\ud800'), sha256('\ud800')],
    [
      '83d544ccc223c057d2bf80d3f2a32982c32c3c0db8e2674820da5064783fb097',
      '83d544ccc223c057d2bf80d3f2a32982c32c3c0db8e2674820da5064783fb097',
    ],
  ],
  ['the key of a skill', () => skillKey('.claude/skills/caf\u00e9/SKILL.md'), '6fa9f71d9e131def'],
  [
    'the key of a skill, its accents apart',
    () => skillKey('./.claude\\skills\\cafe\u0301//SKILL.md'),
    '6fa9f71d9e131def',
  ],
  [
    'the name of a reply',
    () => replyKey(identity, request),
    '9c022be5f75644b3bfa0c7cbb8f315de3717e8b6ce6855be31820261c6fb5edf',
  ],
  [
    'the name of a reply under options',
    () => replyKey({ ...identity, options: 'o=1' }, request, tricky),
    'b7756ff916f1d772a99985868441dc85d5f0822edfe43183ac1b8b5dc6616ee0',
  ],
  ['the content hash of a task', () => makeTask(task).contentHash, '5095564416326096ba2b7bcb13489220'],
  [
    'the public hash of a task',
    () => publicHashOf(makeTask({ ...task, expectedOutput: 'out' })),
    'c7aa543defae3c88d29e596eacda1d6f',
  ],
  ['the text hash of a task', () => textHashOf(makeTask(task)), '6993bb009e03e212070f5d3402b3ad5c'],
  ['the MAC of a text', () => key.mac('caf\u00e9'), 'fff5a9f0e6d9f8a04016a535eadaa86bae2a11e1f19c94880810b5fcf3061407'],
  [
    'a sealed file',
    () => seal(sealing, tricky),
    '{\n "9": "nine",\n "10": "ten",\n "format": "whetstone-test",\n "version": 1,\n "-1": "minus",\n "01": "no index",\n "A": "\\u0000\u2028\\ud800",\n "a": {},\n "b": [\n  1,\n  [\n   2,\n   []\n  ],\n  {\n   "a": true,\n   "z": null\n  }\n ],\n "numbers": [\n  null,\n  0,\n  1e+21,\n  1e-7,\n  0.1\n ],\n "own": {\n  "1": 2,\n  "2": 0,\n  "10": 1,\n  "__proto__": {\n   "constructor": 1\n  }\n },\n "zero": 0,\n "\u00e9": "e\u0301 \u2638 \ud83d\ude00",\n "mac": "7d9e375d4d07dac610a4b6a5bef5bbfb3d52ec8f36d72bc080768c2baff0e1ae"\n}\n',
  ],
  [
    'the start of a journal',
    () => chainStart(key, '20260105-020000-abcdef'),
    '2c4ff451c1cceea897eda5b022cfe4732b22eb838ef68adef789433d4013ab70',
  ],
  [
    'a line of a journal',
    () => nextLine(key, '00', { seq: 1, at: 2, event: tricky }).mac,
    '2ce15e543ded3b5c760364b20ad13ac3d9ff1b86f832796560e0cdb873f99f59',
  ],
  ['the id of a schedule', () => osPlaces('/state', ['/b', '/a']).id, '920e11363833'],
  ['the fingerprint of a night', () => fingerprintNight(night), '["a","b","{\\"target\\":\\"m\\"}","c","d"]'],
  ['the draws of a seed', () => draws(), [0.37510125432163477, 0.2504157687071711, 0.38997758203186095]],
  ['the draws of the simulated model', () => chanceOf(keyOf(1, '\u2638', tricky)).digits('label', 12), '9ce9a82b197d'],
  ['the fence around a text', () => fence('skill', 'a ``` b'), '````skill-b8d09ab8f3d0\na ``` b\n````'],
  ['the placeholder of a secret', () => placeholderFor('token', 'secret \u2638', 'key'), 'REDACTED_token_1e98a77fd43e'],
];

describe('what is stored under a hash', () => {
  for (const [what, found, wanted] of golden) {
    it(`is found again by ${what}`, () => assert.deepEqual(found(), wanted));
  }

  it('is found again by the fixtures that an answer depends on', async () => {
    const files = new MemoryFiles({ '/skill/a.md': 'one', '/skill/b.md': 'two \u2638' });
    const sources = { files, folder: '/skill', prompts: new Map(), references: new Map() };
    const attempt: AttemptRequest = {
      task: aTrainingTask({ files: ['b.md', 'a.md'] }),
      skill: 'Text.',
      memory: undefined,
      phase: 'training',
      seed: 42,
      attempt: 1,
      family: '',
    };
    const found = await messagesFor(attempt, sources, new AbortController().signal);
    assert.equal(
      found.kind === 'messages' ? found.fixtureHash : found.reason,
      '8e56b728961dff30524d6fb3f8a493eeb3d801274b2c2072e2882f829a67ce30',
    );
  });
});

const sealing = {
  key,
  format: { format: 'whetstone-test', version: 1, schema: z.record(z.string(), z.unknown()) },
  about: 'skill 0123456789abcdef',
};

const night = { skillHash: 'a', tasksHash: 'b', modelId: '{"target":"m"}', optionsHash: 'c', besideHash: 'd' };

function draws(): readonly number[] {
  const random = randomFor('split', 42, '\u2638');
  return [random(), random(), random()];
}
