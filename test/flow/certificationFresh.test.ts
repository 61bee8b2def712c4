import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { UserError } from '../../src/errors.js';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import type { ModelRequest } from '../../src/ports/languageModel.js';
import { chance, say, type Ability } from '../builders/aRunContext.js';
import { aCertificationWorld, sampleOf, type CertificationWorld, type WorldParts } from './certificationWorld.js';
import { inFull } from '../builders/few.js';

const worlds: CertificationWorld[] = [];

describe('the attempts that decide', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  it('are fresh: no selection of the run looked at one, and none comes from a store', async () => {
    const world = aWorld();
    await world.optimize({ gate: { rule: 'strict' } });
    const { events, asked, result } = await world.optimize();
    assert.equal(result.proposal?.verdict.kind, 'accepted');
    assert.ok(
      events.some((event) => event.kind === 'attempt' && event.stage === 'evaluate' && event.cached),
      'what a selection asked before is not asked again',
    );
    const deciding = events.filter((event) => event.kind === 'attempt').filter(({ stage }) => stage === 'certify');
    assert.ok(deciding.length > 0 && deciding.every(({ cached }) => !cached));
    assert.equal(asked.filter(certifies).length, deciding.length, 'each of them was asked of the model itself');
  });

  it('take the two sides of each task next to each other in time, every task once a pass', async () => {
    const { asked, events } = await aWorld().optimize({ concurrency: 1 });
    const deciding = asked.filter(certifies);
    const passes = passesIn(events).length;
    assert.equal(deciding.length, passes * 6 * 2);
    for (let at = 0; at < deciding.length; at += 2) {
      const [before, after] = [deciding[at], deciding[at + 1]];
      assert.equal(taskOf(before), taskOf(after));
      assert.deepEqual([hasEdit(before), hasEdit(after)], [false, true]);
    }
  });

  it('are other ones in every pass', async () => {
    const { asked } = await aWorld({ ability: noisy(0.6) }).optimize();
    const samples = asked.filter(certifies).map((request) => `${request.messages[0]?.content} ${sampleOf(request)}`);
    const perTask = new Set(
      asked.filter(certifies).map((request) => `${taskOf(request)} ${hasEdit(request)} ${sampleOf(request)}`),
    );
    assert.equal(perTask.size, samples.length);
  });
});

describe('a run that was cancelled while it certified', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  it('goes on at the pass where it stood, in the same certification, and asks nothing twice', async () => {
    const cancelled = new AbortController();
    const world = aWorld({ ability: cancelling(cancelled, noisy(0.45)) });
    await assert.rejects(() => world.optimize({ concurrency: 1 }, {}, cancelled.signal));
    world.change({ ability: noisy(0.45) });
    const resumed = await world.optimize({}, { resume: { run: undefined } });
    assert.deepEqual(passesIn(resumed.events).slice(0, 2), [2, 3]);
    assert.equal((await world.record()).budget.certifications.length, 1);
    const whole = await aWorld({ ability: noisy(0.45) }).optimize();
    assert.deepEqual(resumed.result.proposal, whole.result.proposal);
    const all = world.asked.map((request) => JSON.stringify(request));
    assert.equal(new Set(all).size, all.length - 1, 'only the one that was cut off is asked again');
  });
});

