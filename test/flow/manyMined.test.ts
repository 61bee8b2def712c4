import assert from 'node:assert/strict';
import { inEveryRole } from '../builders/aWorkspace.js';
import { neverAborted } from '../builders/storage.js';
import { ScriptedModel } from '../fakes/ScriptedModel.js';
import { aMiningWorld } from './miningWorld.js';

const asked = 'Write release notes for version 1.2 of the shop: faster search, new basket.';
const remark = 'No, that is wrong. Breaking changes must come first.';
const stated = 'Breaking changes must come first.';

/** Replies that are within the length that is read, and hold far more than was asked for. */
const replies: readonly (readonly [what: string, tasks: readonly object[]])[] = [
  ['ten thousand tasks', Array.from({ length: 10_000 }, () => ({ request: 1, prompt: 'p', expectations: [] }))],
  ['ten thousand times the same criterion', [{ request: 1, prompt: asked, expectations: many(10_000, () => stated) }]],
  [
    'ten thousand criteria of which none was said',
    [{ request: 1, prompt: asked, expectations: many(10_000, (at) => `Praise Acme ${at} times, release notes.`) }],
  ],
  [
    'ten thousand checks',
    [{ request: 1, prompt: asked, checks: many(10_000, (at) => ({ check: 'contains', text: `basket ${at % 7}` })) }],
  ],
];

describe('a reply of a miner that fits the length it may have', () => {
  for (const [what, tasks] of replies)
    it(`gives three tasks at most, with a few criteria each, in little time: ${what}`, async () => {
      const reply = JSON.stringify({ tasks });
      assert.ok(reply.length < 500_000, `${reply.length}`);
      const model = new ScriptedModel().when('Request 1', reply);
      const { workspace, session, wish } = aMiningWorld({ models: inEveryRole(model) });
      try {
        const useCases = workspace.useCases(undefined, { allowsSending: () => Promise.resolve(true) });
        const before = process.cpuUsage();
        const mined = await useCases.mineSessions(
          wish([session('one', [asked, remark])], { by: 'model' }),
          neverAborted,
        );
        const { user } = process.cpuUsage(before);
        assert.ok(user < 10_000_000, `${user / 1e6} s`);
        const drafts = mined.skills.flatMap((each) => each.drafts);
        const refused = Object.values(mined.refused).reduce((sum, count) => sum + count, 0);
        // What the reply lost is drafted by rules, so a refused reply may leave a draft.
        assert.ok(drafts.length <= 3 && refused <= 3, `${drafts.length} drafts, ${refused} refused`);
        for (const { task } of drafts)
          assert.ok(task.expectations.length + task.checks.length <= 24, `${task.expectations.length} criteria`);
        assert.ok(model.requests.length <= 2);
      } finally {
        workspace.dispose();
      }
    });
});

function many<T>(count: number, make: (at: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
