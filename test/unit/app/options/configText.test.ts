import assert from 'node:assert/strict';
import { configCompletions, configHover } from '../../../../src/app/options/configHelp.js';
import { configProblems } from '../../../../src/app/options/configProblems.js';

const skills = ['skills/notes', '.claude/skills/review'];

/** The position is where “|” stands. */
function at(marked: string): readonly [text: string, offset: number] {
  return [marked.replace('|', ''), marked.indexOf('|')];
}

describe('completion in .whetstone/config.yaml', () => {
  const offered = (marked: string): readonly string[] =>
    configCompletions(...at(marked), skills).map(({ label }) => label);

  const rows: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
    ['an empty file', '|', ['train', 'train.epochs', 'concurrency', 'skills', '_base_'], ['epochs']],
    ['a part', 'train:\n  ep|', ['epochs', 'batchSize'], ['train', 'skills']],
    ['the second option of a part', 'train:\n  epochs: 2\n  |', ['batchSize'], ['budget']],
    ['the values of an option', 'gate:\n  rule: |', ['confident', 'strict', 'off'], ['hard']],
    ['the values of one by its whole name', 'gate.metric: s|', ['hard', 'soft', 'mixed'], ['off']],
    ['yes or no', 'edits:\n  code: |', ['true', 'false'], []],
    ['what is usual', 'train.epochs: |', ['4'], []],
    ['the skills', 'skills:\n  |', skills, ['train']],
    ['the options of a skill', 'skills:\n  skills/notes:\n    |', ['train', 'edits.budget'], ['skills', '_base_']],
    ['a part of a skill', 'skills:\n  skills/notes:\n    edits:\n      |', ['budget'], ['epochs']],
    ['after remarks and empty lines', '# a\ntrain:\n\n  # b\n  |', ['epochs'], ['train']],
    ['Windows lines', 'train:\r\n  |', ['epochs'], ['train']],
  ];
  for (const [name, marked, has, lacks] of rows) {
    it(`offers ${name}`, () => {
      const labels = offered(marked);
      for (const label of has) assert.ok(labels.includes(label), `${label}: ${labels.join(' ')}`);
      for (const label of lacks) assert.ok(!labels.includes(label), label);
    });
  }

  for (const marked of ['# tra|', 'train:\n  epochs: 2 # |', 'preferences: |', 'nothing:\n  |', 'a:\n  - |']) {
    it(`offers nothing of use at ${JSON.stringify(marked)}`, () => {
      assert.deepEqual(
        offered(marked).filter((label) => label !== "''"),
        [],
      );
    });
  }

  it('replaces what is written of the word', () => {
    const [first] = configCompletions(...at('train:\n  ep|'), skills);
    assert.equal(first?.start, 9);
  });
});

describe('hover in .whetstone/config.yaml', () => {
  const rows: readonly (readonly [string, RegExp | undefined])[] = [
    [
      'train:\n  epo|chs: 2\n',
      /^\*\*train\.epochs\*\*\n\nHow often .*\n\nTakes a whole number from 1 to 1000\.\n\nUsually `4` \(`quick`: 1\)\.$/,
    ],
    ['tra|in.epochs: 2\n', /train\.epochs/],
    ['skills:\n  a:\n    edits:\n      bud|get: 1\n', /edits\.budget/],
    ['tra|in:\n  epochs: 2\n', undefined],
    ['train:\n  epochs: |2\n', undefined],
    ['|', undefined],
  ];
  for (const [marked, says] of rows) {
    it(`${says === undefined ? 'says nothing' : 'explains the option'} at ${JSON.stringify(marked)}`, () => {
      const found = configHover(...at(marked));
      if (says === undefined) assert.equal(found, undefined);
      else assert.match(found?.text ?? '', says);
    });
  }
});

describe('problems in .whetstone/config.yaml', () => {
  const rows: readonly (readonly [
    name: string,
    text: string,
    found: readonly (readonly [at: string, says: RegExp])[],
  ])[] = [
    ['nothing', '# nothing\n', []],
    ['what is right', 'train: { epochs: 2 }\nedits.budget: 2\nskills:\n  skills/notes:\n    gate.metric: soft\n', []],
    ['options that need each other', 'choice.rule: shortest-not-worse\nchoice.measures: [score, skill-tokens]\n', []],
    ['an unknown option', 'train:\n  epoch: 2\n', [['epoch', /“train\.epoch”\. Did you mean “train\.epochs”\?/]]],
    ['an unknown part', 'trian:\n  epochs: 2\n', [['epochs', /“trian”\. Did you mean “train”\?/]]],
    [
      'a queue',
      'queue: redis://localhost:6379\nskills:\n  skills/notes:\n    queue.address: rediss://there:6380\n',
      [
        ['queue', /a workspace cannot say where attempts are made.*--queue or WHETSTONE_QUEUE/],
        ['queue.address', /a workspace cannot say/],
      ],
    ],
    [
      'two of them',
      'epochs: 2\ntrain:\n  seeds: 2\n',
      [
        ['epochs', /“train\.epochs”/],
        ['seeds', /“train\.seed”/],
      ],
    ],
    ['a value of another kind', 'train:\n  epochs: many\n', [['epochs', /“train\.epochs” takes a number/]]],
    ['a bound', 'train.epochs: 9999\n', [['train.epochs', /the most is 1000/]]],
    ['what does not fit together', 'edits:\n  budget: 2\n  minimum: 3\n', [['minimum', /minimum must not be above/]]],
    ['an option of a skill', 'skills:\n  skills/notes:\n    edits: { bugdet: 2 }\n', [['bugdet', /“edits\.budget”/]]],
    [
      'a skill that is not there',
      'skills:\n  skills/note:\n    train.epochs: 2\n',
      [['skills/note', /no skill “skills\/note”.*“skills\/notes”/]],
    ],
    ['broken YAML', 'train: a: b\n', [['a', /Nested mappings/]]],
    ['a list', '- a\n', [['- a', /not a list of options/]]],
    ['endless nesting', '['.repeat(20_000), [['', /nested too deeply/]]],
  ];
  for (const [name, text, expected] of rows) {
    it(`${expected.length === 0 ? 'are none with' : 'tell'} ${name}`, () => {
      const found = configProblems(text, skills);
      assert.deepEqual(found.map(({ message }) => message).length, expected.length, JSON.stringify(found));
      for (const [index, [where, says]] of expected.entries()) {
        const problem = found[index];
        assert.match(problem?.message ?? '', says);
        assert.ok(text.slice(problem?.start ?? 0, problem?.end ?? 0).startsWith(where), JSON.stringify(problem));
      }
    });
  }
});
