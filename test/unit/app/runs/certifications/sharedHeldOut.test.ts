import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { certificationsOf, conditionsOf } from '../../../../../src/app/runs/certificationStore.js';
import { skillCertifications } from '../../../../../src/app/runs/certifications/skillCertifications.js';
import { resolveOptions } from '../../../../../src/engine/runOptions.js';
import { startCertification } from '../../../../../src/gate/statistics/certification.js';
import { openErrorBudget } from '../../../../../src/gate/statistics/errorBudget.js';
import { sha256 } from '../../../../../src/hash.js';
import { nodeClock } from '../../../../../src/storage/files/nodeAdapters.js';
import { cleanSkill } from '../../../../../src/storage/state/retention.js';
import type { SkillStore } from '../../../../../src/storage/state/store.js';
import {
  aMachine,
  aStore,
  neverAborted,
  scrapMachines,
  skillText,
  type Machine,
} from '../../../../builders/storage.js';
import { isFull } from '../../../../builders/few.js';
import { ScriptedModel } from '../../../../fakes/ScriptedModel.js';

const tasks = Array.from({ length: 6 }, (_, task) => sha256(`task ${task}`).slice(0, 32));
const first = { state: startCertification({ n: tasks.length, grid: 1 }), answers: {} };
const conditions = conditionsOf(
  { target: new ScriptedModel(), optimizer: new ScriptedModel(), judge: new ScriptedModel() },
  resolveOptions('standard', []),
);

const fourPaid = [1, 2, 3, 4].map((number) => ({ id: `c${number}`, alpha: 0.0125 }));

