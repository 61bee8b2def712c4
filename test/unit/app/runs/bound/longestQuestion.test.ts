import assert from 'node:assert/strict';
import { boundOfRun } from '../../../../../src/app/runs/bound/runBound.js';
import { resolveOptions, type PresetName } from '../../../../../src/engine/runOptions.js';
import { aSplit } from '../../../../builders/aSplit.js';
import { ScriptedModel } from '../../../../fakes/ScriptedModel.js';

const target = new ScriptedModel();
const short = new ScriptedModel({ options: 'max_tokens=100' });
const once = { stages: 1, moreTraining: { low: 0, high: 0 }, memory: '', comparesNights: false };
const skill = 'Answer in words. '.repeat(200);

/** About the tokens of the longest question to the optimizer in a run over so many training tasks. */
async function longest(training: number, preset: PresetName, settings: object = {}, model = target): Promise<number> {
  const options = resolveOptions(preset, [{ ...settings }]);
  const models = { target: model, optimizer: target, judge: target };
  const input = { text: skill, folder: '/', programs: new Map(), options, models };
  return (await boundOfRun(input, aSplit({ training, heldOut: 6 }), once)).longest.optimizer;
}

describe('the longest question to the optimizer', () => {
  it('counts every answer that one reflection shows as failed, and as long as it is shown', async () => {
    const of = 400; // tokens: 1,600 characters are shown of an answer
    const [one, eight] = [await longest(1, 'quick'), await longest(8, 'quick')];
    assert.ok(eight - one >= 7 * of, `${one} and ${eight}`);
    assert.ok(eight >= 8 * of + skill.length / 4, `${eight}`);
    assert.ok(eight < 6_000, `${eight}`);
  });

  it('counts no more answers than one reflection shows', async () => {
    assert.equal(await longest(30, 'quick'), await longest(9, 'quick'));
    const four = { reflect: { minibatchSize: 4 } };
    assert.equal(await longest(30, 'quick', four), await longest(4, 'quick', four));
  });

  it('counts answers no longer than the target may write them', async () => {
    const limited = await longest(8, 'quick', { answers: { target: 50, more: 1 } });
    assert.ok(limited <= (await longest(8, 'quick')) - 8 * 350, `${limited}`);
    assert.ok((await longest(8, 'quick', { answers: { more: 1 } }, short)) < (await longest(8, 'quick')) - 8 * 250);
  });

  it('counts what the end of an epoch compares, where that is more', async () => {
    const [quick, standard] = [await longest(16, 'quick'), await longest(16, 'standard')];
    assert.ok(standard - quick >= 8 * 400, `${quick} and ${standard}`);
  });
});
