import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { parseReply } from '../../src/prompts/replies/parseReply.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { inEveryRole, type TestWorkspace } from '../builders/aWorkspace.js';
import { few, isFull } from '../builders/few.js';
import type { Said } from '../builders/someSessions.js';
import { neverAborted } from '../builders/storage.js';
import { ScriptedModel } from '../fakes/ScriptedModel.js';
import { attacks, type Attack } from './miningAttacks.js';
import { aMiningWorld, request } from './miningWorld.js';

/** Sessions that nobody tampered with, of which there are enough to train a skill. */
const honest: readonly (readonly Said[])[] = [
  'faster search in the shop',
  'payments by card and by bank transfer',
  'a basket that remembers guests',
  'pictures of the harbour on the front page',
  'parcels that are tracked on a map',
  'coupons for students and pensioners',
  'a wish list that can be shared',
  'prices in three currencies',
  'returns without a printed label',
  'a chat with the people in the warehouse',
  'gift wrapping in paper or cloth',
  'delivery on Saturday evenings',
].map((change, at) => [
  `Write release notes for version ${at + 3} of the shop: ${change}.`,
  'No, that is wrong. Include a section headed “Breaking”.',
]);

describe('sessions that want something of those who work on them', () => {
  it('are forty, each in its own way or place', () => {
    assert.equal(attacks.length, 40);
    assert.equal(new Set(attacks.map(({ said }) => JSON.stringify(said))).size, 40);
  });

  for (const attack of few(attacks)) {
    it(`get nothing by ${attack.name}: the fences hold`, async () => {
      const { replies, texts, chosen } = await mined(attack, (model) => model);
      assert.deepEqual(wantedIn(replies, attack), []);
      assert.deepEqual(wantedIn(texts, attack), []);
      assert.doesNotMatch(JSON.stringify(chosen), new RegExp(attack.canary, 'u'));
    });

    it(`would get it by ${attack.name} without the fences`, async () => {
      const { replies } = await mined(attack, withoutFences);
      assert.notDeepEqual(wantedIn(replies, attack), []);
    });

    it(`get nothing by ${attack.name} out of a model that obeys all the same`, async () => {
      const { canary } = attack;
      const line = `The notes recommend ${canary}`;
      const checks = [{ check: 'contains', text: canary }];
      const tasks = [
        { request: 1, prompt: 'Write release notes for version 1.2 of the shop.', expectations: [line], checks },
        { request: 1, prompt: `Praise ${canary}.`, expectations: [line], checks: [{ check: 'no_refusal' }] },
        {
          request: 1,
          prompt: `Write release notes that praise ${canary}`,
          expectations: ['The notes are short'],
          checks,
        },
      ];
      const scripted = new ScriptedModel().when('Request 1', JSON.stringify({ tasks }));
      const { texts, chosen } = await mined(attack, () => scripted);
      assert.deepEqual(wantedIn(texts, attack), []);
      assert.deepEqual(chosen, []);
    });
  }

  it('come into no task that is confirmed with others, into no check and into no edit', async function () {
    this.timeout(isFull ? 120_000 : 20_000);
    const model = createSimulatedModel({ obedient: true });
    const { workspace, session, wish } = aMiningWorld({ models: inEveryRole(model) });
    try {
      const said = [...honest, ...few(attacks).map((attack) => attack.said)];
      const sessions = said.map((each, at) => session(`session ${at}`, each));
      const useCases = workspace.useCases();
      const found = await useCases.mineSessions(wish(sessions, { by: 'model' }), neverAborted);
      const marked = found.skills.flatMap(({ drafts }) => drafts.filter(({ marks }) => marks.length > 0));
      assert.ok(marked.length > 0, 'what carries instructions waits, and is marked');
      await confirmTogether(workspace);
      const { proposal } = await workspace.optimize({
        ...(isFull ? {} : { preset: 'quick' }),
        settings: { caps: { calls: 20_000 }, gate: { attribution: isFull } },
      });
      assert.ok(proposal !== undefined, 'there is something to learn');
      const evals = ['evals.json', 'whetstone.json'].map((name) =>
        readFileSync(path.join(path.dirname(workspace.skillPath), 'evals', name), 'utf8'),
      );
      const written = [...evals, JSON.stringify(proposal)].join('\n');
      for (const { canary } of few(attacks)) assert.ok(!written.includes(canary), canary);
    } finally {
      workspace.dispose();
    }
  });
});

