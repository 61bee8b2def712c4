import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { chooseModels } from '../../../../src/app/models/chooseModels.js';
import { giveUpOf } from '../../../../src/app/runs/bound/giveUpOf.js';
import { serverAddress } from '../../../../src/models/local/serverAddress.js';
import { giveUpLine } from '../../../../src/wording/preflightLines.js';
import { inEveryRole } from '../../../builders/aWorkspace.js';
import { OllamaServer } from '../../../fakes/OllamaServer.js';
import { aRequest, ScriptedModel } from '../../../fakes/ScriptedModel.js';

const signal = new AbortController().signal;

describe('a server that a person runs', () => {
  const addresses: readonly (readonly [address: string, same: string, isSame: boolean])[] = [
    ['http://localhost:11434/v1', 'http://127.0.0.1:11434/v1/', true],
    ['http://[::1]:11434/v1', 'http://localhost:11434/v1', true],
    ['http://GPU.lan:11434/v1', 'http://gpu.lan:11434/v1', true],
    ['http://localhost:11434/v1', 'http://localhost:8080/v1', false],
    ['http://gpu.lan:11434/v1', 'http://localhost:11434/v1', false],
  ];
  for (const [address, same, isSame] of addresses) {
    it(`is ${isSame ? 'one' : 'another'} at ${address} and ${same}`, () =>
      assert.equal(serverAddress(address) === serverAddress(same), isSame));
  }

  it('is given up later than others, and the preflight says so', async () => {
    const own = inEveryRole(servedModel());
    assert.match(giveUpLine(giveUpOf(own)), /gives no answer for 120 minutes, or for 3 minutes in which 40 calls fail/);
    const other = new ScriptedModel({ provider: 'openai', endpoint: 'https://api.openai.com/v1' });
    assert.match(giveUpLine(giveUpOf(inEveryRole(other))), /gives no answer for 20 minutes, or for 3/);
    const both = giveUpLine(giveUpOf({ ...own, optimizer: other }));
    assert.match(both, /a server gives no answer for 20 minutes, your own one for 120 minutes, or for 3/);
    assert.deepEqual(
      giveUpOf({ ...own, target: { ...own.target, isElsewhere: true }, optimizer: other, judge: other }),
      giveUpOf(inEveryRole(other)),
    );
    const simulated = new ScriptedModel({ simulated: true });
    assert.deepEqual(giveUpOf({ ...own, optimizer: simulated, judge: simulated }), giveUpOf(own));
  });

  it('is waited for as long as all that was sent there takes, whichever role sent it', async () => {
    const model = new ScriptedModel().when(() => true, 'word '.repeat(70));
    const server = await OllamaServer.start({ slots: 1, msPerToken: 1, model });
    try {
      const target = `ollama/${OllamaServer.model}`;
      const specs = { target, optimizer: undefined, judge: `${target}?num_ctx=8192` };
      const models = await chooseModels(specs, { environment: { OLLAMA_HOST: server.host }, fetch }, signal);
      assert.notEqual(models.target, models.judge);
      const before = Array.from({ length: 15 }, (_, at) => models.target.complete(aRequest({ attempt: at }), signal));
      await wait(1); // they are there now
      const last = await models.judge.complete(aRequest({ timeoutMs: longerThanOne }), signal);
      assert.equal(last.finish, 'stop');
      await Promise.all(before);
    } finally {
      await server.stop();
    }
  });
});

const longerThanOne = 1_000; // ms for one answer, which takes about 100; the fifteen before it take longer than this

function servedModel() {
  const model = new ScriptedModel({ provider: 'ollama', endpoint: 'http://localhost:11434/v1' });
  return {
    identity: model.identity,
    complete: model.complete.bind(model),
    served: () => Promise.resolve(undefined),
  };
}
