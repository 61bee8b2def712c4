import assert from 'node:assert/strict';
import process from 'node:process';
import { UserError } from '../../../src/errors.js';
import { longestPreferences, optionBounds } from '../../../src/engine/optionBounds.js';
import { layerOfSetting, presetNames, resolveOptions, RunOptions } from '../../../src/engine/runOptions.js';
import { upstreamNames } from '../../../src/engine/wrongValue.js';

describe('run options', () => {
  it('default to the paper’s trainer where the design says nothing else', () => {
    const { train, reflect, merge, edits, gate } = RunOptions.parse({});
    assert.deepEqual(
      { ...train, ...reflect, mergeBatch: merge.batchSize, ...edits, metric: gate.metric, weight: gate.mixedWeight },
      {
        epochs: 4,
        batchSize: 40,
        accumulation: 1,
        attempts: 1,
        seed: 42,
        minibatchSize: 8,
        analysts: 16,
        failureOnly: false,
        contrastTasks: 6,
        skillAware: false,
        reminders: 20,
        trajectoryTokens: 8_000,
        mergeBatch: 8,
        budget: 4,
        minimum: 2,
        schedule: 'cosine',
        control: 'fixed',
        scope: 'body',
        code: false,
        growth: 8,
        mode: 'patch',
        metric: 'hard',
        weight: 0.5,
      },
    );
  });

  it('know three presets, and the paper’s is its protocol: its rule and every stage of it, and no patience', () => {
    assert.deepEqual(presetNames, ['quick', 'standard', 'paper']);
    const { train, reflect, merge, edits, gate, stop, slowUpdate, metaSkill, choice } = resolveOptions('paper', []);
    assert.deepEqual([train.epochs, train.batchSize, reflect.minibatchSize, merge.batchSize], [4, 40, 8, 8]);
    assert.deepEqual([edits.budget, edits.minimum, edits.schedule, gate.metric], [4, 2, 'cosine', 'hard']);
    assert.deepEqual([gate.rule, gate.attribution, choice.measures], ['strict', false, ['score']]);
    assert.deepEqual([train.accumulation, edits.mode, edits.control, reflect.skillAware], [1, 'patch', 'fixed', false]);
    assert.deepEqual([slowUpdate, metaSkill.on], [{ on: true, samples: 20, pairs: 'mixed' }, true]);
    assert.ok(stop.patience > train.epochs * 100);
    const quick = resolveOptions('quick', []);
    assert.deepEqual([quick.train.epochs, quick.gate.attribution], [1, false]);
    assert.equal(resolveOptions('standard', []).gate.attribution, true);
  });

  it('let the stronger layer win, one option at a time', () => {
    const layers = [
      { train: { epochs: 7, seed: 1 }, gate: { rule: 'strict' } },
      { train: { epochs: 8 } },
      layerOfSetting('train.epochs=9'),
    ];
    const { train, gate } = resolveOptions('quick', layers);
    assert.deepEqual([train.epochs, train.seed, gate.rule, gate.attribution], [9, 1, 'strict', false]);
  });

  it('read a setting as JSON where it is JSON, as text where it is not', () => {
    assert.deepEqual(layerOfSetting('train.epochs=2'), { train: { epochs: 2 } });
    assert.deepEqual(layerOfSetting('gate.rule=strict'), { gate: { rule: 'strict' } });
    assert.deepEqual(layerOfSetting('reflect.failureOnly=true'), { reflect: { failureOnly: true } });
    assert.deepEqual(layerOfSetting('preferences=a=b'), { preferences: 'a=b' });
    assert.deepEqual(layerOfSetting('preferences=a, b'), { preferences: 'a, b' });
    const list = { choice: { measures: ['score', 'skill-tokens'] } };
    assert.deepEqual(layerOfSetting('choice.measures=score, skill-tokens'), list);
    assert.deepEqual(layerOfSetting('choice.measures=["score","skill-tokens"]'), list);
    assert.throws(() => layerOfSetting('train.epochs'), refusal(/not of the form name=value/));
  });

  const budgets: readonly (readonly [name: string, layers: readonly object[], minimum: number])[] = [
    ['alone', [layerOfSetting('edits.budget=1')], 1],
    ['above the usual minimum', [layerOfSetting('edits.budget=9')], 2],
    ['over a minimum of the workspace', [{ edits: { minimum: 3 } }, layerOfSetting('edits.budget=1')], 1],
    ['under a minimum of its own', [layerOfSetting('edits.budget=3'), layerOfSetting('edits.minimum=3')], 3],
  ];
  for (const [name, layers, minimum] of budgets) {
    for (const preset of presetNames) {
      it(`take an edit budget that is stated ${name} (${preset})`, () => {
        assert.equal(
          resolveOptions(
            preset,
            layers.map((layer) => ({ ...layer })),
          ).edits.minimum,
          minimum,
        );
      });
    }
  }

  it('refuse a minimum above a budget that was stated before it', () => {
    const layers = [layerOfSetting('edits.budget=1'), layerOfSetting('edits.minimum=2')];
    assert.throws(() => resolveOptions('standard', layers), refusal(/edits\.minimum.*must not be above/));
  });

  const refused: readonly (readonly [name: string, layer: Readonly<Record<string, unknown>>, says: RegExp])[] = [
    ['no epoch', { train: { epochs: 0 } }, /train\.epochs/],
    [
      'a choice by more than the score under the strict rule',
      { choice: { measures: ['score', 'skill-tokens'] }, gate: { rule: 'strict' } },
      /“choice\.measures” is not right: under gate\.rule strict .* needs gate\.rule confident/,
    ],
    [
      'a choice by more than the score with the gate off',
      { choice: { measures: ['score', 'answer-time'] }, gate: { rule: 'off' } },
      /“choice\.measures” .* needs gate\.rule confident/,
    ],
    ['a choice without the score', { choice: { measures: ['skill-tokens'] } }, /the score must be among the measures/],
    [
      'a rule of choice without anything to choose by',
      { choice: { rule: 'shortest-not-worse' } },
      /“choice\.rule” .* a measure beside the score/,
    ],
    [
      'a rule of choice whose measure is none of the measures',
      { choice: { measures: ['score', 'skill-tokens'], rule: 'fastest-at-best-score' } },
      /“choice\.rule” is fastest-at-best-score, which chooses by answer-time, and “choice\.measures” lacks it\./,
    ],
    ['a number for a group', { train: 3 }, /“train” is no option but a group of them: .* such as train\.epochs\./],
    ['a group without defaults', { caps: 3 }, /“caps” is no option but a group .* such as caps\.calls\./],
    [
      'one value for a list',
      { choice: { measures: 3 } },
      /“choice\.measures” takes a list, such as choice\.measures=score,skill-tokens\./,
    ],
    [
      'a list with a value nobody knows',
      { choice: { measures: ['score', 'skil-tokens'] } },
      /“choice\.measures” takes a list of these: score, skill-tokens, answer-tokens, answer-time\./,
    ],
    ['a value nobody knows', { gate: { rule: 'lax' } }, /“gate\.rule” takes one of these: confident, strict, off\./],
    ['a word for a number', { train: { epochs: 'many' } }, /“train\.epochs” takes a (?:whole )?number\./],
    ['a number for a yes', { slowUpdate: { on: 1 } }, /“slowUpdate\.on” takes true or false\./],
    ['too little', { train: { epochs: 0 } }, /“train\.epochs” must be at least 1\./],
    ['a word for a bound', { gate: { attributionCalls: 'x' } }, /it takes a whole number above 0, or “unbounded”/],
    ['an empty batch', { train: { batchSize: 0 } }, /train\.batchSize/],
    ['no attempt', { train: { attempts: 0 } }, /train\.attempts/],
    ['an empty minibatch', { reflect: { minibatchSize: 0 } }, /reflect\.minibatchSize/],
    ['no analyst', { reflect: { analysts: 0 } }, /reflect\.analysts/],
    ['a merge of one', { merge: { batchSize: 1 } }, /merge\.batchSize/],
    ['an edit budget of nothing', { edits: { budget: 0 } }, /edits\.budget/],
    ['a minimum of nothing', { edits: { minimum: 0 } }, /edits\.minimum/],
    ['a minimum above the budget', { edits: { budget: 2, minimum: 3 } }, /edits\.minimum.*must not be above/],
    ['a weight above one', { gate: { mixedWeight: 1.5 } }, /gate\.mixedWeight/],
    ['a weight below zero', { gate: { mixedWeight: -0.1 } }, /gate\.mixedWeight/],
    ['half an epoch', { train: { epochs: 1.5 } }, /train\.epochs/],
    ['a cap of nothing', { caps: { calls: 0 } }, /caps\.calls/],
    ['a cap below nothing', { caps: { minutes: -1 } }, /caps\.minutes/],
    ['a schedule nobody knows', { edits: { schedule: 'sawtooth' } }, /edits\.schedule/],
    [
      'an unknown option',
      { train: { epoch: 2 } },
      /There is no option “train\.epoch”\. Did you mean “train\.epochs”\?/,
    ],
    ['an unknown part', { trian: {} }, /There is no option “trian”\. Did you mean “train”\?/],
    ['an unknown cap', { caps: { minute: 3 } }, /“caps\.minute”\. Did you mean “caps\.minutes”\?/],
    ['an unknown role', { answers: { targt: 500 } }, /“answers\.targt”\. Did you mean “answers\.target”\?/],
    ['an answer of a word', { answers: { target: 1 } }, /answers\.target/],
    ['no thinking at all', { thinking: { judge: 0 } }, /thinking\.judge/],
    ['no time at all', { timeouts: { target: 0 } }, /timeouts\.target/],
    ['an option without its part', { epochs: 2 }, /There is no option “epochs”\. Did you mean “train\.epochs”\?/],
    ['an option in another part', { train: { patience: 2 } }, /“train\.patience”\. Did you mean “stop\.patience”\?/],
    ['a name that every object has', { constructor: 2 }, /^There is no option “constructor”\.$/],
    ['one below a part', { train: { toString: 2 } }, /^There is no option “train\.toString”\.$/],
    [
      'the name of its prototype',
      JSON.parse('{"train":{"__proto__":{"epochs":2}}}'),
      /no option “train\.__proto__”\.$/,
    ],
    ['that name alone', JSON.parse('{"__proto__":{"epochs":2}}'), /no option “__proto__”\.$/],
    ['a name of SkillOpt', { num_epochs: 2 }, /“num_epochs”\. Did you mean “train\.epochs”\?/],
    [
      'a name of SkillOpt in a part',
      { train: { batch_size: 2 } },
      /“train\.batch_size”\. Did you mean “train\.batchSize”\?/,
    ],
    ['a whole name with a slip', { 'trian.epochs': 2 }, /“trian\.epochs”\. Did you mean “train\.epochs”\?/],
    ['something with no neighbour', { zzzzzzzz: 1 }, /There is no option “zzzzzzzz”\.$/],
  ];
  for (const [name, layer, says] of refused) {
    it(`refuse ${name}`, () => assert.throws(() => resolveOptions('standard', [layer]), refusal(says)));
  }

  it('have names of SkillOpt for options that there are', () => {
    for (const name of Object.values(upstreamNames))
      assert.throws(() => resolveOptions('standard', [layerOfSetting(`${name}={"a":1}`)]), refusal(/^The option “/));
  });

  it('have an upper bound for every number, which the refusal says', () => {
    const everyRole = { target: 1, optimizer: 1, judge: 1 };
    const usual = RunOptions.parse({});
    const whole = {
      ...usual,
      caps: { calls: 1, tokens: 1, usd: 1, minutes: 1 },
      answers: { ...everyRole, rewrite: 1, more: 1 },
      thinking: everyRole,
      timeouts: everyRole,
      gate: { ...usual.gate, attributionCalls: 1 },
    };
    const numbers = numbersIn(whole);
    assert.deepEqual(numbers.toSorted(), Object.keys(optionBounds).toSorted());
    for (const name of numbers.filter((each) => !otherwiseRefused.includes(each))) {
      const most = optionBounds[name] ?? 0;
      const layer = (value: number) => [{ edits: { budget: 1_000 } }, layerOfSetting(`${name}=${value}`)];
      resolveOptions('standard', layer(most));
      const says = new RegExp(`“${name.replace('.', '\\.')}” is ${most + 1}, and the most is ${most}\\.`);
      assert.throws(() => resolveOptions('standard', layer(most + 1)), refusal(says));
    }
    const wishes = { preferences: 'a'.repeat(longestPreferences + 1) };
    assert.throws(() => resolveOptions('standard', [wishes]), refusal(/most is 32000/));
  });

  for (const huge of ['judge.repeats=50000000', 'train.attempts=100000000', 'train.epochs=1000000000000000'])
    it(`refuse ${huge} before anything of that size is made`, () => {
      const before = process.memoryUsage().rss;
      assert.throws(() => resolveOptions('standard', [layerOfSetting(huge)]), refusal(/and the most is/));
      assert.ok(process.memoryUsage().rss - before < 50_000_000);
    });

  it('keep reminders to edits of the body: a learned block and a rewrite have no place for them', () => {
    for (const edits of [{ mode: 'full_rewrite_minibatch' }, { scope: 'learned' }]) {
      assert.throws(
        () => resolveOptions('standard', [{ edits, reflect: { skillAware: true } }]),
        refusal(/reminders need edits\.scope body and edits\.mode patch/),
      );
    }
  });

  it('rewrite the body alone: a learned block is edited rule by rule', () => {
    const learned = { edits: { mode: 'full_rewrite_minibatch', scope: 'learned' } };
    assert.throws(() => resolveOptions('standard', [learned]), refusal(/a rewrite needs edits\.scope body/));
  });

  it('measure the worth of edits with the gate off only where somebody asked for it', () => {
    const off = { gate: { rule: 'off' } };
    assert.equal(resolveOptions('standard', [off]).gate.attribution, false);
    assert.equal(resolveOptions('standard', [off, { gate: { attribution: true } }]).gate.attribution, true);
    assert.equal(resolveOptions('standard', [{ gate: { attribution: true } }, off]).gate.attribution, true);
    assert.equal(resolveOptions('standard', [off, { gate: { rule: 'strict' } }]).gate.attribution, true);
  });

  it('take a bound on attribution as a number or as none', () => {
    assert.equal(callsOf('gate.attributionCalls=300'), 300);
    assert.equal(callsOf('gate.attributionCalls=unbounded'), 'unbounded');
    assert.equal(resolveOptions('standard', []).gate.attributionCalls, undefined);
    assert.throws(() => callsOf('gate.attributionCall=3'), refusal(/Did you mean “gate\.attributionCalls”\?/));
  });

  it('read back from JSON as they were', () => {
    const options = resolveOptions('paper', [{ caps: { tokens: 5 }, preferences: 'Short.' }]);
    assert.deepEqual(RunOptions.parse(JSON.parse(JSON.stringify(options))), options);
  });
});

