import assert from 'node:assert/strict';
import {
  batchNotes,
  batchRoundsOf,
  batchTimeOf,
  batchTimeOfAll,
  type BatchTime,
} from '../../../../../src/app/runs/bound/batchRounds.js';
import { resolveOptions } from '../../../../../src/engine/runOptions.js';
import { createLearnedCapabilities } from '../../../../../src/models/openai/capabilities.js';
import { createOpenAIModel } from '../../../../../src/models/openai/openaiModel.js';
import { createSimulatedModel } from '../../../../../src/simulated/simulatedModel.js';
import { aSplit } from '../../../../builders/aSplit.js';
import { inEveryRole } from '../../../../builders/aWorkspace.js';

const alone = { stages: 1, moreTraining: { low: 0, high: 0 } };
const on = { nightly: { batch: true } };
const endpoint = { provider: 'openai', baseUrl: 'https://api.openai.com/v1', model: 'gpt-4.1', apiKey: undefined };
const models = inEveryRole(createOpenAIModel(endpoint, { fetch, learned: createLearnedCapabilities() }));

function timeOf(settings: object): BatchTime {
  const options = resolveOptions('quick', [{ ...settings }]);
  const rounds = batchRoundsOf(options, aSplit({ training: 24, heldOut: 22 }), alone);
  return batchTimeOf(options, rounds, models) ?? assert.fail('no batch is sent');
}

describe('how many batches a night sends', () => {
  it('counts the rounds of 20 calls or more, each pass as one', () => {
    const options = resolveOptions('quick', [on]);
    // Baseline, training, a candidate, three passes of 44; at most two certifications of 16, and three looks at edits.
    const large = batchRoundsOf(options, aSplit({ training: 24, heldOut: 22 }), alone);
    assert.deepEqual(large, { usual: 6, most: 38, share: 1 });
    // Of these only the passes have 20 calls.
    const middling = batchRoundsOf(options, aSplit({ training: 12, heldOut: 12 }), alone);
    assert.deepEqual([middling.usual, middling.most], [3, 32]);
    assert.ok(middling.share > 0.6 && middling.share < 0.7, String(middling.share));
    assert.deepEqual(batchRoundsOf(options, aSplit({}), alone), { usual: 0, most: 0, share: 0 });
  });

  const told: readonly (readonly [name: string, settings: object, says: RegExp])[] = [
    [
      'up to a day',
      { nightly: { batch: true, batchWait: 0.5 } },
      /0\.5 hours, 19 hours in all: no more than one night\./,
    ],
    ['several days', on, /4 hours, 152 hours in all: up to 7 nights\./],
    ['nights that are capped', { ...on, caps: { minutes: 480 } }, /4 hours, 152 hours in all: up to 19 nights\./],
  ];
  for (const [name, settings, says] of told) {
    it(`says how many nights that may be: ${name}`, () => {
      const options = resolveOptions('quick', [{ ...settings }]);
      const rounds = batchRoundsOf(options, aSplit({ training: 24, heldOut: 22 }), alone);
      const lines = batchNotes(options, rounds, models).join(' ');
      assert.match(lines, says);
      assert.match(lines, /usually 6, at most 38, one after the other/);
    });
  }

  it('adds up the hours of skills that are trained one after the other', () => {
    const short = timeOf({ nightly: { batch: true, batchWait: 0.5 } });
    const long = timeOf(on);
    const capped = timeOf({ ...on, caps: { minutes: 480 } });
    assert.deepEqual(batchTimeOfAll([short, short]), { hours: 38, nights: 2 }); // either would be one night
    assert.deepEqual(batchTimeOfAll([long, long, short]), { hours: 323, nights: 14 });
    assert.deepEqual(batchTimeOfAll([capped, capped]), { hours: 304, nights: 19 }); // each has its minutes in every night
  });

  it('says that a model takes none', () => {
    const options = resolveOptions('quick', [on]);
    const rounds = batchRoundsOf(options, aSplit({ training: 24, heldOut: 22 }), alone);
    const [line, ...others] = batchNotes(options, rounds, inEveryRole(createSimulatedModel()));
    assert.match(line ?? '', /takes no batches: its calls are made one by one, at the usual price/);
    assert.deepEqual(others, []);
  });
});
