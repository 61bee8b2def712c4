import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { madeElsewhere } from '../../../../src/app/madeElsewhere.js';
import { createUseCases } from '../../../../src/app/useCases.js';
import type { AttemptRunner } from '../../../../src/ports/attemptRunner.js';
import type { LanguageModel } from '../../../../src/ports/languageModel.js';
import { nodeClock } from '../../../../src/storage/files/nodeAdapters.js';
import { ScriptedModel } from '../../../fakes/ScriptedModel.js';
import { aMachine, neverAborted, scrapMachines } from '../../../builders/storage.js';
import { worldSandbox } from '../../../builders/aSandbox.js';

/** A program runs so many at once: the others wait outside of the caps, not with a place under them. */
describe('a model that bears few calls at once', () => {
  after(scrapMachines);

  it('is asked no further once a cap is passed by those under way, however many wait', async () => {
    const { target, evaluate } = await aBench(2);
    await evaluate({ caps: { tokens: 200_000 } });
    assert.ok(target.requests.length <= 3, `${target.requests.length} calls`); // the first goes alone
    assert.equal(target.most(), 2);
  });

  it('is asked by workers as often as the run wants, for it is not the server of this machine that they ask', async () => {
    const { target, evaluate } = await aBench(1, workers);
    await evaluate({ concurrency: 6 });
    assert.equal(target.most(), 6);
  });

  it('is asked no further once the minutes of a run are over', async () => {
    const { target, evaluate } = await aBench(1);
    await evaluate({ caps: { minutes: 0.002 } }); // 120 ms, and a call takes 50
    assert.ok(target.requests.length <= 4, `${target.requests.length} calls`);
  });
});

class SlowModel extends ScriptedModel {
  readonly atOnce: number;
  #underWay = 0;
  #most = 0;

  constructor(atOnce: number) {
    super();
    this.atOnce = atOnce;
    this.when(
      () => true,
      async () => {
        const isFirst = this.requests.length === 1;
        this.#underWay += 1;
        this.#most = Math.max(this.#most, this.#underWay);
        await wait(50);
        this.#underWay -= 1;
        const usage = { inputTokens: isFirst ? 10 : 960_000, outputTokens: 5, exact: true };
        return { text: 'hello', usage };
      },
    );
  }

  most(): number {
    return this.#most;
  }
}

/** Makes every call at once, as many workers do. */
const workers: AttemptRunner = {
  place: 'rediss://queue.example:6380',
  run: ({ request }, here, signal) => here(request, signal),
  reach: () => Promise.resolve(true),
};

/** A server of a person's own that works on so many requests. */
function ownServer(model: SlowModel): LanguageModel {
  const says = { contextTokens: undefined, isSure: true, mostContextTokens: undefined, size: undefined };
  const served = { ...says, atOnce: model.atOnce, cutsSilently: false, longerContext: String };
  const { identity, atOnce } = model;
  return { identity, atOnce, complete: model.complete.bind(model), served: () => Promise.resolve(served) };
}

async function aBench(atOnce: number, attempts?: AttemptRunner) {
  const machine = await aMachine();
  const file = path.join(path.dirname(machine.skillPath), 'evals', 'evals.json');
  const evals = Array.from({ length: 24 }, (_, at) => ({ id: `t${at}`, prompt: `Greet customer number ${at}.` }));
  const checks = Object.fromEntries(evals.map(({ id }) => [id, { checks: [{ check: 'contains', text: 'hello' }] }]));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ evals }));
  writeFileSync(
    path.join(path.dirname(file), 'whetstone.json'),
    JSON.stringify({ format: 'whetstone.tasks', version: 1, tasks: checks }),
  );
  const target = new SlowModel(atOnce);
  const useCases = createUseCases({
    environment: { PATH: process.env['PATH'] },
    platform: 'linux',
    home: machine.home,
    clock: nodeClock,
    models: async () => {
      const all = { optimizer: new ScriptedModel(), judge: new ScriptedModel() };
      return attempts === undefined
        ? { ...all, target }
        : madeElsewhere({ ...all, target: ownServer(target) }, attempts);
    },
    attempts,
    trusted: () => true,
    consent: { allows: () => Promise.resolve(false) },
    ...worldSandbox(undefined),
    caps: () => ({ day: {}, month: {} }),
    tell: () => undefined,
  });
  const request = (settings: object) => ({
    skillPath: machine.skillPath,
    workspaceFolders: [machine.workspace],
    preset: 'quick' as const,
    settings: [{ ...settings }],
    purpose: 'optimize' as const,
    trusted: true,
    withoutSkill: false,
  });
  // A cap that is reached ends it with what there is, or with the reason: the calls are what is looked at.
  const evaluate = async (settings: object): Promise<void> =>
    useCases
      .evaluate(request(settings), () => undefined, neverAborted)
      .then(
        () => undefined,
        () => undefined,
      );
  return { target, evaluate };
}