/** No whole number is above the largest, a weight is at most 1, and a minimum is held by the budget. */
const otherwiseRefused = ['train.seed', 'gate.mixedWeight', 'edits.minimum'];

function numbersIn(part: object, before = ''): readonly string[] {
  return Object.entries(part).flatMap(([name, value]: readonly [string, unknown]) => {
    if (typeof value === 'object' && value !== null) return numbersIn(value, `${before}${name}.`);
    return typeof value === 'number' ? [`${before}${name}`] : [];
  });
}

function callsOf(said: string): number | string | undefined {
  return resolveOptions('standard', [layerOfSetting(said)]).gate.attributionCalls;
}

function refusal(says: RegExp) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof UserError);
    assert.match(error.message, says);
    assert.notEqual(error.cure, '');
    return true;
  };
}

describe('what a person is told of an option', () => {
  it('asks with its whole name whether another one is meant', () => {
    const wrong = layerOfSetting('edits.bugdet=2');
    assert.throws(() => resolveOptions('standard', [wrong]), {
      message: 'There is no option “edits.bugdet”. Did you mean “edits.budget”?',
    });
  });

  it('says that the budget of edits is that of each step', () => {
    assert.match(RunOptions.shape.edits.unwrap().shape.budget.description ?? '', /each step/);
  });
});
