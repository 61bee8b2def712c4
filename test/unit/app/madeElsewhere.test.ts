import assert from 'node:assert/strict';
import { elsewhereLine, madeElsewhere, rolesElsewhere } from '../../../src/app/madeElsewhere.js';
import { createHandoffModel } from '../../../src/models/handoff/handoffModel.js';
import type { AttemptRunner } from '../../../src/ports/attemptRunner.js';
import type { LanguageModel } from '../../../src/ports/languageModel.js';
import { createSimulatedModel } from '../../../src/simulated/simulatedModel.js';
import { ScriptedModel } from '../../fakes/ScriptedModel.js';

const server: LanguageModel = new ScriptedModel();
const simulated = createSimulatedModel();
const byHand = createHandoffModel('somebody');
const queue: AttemptRunner = {
  place: 'rediss://queue.example:6380',
  run: () => assert.fail('nothing is asked'),
  reach: () => Promise.resolve(true),
};
const ofWindow: AttemptRunner = { ...queue, takes: ({ simulated: isSimulated }) => !isSimulated };

describe('what is made on other machines', () => {
  const cases: readonly (readonly [
    string,
    AttemptRunner | undefined,
    LanguageModel,
    LanguageModel,
    string | undefined,
  ])[] = [
    ['nothing without a queue', undefined, server, server, undefined],
    ['nothing where none is set', { ...queue, place: undefined }, server, server, undefined],
    [
      'both roles',
      queue,
      server,
      server,
      'Attempts and judgements are made by the workers at rediss://queue.example:6380.',
    ],
    ['attempts alone', queue, server, byHand, 'Attempts are made by the workers at rediss://queue.example:6380.'],
    [
      'judgements alone',
      ofWindow,
      simulated,
      server,
      'Judgements are made by the workers at rediss://queue.example:6380.',
    ],
    [
      'the simulated model of the command line',
      queue,
      simulated,
      byHand,
      'Attempts are made by the workers at rediss://queue.example:6380.',
    ],
    ['nothing of a window’s own models', ofWindow, simulated, simulated, undefined],
    ['nothing that a person answers', queue, byHand, byHand, undefined],
  ];
  for (const [what, attempts, target, judge, line] of cases)
    it(`is told as what it is: ${what}`, () => {
      const models = { target, judge, optimizer: server };
      assert.equal(elsewhereLine(models, attempts), line);
      const made = madeElsewhere(models, attempts);
      const roles = rolesElsewhere(models, attempts);
      for (const role of ['target', 'judge'] as const)
        assert.equal(made[role] !== models[role], roles.includes(role), role);
      assert.equal(made.optimizer, server);
    });
});
