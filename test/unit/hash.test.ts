import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { randomFor } from '../../src/engine/random.js';
import { canonicalJson, sha256 } from '../../src/hash.js';
import { replyKey } from '../../src/models/wrappers/replyKey.js';
import { chanceOf, keyOf } from '../../src/simulated/chance.js';
import { fence } from '../../src/prompts/renderPrompt.js';
import { sealedJson } from '../../src/storage/files/sealedJson.js';
import { canonicalHash, hashOfBytes } from '../../src/tasks/canonicalHash.js';
import { makeTask, publicHashOf, textHashOf } from '../../src/tasks/makeTask.js';
import { aRequest } from '../fakes/ScriptedModel.js';

// Names that an object lists out of order, that it takes for its prototype, and that are empty.
const odd = JSON.parse(
  '{"b":1,"10":[],"9":{"__proto__":{"2":true,"1":null}},"__proto__":"x","a":"\\u00e9\\ud800","":0}',
);
const parameters = JSON.parse('{"type":"object","properties":{"10":{},"9":{},"__proto__":{"b":1,"a":2}}}');

describe('sha256', () => {
  it('takes a text as its UTF-8 bytes', () => {
    assert.equal(sha256(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    assert.equal(sha256('é'), '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c');
    assert.equal(sha256(Uint8Array.of(0xc3, 0xa9)), sha256('é'));
  });

  it('tells texts apart by their line breaks and byte order mark', () => {
    assert.equal(new Set(['a\n', 'a\r\n', 'a', '\uFEFFa'].map(sha256)).size, 4);
  });
});

describe('canonical JSON', () => {
  it('orders all names by code unit, integers and __proto__ among them', () => {
    assert.equal(
      canonicalJson(odd),
      '{"":0,"10":[],"9":{"__proto__":{"1":null,"2":true}},"__proto__":"x","a":"é\\ud800","b":1}',
    );
  });

  it('leaves undefined members out, and writes null for what JSON cannot say', () => {
    assert.equal(canonicalJson({ a: undefined, b: [undefined, Number.NaN] }), '{"b":[null,null]}');
  });

  it('reads back as the value, whatever order its names came in', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
        assert.equal(canonicalJson(reversed(JSON.parse(text))), text);
      }),
    );
  });

  it('is what sealed files sign too, but for names that are integers', () => {
    assert.equal(
      sealedJson(odd),
      '{"9":{"__proto__":{"1":null,"2":true}},"10":[],"":0,"__proto__":"x","a":"é\\ud800","b":1}',
    );
    const named = fc.letrec((tie) => ({
      value: fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 3 }),
      object: fc.dictionary(
        fc.string().filter((name) => !/^\d+$/.test(name)),
        tie('value'),
        { maxKeys: 4 },
      ),
    }));
    fc.assert(fc.property(named.value, (value) => assert.equal(sealedJson(value), canonicalJson(value))));
  });
});

describe('every hash that is stored', () => {
  const identity = { provider: 'p', endpoint: 'e', model: 'm', simulated: false };
  const task = makeTask({
    id: 'x',
    prompt: 'p',
    checks: [{ check: 'json-schema', hidden: false, arguments: odd }],
    tools: [{ name: 't', description: 'd', parameters, result: 'r' }],
  });
  const table: readonly (readonly [name: string, now: unknown, written: unknown])[] = [
    ['a value', canonicalHash(odd), '1200c91357a15f85e4979bcae5b01a03'],
    ['a file', hashOfBytes(Uint8Array.of(0, 255, 10)), '712450d3c4a79eea9509e75dc1dacdef'],
    [
      'a request',
      replyKey(identity, aRequest({ tools: [{ name: 't', description: 'd', parameters }] }), {
        '2': 1,
        '10': 2,
        b: undefined,
      }),
      '17a3e71f6e5ce5d3871a7aac0f1bc557f5aaab0aa279047d3f410bfc08bbdec0',
    ],
    ['a task', task.contentHash, '1b246940f138b9bceb6370f2ec900baa'],
    ['the public part of a task', publicHashOf(task), 'ba4b7ba77867c6db602bdc2631275280'],
    ['the text of a task', textHashOf(task), 'c675f78c434c1b5e7f8af8c88c606033'],
    ['a stream of numbers', numbersOf(randomFor('gate', 7, 'é')), [0.02667052182368934, 0.3665351236704737]],
    ['a fence', fence('data', 'a`b'), '```data-ad22532e8ec7\na`b\n```'],
    ['a chance', chanceOf('key').fraction('l'), 0.9036584656595537],
    ['a key', keyOf('a', 1, null), '0ae764bffd3a17b6454c8d9ebf712311d9b92efce67a4e4ea4f095fc05ed0122'],
  ];
  for (const [name, now, written] of table) it(`stays as it is: ${name}`, () => assert.deepEqual(now, written));
});

function numbersOf(random: () => number): readonly number[] {
  return [random(), random()];
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)] as const);
  return Object.fromEntries(members.toReversed());
}