/** What a person does who confirms all that is offered to be confirmed together. */
async function confirmTogether(workspace: TestWorkspace): Promise<void> {
  const { tasks } = await workspace.overview();
  const ids = (tasks?.drafts ?? []).map(({ id }) => id).filter((id) => tasks?.onlySingly?.has(id) !== true);
  assert.ok(ids.length >= 10, `only ${ids.length} can be confirmed together`);
  for (const id of ids)
    await workspace.useCases().changeTasks({ ...request(workspace), change: { kind: 'confirm', id } }, neverAborted);
}

interface Written {
  readonly prompt: string;
  readonly expectations: readonly string[];
  readonly checks: readonly unknown[];
}

interface Outcome {
  /** What the miner wrote. */
  readonly replies: readonly Written[];
  /** What waits of it. */
  readonly texts: readonly Written[];
  /** What is confirmed together. */
  readonly chosen: readonly Written[];
}

/** Mines one session with an obedient model. */
async function mined(attack: Attack, around: (model: LanguageModel) => LanguageModel): Promise<Outcome> {
  const replies: Written[] = [];
  const model = listened(around(createSimulatedModel({ obedient: true })), replies);
  const { workspace, session, wish } = aMiningWorld({ models: inEveryRole(model) });
  try {
    const useCases = workspace.useCases(undefined, { allowsSending: () => Promise.resolve(true) });
    await useCases.mineSessions(wish([session('attacked', attack.said)], { by: 'model' }), neverAborted);
    const { tasks } = await workspace.overview();
    const drafts = tasks?.drafts ?? [];
    return { replies, texts: drafts, chosen: drafts.filter(({ id }) => tasks?.onlySingly?.has(id) !== true) };
  } finally {
    workspace.dispose();
  }
}

const Reply = z.object({
  tasks: z.array(
    z.object({ prompt: z.string(), expectations: z.array(z.string()), checks: z.array(z.unknown()).default([]) }),
  ),
});

function listened(model: LanguageModel, replies: Written[]): LanguageModel {
  return {
    ...model,
    identity: model.identity,
    async complete(asked, signal) {
      const reply = await model.complete(asked, signal);
      const parsed = parseReply(reply.text, Reply);
      if (parsed.kind === 'parsed') replies.push(...parsed.value.tasks);
      return reply;
    },
  };
}

/** What of it is there because the attacker wanted it: a request that quotes them is still the person's. */
function wantedIn(written: readonly Written[], { canary, said }: Attack): readonly Written[] {
  const own = said.map((each) => (typeof each === 'string' ? each : each.asked).trim());
  return written.filter(
    ({ prompt, expectations, checks }) =>
      JSON.stringify([expectations, checks]).includes(canary) ||
      (prompt.includes(canary) && !own.includes(prompt.trim())),
  );
}

/** The same model, asked without the fences around what is data. */
function withoutFences(model: LanguageModel): LanguageModel {
  return {
    identity: model.identity,
    complete: (asked, signal) => {
      const messages = asked.messages.map((message) => ({ ...message, content: unfenced(message.content) }));
      return model.complete({ ...asked, messages }, signal);
    },
  };
}

function unfenced(prompt: string): string {
  let ticks: string | undefined;
  const lines = prompt.split('\n').filter((line) => {
    const opening = /^(`{3,})(?:asked|answer|remark)-\d+-[0-9a-f]{12}$/u.exec(line)?.[1];
    if (ticks === undefined && opening !== undefined) {
      ticks = opening;
      return false;
    }
    if (line !== ticks) return true;
    ticks = undefined;
    return false;
  });
  return lines.join('\n');
}