describe('certifications of skills with the same held-out tasks', () => {
  let machine: Machine;
  let store: SkillStore;
  beforeEach(async () => {
    machine = await aMachine();
    store = await aStore(machine, { clock: nodeClock });
  });
  after(scrapMachines);

  it('are paid from one budget, and whoever finds it empty is told by whom', async () => {
    assert.equal(await most(store), 4);
    const copy = await aSkill('copy');
    const opened = await open(copy, 'x');
    assert.ok(opened.kind === 'budget-empty');
    assert.deepEqual(opened.spentBy, [{ name: 'skills/dates/SKILL.md', certifications: 4 }]);
  });

  it('are told by the name of the folder where the other lies in another workspace', async () => {
    assert.equal(await most(store), 4);
    const elsewhere = path.join(machine.folder, 'clone', 'skills', 'dates');
    const copy = await aSkillIn(elsewhere, path.join(machine.folder, 'clone'));
    const opened = await open(copy, 'x');
    assert.ok(opened.kind === 'budget-empty');
    assert.deepEqual(opened.spentBy, [{ name: 'workspace/skills/dates/SKILL.md', certifications: 4 }]);
  });

  it('know the tasks by their words and files, whatever their checks are', async () => {
    const texts = new Map(tasks.map((task) => [task, `text of ${task}`]));
    assert.equal(await most(store, tasks, texts), 4);
    const changed = tasks.map((task) => sha256(task).slice(0, 32));
    const same = new Map(changed.map((task, at) => [task, texts.get(tasks[at] ?? '') ?? '']));
    assert.equal(await most(await aSkill('copy'), changed, same), 0);
  });

  it('leave skills alone that share no task, and read the same as ever', async () => {
    assert.equal(await most(store), 4);
    const other = await aSkill('other');
    assert.equal(
      await most(
        other,
        tasks.map((task) => sha256(task)),
      ),
      4,
    );
    const reading = await skillCertifications(other).read();
    assert.ok(reading.kind === 'verified' && !('elsewhere' in reading.body.budget));
  });

  it('on the simulated model count in their own skill alone: the demo begins afresh in every copy', async () => {
    assert.equal(await most(store, tasks, new Map(), true), 4);
    assert.equal(await most(await aSkill('copy'), tasks, new Map(), true), 4);
    assert.equal(await most(await aSkill('real')), 4);
    assert.equal(await most(await aSkill('real copy')), 0);
    assert.equal(await most(await aSkill('demo'), tasks, new Map(), true), 4);
  });

  it('count what an earlier version wrote, which knew hashes only', async () => {
    const budget = { ...openErrorBudget(tasks), remaining: 0, certifications: fourPaid };
    await skillCertifications(store).update(() => ({ budget, begun: [] }), neverAborted);
    assert.equal(await most(await aSkill('copy')), 0);
  });

  it('cannot take the last quarter twice, however many begin at once', async () => {
    const copies = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(aSkill));
    const opened = await Promise.all(copies.map((copy) => open(copy, 'x')));
    assert.equal(opened.filter(({ kind }) => kind === 'open').length, 4);
  });

  const damages: readonly (readonly [string, (file: string) => Promise<void>])[] = [
    ['is missing', (file) => rm(file)],
    ['is broken', (file) => writeFile(file, 'not JSON')],
    ['was changed by hand', async (file) => writeFile(file, (await readFile(file, 'utf8')).replace('0.05', '0.00'))],
  ];
  for (const [name, damage] of damages) {
    it(`are counted also where what was gathered of them ${name}`, async () => {
      assert.equal(await most(store), 4);
      assert.equal(await most(await aSkill('copy')), 0);
      await damage(index());
      assert.equal(await most(await aSkill('third')), 0);
      assert.match(await readFile(index(), 'utf8'), /^\{\n "format": "whetstone-certified-texts",\n "version": 1,/);
    });
  }

  it('of a skill that was cleaned are forgotten', async () => {
    assert.equal(await most(store), 4);
    await open(await aSkill('copy'), 'x');
    const { skillId } = store.places;
    await cleanSkill(store, neverAborted);
    await assert.rejects(stat(index()), 'nothing of it stays');
    assert.equal(await most(await aSkill('third')), 4);
    assert.ok(!(await readFile(index(), 'utf8')).includes(skillId));
  });

  it('of many skills are read once, and then only those that changed', async () => {
    const skills = isFull ? 300 : 40;
    await Promise.all(Array.from({ length: skills }, (_, number) => written(`s${number}`)));
    const folder = path.join(store.folder, 'certifications');
    const files = (await readdir(folder)).map((name) => path.join(folder, name));
    await Promise.all(files.map((file) => utimes(file, long, long)));
    assert.equal(await most(await aSkill('copy')), 0);
    // Whoever read these again would find that they are broken, and count nothing; by their times they are as before.
    await Promise.all(files.map(breakUnseen));
    assert.equal(await most(await aSkill('third')), 0);
    assert.ok((await stat(index())).size < skills * 700);
  });

  function index(): string {
    return path.join(store.folder, 'certified-texts.json');
  }

  async function aSkill(name: string): Promise<SkillStore> {
    return aSkillIn(path.join(machine.workspace, 'skills', name), machine.workspace);
  }

  async function aSkillIn(folder: string, workspace: string): Promise<SkillStore> {
    await mkdir(folder, { recursive: true });
    const skillPath = path.join(folder, 'SKILL.md');
    await writeFile(skillPath, skillText);
    return aStore(machine, { clock: nodeClock, request: { skillPath, workspaceFolders: [workspace] } });
  }

  async function written(skillId: string): Promise<void> {
    const knownTexts = tasks.map((task) => sha256(task));
    const budget = { ...openErrorBudget(tasks), remaining: 0, knownTexts, certifications: fourPaid };
    const other = { ...store, places: { ...store.places, skillId } };
    await skillCertifications(other).update(() => ({ budget, begun: [] }), neverAborted);
  }
});

const long = 1_000_000_000; // a time in the past, in seconds

async function breakUnseen(file: string): Promise<void> {
  await writeFile(file, 'x'.repeat((await stat(file)).size));
  await utimes(file, long, long);
}

async function open(
  store: SkillStore,
  candidateHash: string,
  heldOut = tasks,
  { texts = new Map<string, string>(), simulated = false } = {},
) {
  const certifying = { run: candidateHash, under: conditions, facts: { texts }, simulated };
  const certifications = certificationsOf(store, certifying, neverAborted);
  return certifications.open({ originalHash: 'original', candidateHash, heldOut }, first);
}

/** How many certifications are paid for until the budget is empty. */
async function most(
  store: SkillStore,
  heldOut = tasks,
  texts = new Map<string, string>(),
  simulated = false,
): Promise<number> {
  for (let paid = 0; ; paid += 1) {
    const opened = await open(store, `candidate ${paid}`, heldOut, { texts, simulated });
    if (opened.kind === 'budget-empty') return paid;
  }
}
