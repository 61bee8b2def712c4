import assert from 'node:assert/strict';
import { budgetAhead } from '../../src/app/runs/certificationStore.js';
import { skillCertifications } from '../../src/app/runs/certifications/skillCertifications.js';
import { openSkill, type OpenSkill } from '../../src/app/openSkill.js';
import { recallableTasks } from '../../src/app/tasks/learnedSessions.js';
import { readSkillTasks, type SkillTasks } from '../../src/app/tasks/skillTasks.js';
import { withUnconfirmed } from '../../src/app/tasks/withUnconfirmed.js';
import { recallSimilar } from '../../src/engine/consolidate/trainingTasks.js';
import { openErrorBudget } from '../../src/gate/statistics/errorBudget.js';
import { harvestedDraftsOf, type HarvestedDraft } from '../../src/storage/harvest/harvestedDrafts.js';
import { taskArchiveOf, type PastTask } from '../../src/storage/state/taskArchive.js';
import { atOnce } from '../../src/tasks/steps.js';
import type { Task, TrainingTask } from '../../src/tasks/task.js';
import { ownWords } from '../builders/aWorkspace.js';
import { aTrainingTask } from '../builders/aTask.js';
import { neverAborted } from '../builders/storage.js';
import { aMiningWorld, request, type MiningWorld } from './miningWorld.js';

describe('tasks out of sessions and what they may prove', () => {
  it('refill the error budget once they are confirmed, and not before', () =>
    withMined(7, async (world, skill) => {
      await confirmAll(world);
      const known = (await tasksOf(skill)).read.tasks.map(({ contentHash }) => contentHash);
      const spent = { budget: { ...openErrorBudget(known), remaining: 0 }, begun: [] };
      await skillCertifications(skill.store).update(() => spent, neverAborted);
      await mine(world, 7, 12);
      const drafted = await withUnconfirmed(skill, await tasksOf(skill));
      assert.ok((drafted.unconfirmed?.taken.length ?? 0) > 0, 'a night would learn from some of them');
      assert.equal((await budgetOf(skill, drafted)).remaining, 0);
      await confirmAll(world);
      const confirmed = await tasksOf(skill);
      const { remaining, refills } = await budgetOf(skill, confirmed);
      const fresh = confirmed.result.split.heldOut.filter(({ contentHash }) => !known.includes(contentHash)).length;
      assert.ok(fresh > 0);
      const all = confirmed.result.split.heldOut.length;
      assert.deepEqual(
        refills.map((each) => each.kind === 'new-tasks' && [each.newTasks, each.allTasks]),
        [[fresh, all]],
      );
      assert.ok(Math.abs(remaining - (0.05 * fresh) / all) < 1e-12);
    }));
});

describe('tasks out of sessions that a model made', () => {
  it('are learned from unseen only where every word of their criteria is the person’s', () =>
    withMined(9, async (world, skill) => {
      await confirmAll(world);
      await mine(world, 9, 15);
      const drafts = harvestedDraftsOf(skill.store);
      const taken = async (): Promise<number> =>
        (await withUnconfirmed(skill, await tasksOf(skill))).unconfirmed?.taken.length ?? 0;
      const byRules = await taken();
      assert.ok(byRules > 0);
      const waiting = await drafts.all();
      const again = async (parts: Partial<HarvestedDraft>): Promise<void> => {
        for (const draft of waiting) await drafts.restore({ ...draft, ...parts }, neverAborted);
      };
      await again({ by: 'model' });
      assert.equal(await taken(), 0, 'as an earlier version kept them');
      await again({ by: 'model', ground: 'every-word' });
      assert.equal(await taken(), byRules);
    }));
});

