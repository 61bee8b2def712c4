import assert from 'node:assert/strict';
import { chance, say, type Ability } from '../builders/aRunContext.js';
import { chooseModels } from '../../src/app/models/chooseModels.js';
import { ChatServer, stream } from '../fakes/ChatServer.js';
import type { ScriptedAnswer } from '../fakes/ScriptedModel.js';
import { aCertificationWorld, type CertificationWorld, type Ran, type WorldParts } from './certificationWorld.js';

const worlds: CertificationWorld[] = [];

describe('a target whose thinking uses up its room', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  for (const heldOut of process.env['WHETSTONE_FULL'] === '1' ? [6, 12, 20] : [6]) {
    it(`is never certified for thinking longer instead of failing (${heldOut} held-out tasks)`, async () => {
      // Right half of the time under both texts; under the candidate it thinks without end whenever it would be wrong.
      const ability = whileCertifying((isCandidate, sample) => {
        if (chance(`${isCandidate} ${sample}`) < 0.5) return 'alpha';
        return isCandidate ? withoutEnd : 'Nothing.';
      });
      const { verdict } = await optimized({ heldOut, ability });
      assert.notEqual(verdict.kind, 'accepted');
      assert.equal(verdict.figures?.invalid, 0, 'no pair is left out for the sake of the candidate');
    });
  }

  it('is never certified where the candidate only makes it think longer', async () => {
    const ability = whileCertifying((isCandidate) => thinking(isCandidate ? 9_000 : 3_000, 'alpha'));
    const { verdict, asked } = await optimized({ ability });
    assert.equal(verdict.kind, 'rejected');
    assert.deepEqual([verdict.figures?.before, verdict.figures?.after, verdict.figures?.invalid], [1, 1, 0]);
    assert.deepEqual([...new Set(asked.map((request) => request.maxOutputTokens))], [4_096, 16_384]);
  });

  it('fails the side that it happens on, with the true reason and what to do in a note', async () => {
    const ability = whileCertifying((isCandidate) => (isCandidate ? withoutEnd : 'Nothing.'));
    const { verdict, events } = await optimized({ ability });
    assert.deepEqual([verdict.kind, verdict.figures?.after, verdict.figures?.invalid], ['rejected', 0, 0]);
    const notes = events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
    assert.deepEqual(notes, [
      'The model’s thinking used up its room of 16384 tokens, and no answer came. Raise answers.target, or let the model think less.',
    ]);
  });

  it('has the pair left out where it happens on both sides', async () => {
    const ability = whileCertifying((isCandidate, sample, prompt) => {
      if (prompt.includes('heldOut 1:') && sample.endsWith(',1]')) return withoutEnd;
      return isCandidate ? 'alpha' : 'Nothing.';
    });
    const { verdict } = await optimized({ heldOut: 12, ability });
    assert.deepEqual([verdict.kind, verdict.figures?.invalid, verdict.figures?.after], ['accepted', 1, 1]);
  });

  it('says nothing about a skill where every answer is thought away', async () => {
    const { verdict } = await optimized({ ability: whileCertifying(() => withoutEnd) });
    assert.equal(verdict.kind === 'inconclusive' && verdict.cause, 'too-many-invalid');
  });

  it('ends a run after the baseline where no held-out task is answered, and is no score', async () => {
    const world = aWorld({ ability: () => withoutEnd });
    const { result, asked } = await world.optimize();
    assert.equal(result.noProposal?.cause, 'backend-failed');
    assert.match(
      result.noProposal?.reason ?? '',
      /^The model answered none of the 6 held-out tasks\. The model’s thinking used up its room of 16384 tokens, and no answer came\. Raise answers\.target, or let the model think less\./,
    );
    assert.equal(result.noProposal?.baseline, undefined);
    assert.deepEqual([result.summary.outcome, world.optimizerAsked.length], ['failed', 0]);
    assert.ok(asked.length <= 2 * 6 + 16, `${asked.length} calls`);
  });

  it('is told to the optimizer as what it is', async () => {
    const world = aWorld({ ability: (_skill, prompt) => (prompt.startsWith('training') ? withoutEnd : 'Nothing.') });
    const { asked } = await world.optimize();
    assert.ok(asked.length > 0);
    const prompts = world.optimizerAsked.map(({ messages }) => messages[0]?.content ?? '').join('\n');
    assert.match(prompts, /The model’s thinking used up its room of 16384 tokens, and no answer came\./);
    assert.match(prompts, /Only instructions that make the job take less thinking help here\./);
    assert.doesNotMatch(prompts, /- \d of \d: The answer contains/);
  });
});

