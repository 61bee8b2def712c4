import assert from 'node:assert/strict';
import { totalSpend } from '../../src/engine/journal/runSummary.js';
import type { ModelRequest } from '../../src/ports/languageModel.js';
import { chance, say } from '../builders/aRunContext.js';
import { ScriptedModel, type ScriptedAnswer } from '../fakes/ScriptedModel.js';
import { aCertificationWorld, sampleOf, skillText, type CertificationWorld } from './certificationWorld.js';

const neverAborted = new AbortController().signal;
const room = 4_096; // of a first try
const priced = { provider: 'openai', model: 'gpt-5-mini' };

/** A server that thinks until its room is used up, answers at the second try, and uses all the room of that one too. */
describe('the most that a measurement is announced to take', () => {
  let world: CertificationWorld;
  let model: ScriptedModel;
  beforeEach(() => {
    model = new ScriptedModel(priced).when(() => true, thinksLong);
    world = aCertificationWorld({ target: model, edits: [say('alpha')], heldOut: 8, sealed: 2 });
  });
  afterEach(() => world.dispose());

  it('is never passed by “gather”, in calls and in money', async () => {
    await world.optimize({ gate: { rule: 'off' } });
    const { price } = await world.useCases.candidatePrice(requestOf(world), neverAborted);
    const from = model.requests.length;
    const { result } = await world.gather();
    const { calls, usd = 0 } = totalSpend(result.summary);
    assert.equal(calls, model.requests.length - from);
    assert.ok(calls > 4 * 8 * 2, 'several passes were made');
    const made = `${calls} calls for ${usd} USD`;
    assert.ok(price?.usd !== undefined && price.calls.high >= calls && price.usd.high >= usd, told(price, made));
    assert.deepEqual(price.calls, { low: 2 * 8 + 2 * 2, high: 2 * (8 * 8 * 2 + 2 * 2) });
    assert.ok(price.usd.low < 0.1 * price.usd.high, told(price, made));
  });

  it('is never passed by measuring what was accepted', async () => {
    const texts = { before: skillText, after: `${skillText}\nSay “alpha”.\n` };
    const price = await world.useCases.measurePrice({ ...requestOf(world), ...texts }, neverAborted);
    await world.measure(texts.before, texts.after);
    const usage = model.requests.map(spentOn);
    const usd =
      usage.reduce((sum, { inputTokens, outputTokens }) => sum + 0.25 * inputTokens + 2 * outputTokens, 0) / 1e6;
    const made = `${usage.length} calls for ${usd} USD`;
    assert.ok(price?.usd !== undefined && price.calls.high >= usage.length && price.usd.high >= usd, told(price, made));
    assert.deepEqual(price.calls, { low: 2 * 8, high: 2 * 8 * 8 * 2 });
  });

  it('is that of a claim of sixteen passes for every shorter text, whatever an earlier run had found', async () => {
    const texts = { before: `${skillText}\nSay it in many words.\n`, after: `${skillText}\nSay “alpha”.\n` };
    const price = await world.useCases.measurePrice({ ...requestOf(world), ...texts }, neverAborted);
    assert.equal(price?.calls.high, 2 * 16 * 8 * 2);
  });
});

function requestOf({ skillPath }: CertificationWorld) {
  const workspaceFolders = [skillPath.slice(0, skillPath.indexOf('workspace') + 'workspace'.length)];
  return {
    skillPath,
    workspaceFolders,
    preset: 'standard' as const,
    settings: [],
    purpose: 'optimize' as const,
    trusted: true,
  };
}

function thinksLong(request: ModelRequest): ScriptedAnswer {
  const usage = { ...spentOn(request), exact: true };
  if (request.maxOutputTokens <= room) return { text: '', finish: 'length', usage };
  const [system] = request.messages;
  const often = system?.content.includes('Say “alpha”') === true ? 0.5 : 0.4;
  const passes = chance(sampleOf(request) + JSON.stringify(request.messages)) < often;
  return { text: passes ? 'alpha' : 'Nothing.', usage };
}

/** A token for every character, and an answer as long as it may be. */
function spentOn({ messages, maxOutputTokens }: ModelRequest) {
  const inputTokens = messages.reduce((sum, { content }) => sum + content.length, 0);
  return { inputTokens, outputTokens: maxOutputTokens };
}

function told(price: unknown, made: string): string {
  return `${JSON.stringify(price)} were announced, ${made} were made`;
}