describe('recall of tasks out of sessions', () => {
  const tonight = aTrainingTask({ id: 'tonight', prompt: 'Write release notes of the shop about its new basket.' });
  const like = {
    ...aTrainingTask({
      id: 'like',
      prompt: 'Write release notes of the shop about its old basket.',
      origin: 'session b',
    }),
    from: 'every-word' as const,
  };
  const unlike = {
    ...aTrainingTask({ id: 'unlike', prompt: 'Write a letter to the harbour.', origin: 'session c' }),
    from: 'by-rules' as const,
  };
  const brought = {
    ...aTrainingTask({ id: 'brought', prompt: 'Write about the shop and the harbour of the town.' }),
    from: 'brought' as const,
  };

  it('brings back those of earlier nights, the nearest first, while nights may learn from unconfirmed ones', () =>
    withMined(0, async (_, skill) => {
      await taskArchiveOf(skill.store).add([unlike, brought, like], neverAborted);
      assert.deepEqual(await recalled(skill, { on: true }), ['recall:like', 'recall:brought', 'recall:unlike']);
      assert.deepEqual(await recalled(skill, { on: false }), ['recall:brought']);
    }));

  it('brings back none that is of one session with a task on another side', () =>
    withMined(0, async (_, skill) => {
      await taskArchiveOf(skill.store).add([unlike, like], neverAborted);
      const heldOut = aTrainingTask({ id: 'other', prompt: 'Count the lamps on the quay.', origin: 'session b' });
      assert.deepEqual(await recalled(skill, { on: true, heldOut }), ['recall:unlike']);
    }));

  it('brings back none that the person deleted, as a draft or as a task of the files', () =>
    withMined(4, async (world, skill) => {
      const { workspace } = world;
      const drafts = (await workspace.overview()).tasks?.drafts ?? [];
      await taskArchiveOf(skill.store).add(
        drafts.map((draft) => ({ ...draft, side: 'training', from: 'by-rules' })),
        neverAborted,
      );
      const remove = async ({ id }: Task): Promise<unknown> =>
        workspace.useCases().removeTask({ ...request(workspace), task: id }, neverAborted);
      const [first, ...others] = drafts;
      assert.ok(first !== undefined);
      assert.equal((await recalled(skill, { on: true, most: 20 })).length, 4);
      await remove(first);
      assert.equal((await recalled(skill, { on: true, most: 20 })).length, 3);
      await confirmAll(world);
      await remove(others[0] ?? assert.fail());
      assert.deepEqual(await recalled(skill, { on: true, most: 20 }), [], 'confirmed ones are no past tasks');
      await taskArchiveOf(skill.store).add([{ ...brought, from: 'files' }], neverAborted);
      assert.deepEqual(await recalled(skill, { on: true, most: 20 }), [], 'it stood in the files, and does no more');
      assert.equal((await recallableTasks(skill, { taken: [], older: [] })).withoutRule, 0);
    }));

  it('brings back of what earlier versions archived only what a draft that waits shows to be lawful, and counts the rest', () =>
    withMined(2, async (world, skill) => {
      const waiting = ((await world.workspace.overview()).tasks?.drafts ?? []).map((each) => ({
        ...each,
        side: 'training' as const,
      }));
      await taskArchiveOf(skill.store).add([older(unlike), older(like), older(brought), ...waiting], neverAborted);
      const ids = waiting.map(({ id }) => `recall:${id}`).sort();
      assert.equal(ids.length, 2);
      assert.deepEqual((await recalled(skill, { on: true, most: 20 })).toSorted(), ids);
      assert.equal((await recallableTasks(skill, { taken: [], older: [] })).withoutRule, 2);
      const drafts = harvestedDraftsOf(skill.store);
      for (const draft of await drafts.all()) await drafts.restore({ ...draft, by: 'model' }, neverAborted);
      assert.deepEqual(await recalled(skill, { on: true, most: 20 }), []);
      assert.equal((await recallableTasks(skill, { taken: [], older: [] })).withoutRule, 4);
    }));

  interface Recalling {
    readonly on: boolean;
    readonly heldOut?: Task;
    readonly most?: number;
  }

  async function recalled(skill: OpenSkill, { on, heldOut, most = 3 }: Recalling): Promise<readonly string[]> {
    const { tasks: archive } = await recallableTasks(skill, on ? { taken: [], older: [] } : undefined);
    const apart = heldOut === undefined ? [] : [{ ...heldOut, side: 'heldOut' as const }];
    const split = { training: [tonight], heldOut: apart, sealed: [], setAside: [] };
    const present = (await readSkillTasks(skill))?.read.tasks ?? [];
    return atOnce(recallSimilar({ archive, split, present }, most)).map(({ id }) => id);
  }
});

/** As an earlier version archived it. */
function older({ from: _from, ...task }: TrainingTask & PastTask): TrainingTask {
  return task;
}

async function withMined(count: number, work: (world: MiningWorld, skill: OpenSkill) => Promise<void>): Promise<void> {
  const world = aMiningWorld();
  const { workspace } = world;
  try {
    if (count > 0) await mine(world, 0, count);
    await work(world, await openSkill(workspace.world(), request(workspace), 'work'));
  } finally {
    workspace.dispose();
  }
}

async function mine({ workspace, session, wish }: MiningWorld, from: number, to: number): Promise<void> {
  const sessions = Array.from({ length: to - from }, (_, at) => session(`s${from + at}`, [asked(from + at)]));
  await workspace.useCases().mineSessions(wish(sessions), neverAborted);
}

function asked(at: number): string {
  return `Write release notes of the shop for its users about ${ownWords(`n${at}`)}.`;
}

async function confirmAll({ workspace }: MiningWorld): Promise<void> {
  for (const { id } of (await workspace.overview()).tasks?.drafts ?? [])
    await workspace.useCases().changeTasks({ ...request(workspace), change: { kind: 'confirm', id } }, neverAborted);
}

async function tasksOf(skill: OpenSkill): Promise<SkillTasks> {
  return (await readSkillTasks(skill)) ?? assert.fail('there are no tasks');
}

function budgetOf({ store }: OpenSkill, { result }: SkillTasks): ReturnType<typeof budgetAhead> {
  return budgetAhead(store, result, { simulated: false });
}