describe('a target that says the same over and over', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  it('has the pair left out where it does so on both sides', async () => {
    const ability = whileCertifying((isCandidate, sample, prompt) => {
      if (prompt.includes('heldOut 1:') && sample.endsWith(',1]')) return overAndOver;
      return isCandidate ? 'alpha' : 'Nothing.';
    });
    const { verdict } = await optimized({ heldOut: 12, ability });
    assert.deepEqual([verdict.kind, verdict.figures?.invalid, verdict.figures?.after], ['accepted', 1, 1]);
  });

  it('fails the side that it does so on, whichever words it has by then', async () => {
    const ability = whileCertifying((isCandidate) => (isCandidate ? overAndOver : 'Nothing.'));
    const { verdict } = await optimized({ ability });
    assert.deepEqual([verdict.kind, verdict.figures?.after, verdict.figures?.invalid], ['rejected', 0, 0]);
  });

  it('is told to the optimizer as what it is', async () => {
    const world = aWorld({ ability: (_skill, prompt) => (prompt.startsWith('training') ? overAndOver : 'Nothing.') });
    await world.optimize();
    const prompts = world.optimizerAsked.map(({ messages }) => messages[0]?.content ?? '').join('\n');
    assert.match(prompts, /The model said the same over and over, and was stopped\./);
  });
});

describe('a server whose model thinks longer under a candidate', () => {
  let server: ChatServer;
  before(async () => void (server = await ChatServer.start()));
  after(async () => {
    await server.stop();
    worlds.splice(0).forEach((world) => world.dispose());
  });

  it('is asked with the limit in its address, then with more; every call is counted, and no candidate is certified', async () => {
    // Under the candidate it answers a few times, as luck has it in selection, and thinks without end from then on.
    let selected = 0;
    server.answers((response, request) => {
      const isCandidate = JSON.stringify(request.body['messages']).includes('Say “alpha”');
      const passes = isCandidate && (selected += 1) <= 6;
      if (isCandidate && !passes)
        stream({ deltas: [{ reasoning_content: 'Hm.' }], finish: 'length' })(response, request);
      else stream({ deltas: [{ content: passes ? 'alpha' : 'Nothing.' }] })(response, request);
    });
    const spec = `${server.baseUrl}#thinker?max_tokens=9000`;
    const { target } = await chooseModels({ target: spec, optimizer: spec, judge: spec }, { environment: {}, fetch });
    const { verdict, events } = await optimized({ target });
    assert.deepEqual([verdict.kind, verdict.figures?.invalid], ['rejected', 0]);
    assert.deepEqual([...new Set(server.requests.map(({ body }) => body['max_tokens']))], [9_000, 36_000]);
    const calls = events.filter((event) => event.kind === 'call' && event.role === 'target');
    assert.equal(calls.length, server.requests.length);
    assert.ok(calls.every((event) => event.kind === 'call' && event.error === undefined && event.tokens > 0));
  });
});

const thoughtOnly: ScriptedAnswer = { text: '', finish: 'length' };
const withoutEnd: ScriptedAnswer = () => thoughtOnly;
const overAndOver: ScriptedAnswer = () => ({ text: `alpha ${'and then alpha again, '.repeat(200)}`, finish: 'length' });

/** Thinks for so many tokens, then answers, if there is room left. */
function thinking(tokens: number, answer: string): ScriptedAnswer {
  return ({ maxOutputTokens }) => (maxOutputTokens > tokens ? answer : thoughtOnly);
}

/** Selection sees a gain; what decides is up to the caller. */
function whileCertifying(answer: (isCandidate: boolean, sample: string, prompt: string) => ScriptedAnswer): Ability {
  return (skill, prompt, sample) => {
    const isCandidate = skill.includes('Say “alpha”');
    if (sample.includes('certification')) return answer(isCandidate, `${prompt} ${sample}`, prompt);
    return isCandidate ? 'alpha' : 'Nothing.';
  };
}

async function optimized(parts: WorldParts) {
  const { result, events, asked }: Ran = await aWorld(parts).optimize();
  const verdict = result.proposal?.verdict;
  if (verdict === undefined || verdict.kind === 'unmeasured') assert.fail('nothing was measured');
  return { verdict, events, asked };
}

function aWorld(parts: WorldParts): CertificationWorld {
  const world = aCertificationWorld({ edits: [say('alpha')], ...parts });
  worlds.push(world);
  return world;
}