describe('a certification that a cap cut off', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  it('is inconclusive, and says how many passes, calls and dollars would settle it', async () => {
    const { result } = await cutAfter(2);
    const verdict = result.proposal?.verdict;
    assert.ok(verdict?.kind === 'inconclusive');
    assert.equal(verdict.cause, 'cap');
    assert.match(verdict.reason, /^Undecided after 2 of at most 8 passes: the spending cap ended it\.$/);
    assert.match(verdict.cure, /^At most 6 more passes, about 72 calls, 0\.\d\d USD\.$/);
    assert.equal(verdict.figures?.passes, 2);
  });

  it('goes on at the next pass, decides as an unbroken one, and pays nothing twice', async () => {
    const { world, asked } = await cutAfter(2);
    const gathered = await world.gather();
    assert.equal(passesIn(gathered.events)[0], 3);
    const { budget } = await world.record();
    assert.equal(budget.certifications.length, 1, 'it was paid for when it began');

    const whole = await aWorld({ ability: noisy(0.45), model: priced }).optimize();
    assert.deepEqual(gathered.result.proposal?.verdict, whole.result.proposal?.verdict);
    assert.deepEqual(gathered.result.proposal?.comparisons, whole.result.proposal?.comparisons);
    assert.deepEqual(gathered.result.proposal?.documents, whole.result.proposal?.documents);

    const all = [...asked, ...gathered.asked].map((request) => JSON.stringify(request));
    assert.equal(new Set(all).size, all.length, 'no question is asked twice');
  });

  it('is one also where the cap came before its first pass ended', async () => {
    const { result, world } = await cutAfter(0);
    const verdict = result.proposal?.verdict;
    assert.ok(verdict?.kind === 'inconclusive' && verdict.cause === 'cap' && verdict.figures === undefined);
    assert.deepEqual(result.proposal?.comparisons, []);
    const gathered = await world.gather();
    assert.equal(passesIn(gathered.events)[0], 1);
    assert.notEqual(gathered.result.proposal?.verdict.kind, 'inconclusive');
    assert.equal((await world.record()).budget.certifications.length, 1);
  });

  // Once is in the short numbers, above.
  inFull('can be cut off again and again', async () => {
    const { world } = await cutAfter(1);
    const more = await world.gather({ caps: { calls: 12 }, concurrency: 1 });
    const verdict = more.result.proposal?.verdict;
    assert.ok(verdict?.kind === 'inconclusive' && verdict.figures !== undefined);
    assert.equal(verdict.figures.passes, 2);
    const end = await world.gather();
    assert.notEqual(end.result.proposal?.verdict.kind, 'inconclusive');
  });

  it('is never re-opened once it has ended', async () => {
    const { world } = await cutAfter(2);
    await world.gather();
    await assert.rejects(
      () => world.gather(),
      (error: unknown) => error instanceof UserError && /finished and is never opened again/.test(error.message),
    );
  });

  it('goes on only on the models that it was begun on, by the metric that it was begun with', async () => {
    const { world } = await cutAfter(2);
    world.change({ model: { provider: 'openai', model: 'gpt-5' } });
    await assert.rejects(
      () => world.gather(),
      (error: unknown) => error instanceof UserError && /openai\/gpt-5-mini as target/.test(error.message),
    );
    world.change({ model: priced });
    const { result, events } = await world.gather({ gate: { metric: 'soft', rule: 'strict' } });
    assert.equal(passesIn(events)[0], 3);
    const verdict = result.proposal?.verdict;
    assert.ok(verdict !== undefined && 'figures' in verdict && verdict.figures?.metric === 'hard');
  });

  it('is not gone on with once the skill is another', async () => {
    const { world } = await cutAfter(2);
    appendFileSync(world.skillPath, '\nBe kind.\n');
    await assert.rejects(
      () => world.gather(),
      (error: unknown) => error instanceof UserError && /has changed since/.test(error.message),
    );
  });

  it('leaves a report of its own, with the verdict that it came to', async () => {
    const { world } = await cutAfter(2);
    assert.match(await world.report(), /Undecided[\s\S]*What would settle it: At most 6 more passes/);
    const { result } = await world.gather();
    const verdict = result.proposal?.verdict;
    assert.match(
      await world.report(),
      verdict?.kind === 'accepted' ? /\*\*Improved\.\*\*/ : /\*\*No improvement found\.\*\*/,
    );
  });
});

/** Cancels the run in the middle of the second pass. */
function cancelling(controller: AbortController, ability: Ability): Ability {
  return (skill, prompt, sample) => {
    if (sample.includes('certification') && sample.endsWith(',2]') && prompt.includes('heldOut 3:')) controller.abort();
    return ability(skill, prompt, sample);
  };
}

const priced = { provider: 'openai', model: 'gpt-5-mini' };

/** Says the word so often, under a skill that asks for it; every sample is its own throw. */
function noisy(share: number): Ability {
  return (skill, prompt, sample) => {
    const able = skill.includes('Say “alpha”');
    const certain = sample.includes('selection') || sample.includes('training');
    return able && (certain || chance(`${prompt} ${sample}`) < share) ? 'alpha' : 'Nothing.';
  };
}

/** A run on six held-out tasks whose cap leaves room for so many passes, and for half of the next. */
async function cutAfter(passes: number) {
  const world = aWorld({ ability: noisy(0.45), model: priced });
  const before = 3 + 6 + 2; // training, held-out under the skill as it is, and as many under the candidate as settle it
  const reflection = 1;
  const calls = before + reflection + passes * 12 + 6;
  const ran = await world.optimize({ caps: { calls }, concurrency: 1 });
  return { world, ...ran };
}

function aWorld(parts: WorldParts = {}): CertificationWorld {
  const world = aCertificationWorld({ edits: [say('alpha')], ...parts });
  worlds.push(world);
  return world;
}

function certifies({ dependsOn }: ModelRequest): boolean {
  return dependsOn?.some((part) => part.startsWith('certification:')) === true;
}

function passesIn(events: readonly RunEvent[]): readonly number[] {
  return events.flatMap((event) => (event.kind === 'certification' ? [event.pass] : []));
}

function taskOf(request: ModelRequest | undefined): string {
  return request?.messages.at(-1)?.content ?? '';
}

function hasEdit(request: ModelRequest | undefined): boolean {
  return request?.messages[0]?.content.includes('Say “alpha”') === true;
}
