import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { Overviews } from '../../../src/editor/skills/overviews.js';
import type { Branch } from '../../../src/editor/tree/branch.js';
import { RunsTree } from '../../../src/editor/tree/runsTree.js';
import { SkillsTree } from '../../../src/editor/tree/skillsTree.js';
import { rowsBeneath } from './rowsBeneath.js';
import { changeOneTask, makeSkills, scaledUseCases, type Scale } from '../../builders/manySkills.js';
import { say } from '../say.js';
import { ShownTree, type RowExtension } from './shownTree.js';

const large: Scale = { skills: 300, tasks: 5_000, runs: 200 };
const small: Scale = { skills: large.skills / 10, tasks: large.tasks / 10, runs: large.runs / 10 };
const mostTimes = 11;
/** A busy machine's pauses. */
const slackMs = 50;
/** What a heap keeps by itself between two looks at it. */
const slackMegabytes = 2;

/** What a tree costs in VS Code's own view. */
interface Measured {
  readonly paintMs: number;
  readonly updateMs: number;
  readonly redrawn: number;
  readonly megabytes: number;
}

interface MeasuredSkills extends Measured {
  readonly fillMs: number;
  readonly runs: number;
  readonly runsMs: number;
}

/** The tree over many skills, beside that of an extension with one row, in the same extension host. */
describe('the tree at scale', () => {
  it(`shows ${large.skills} skills, ${large.tasks} tasks and ${large.runs} runs; ten times the data costs at most ${mostTimes} times`, async function () {
    this.timeout(300_000);
    const empty = await measuredRow();
    const few = await measured(small);
    const many = await measured(large);
    say(`      an empty extension: ${textOf(empty)}`);
    say(`      few: ${textOf(few)}, ${moreOf(few)}`);
    say(`      many: ${textOf(many)}, ${moreOf(many)}`);
    assert.equal(many.redrawn, 1, 'one task’s update redraws one item');
    assert.equal(many.runs, large.runs, 'every run is listed');
    assert.ok(
      many.megabytes <= mostTimes * Math.max(0, few.megabytes) + slackMegabytes, // a heap may shrink meanwhile
      `${many.megabytes} MB against ${few.megabytes} MB`,
    );
    for (const key of ['paintMs', 'fillMs', 'runsMs', 'updateMs'] as const) {
      assert.ok(many[key] <= mostTimes * few[key] + slackMs, `${key}: ${many[key]} against ${few[key]}`);
    }
  });
});

async function measuredRow(): Promise<Measured> {
  const before = heapMegabytes();
  const extension = vscode.extensions.getExtension<RowExtension>('whetstone-tests.row-extension');
  assert.ok(extension);
  const rows = await extension.activate();
  const shown = await ShownTree.show(rows);
  const megabytes = heapMegabytes() - before;
  await shown.reveal(rows.row);
  const update = await shown.redraws(() => rows.change());
  shown.dispose();
  return { paintMs: shown.paintMs, megabytes, ...update };
}

async function measured(scale: Scale): Promise<MeasuredSkills> {
  const folder = await mkdtemp(path.join(tmpdir(), 'whetstone-scale-'));
  try {
    const skills = await makeSkills(folder, scale);
    const changed = new vscode.EventEmitter<void>();
    const overviews = new Overviews(() => Promise.resolve(scaledUseCases(folder)));
    const catalog = { skills: () => Promise.resolve(skills), onDidChange: changed.event };
    const before = heapMegabytes();
    const tree = new SkillsTree(catalog, overviews, rowsBeneath);
    const looked = once(tree.onDidLook);
    const started = performance.now();
    const shown = await ShownTree.show(tree);
    await looked;
    const fillMs = performance.now() - started;
    const megabytes = heapMegabytes() - before;
    const runs = await listedRuns(new RunsTree(catalog, overviews));
    const update = await oneUpdate(tree, overviews, shown);
    shown.dispose();
    tree.dispose();
    overviews.dispose();
    return { paintMs: shown.paintMs, fillMs, megabytes, ...runs, ...update };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How long the second view takes to list what the first has read. */
async function listedRuns(tree: RunsTree): Promise<Pick<MeasuredSkills, 'runs' | 'runsMs'>> {
  const started = performance.now();
  const rows = await tree.getChildren();
  for (const row of rows) tree.getTreeItem(row);
  const runsMs = performance.now() - started;
  tree.dispose();
  return { runs: rows.length, runsMs };
}

/** What is held, once everything that is not has been thrown away. */
function heapMegabytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** Opens the last skill down to its tasks, changes the text of one, and counts what VS Code draws again. */
async function oneUpdate(
  tree: SkillsTree,
  overviews: Overviews,
  shown: ShownTree<Branch>,
): Promise<Pick<Measured, 'updateMs' | 'redrawn'>> {
  const skill = (await tree.getChildren()).at(-1);
  assert.ok(skill?.skillPath !== undefined);
  await shown.reveal(await firstTask(tree, skill));
  await changeOneTask(skill.skillPath);
  return shown.redraws(() => overviews.refresh(skill.skillPath ?? ''));
}

async function firstTask(tree: SkillsTree, skill: Branch): Promise<Branch> {
  for (const child of await tree.getChildren(skill)) {
    for (const side of await tree.getChildren(child)) {
      const [task] = await tree.getChildren(side);
      if (task !== undefined) return task;
    }
  }
  throw new Error('the skill has no task');
}

function once<Value>(event: vscode.Event<Value>): Promise<Value> {
  return new Promise((resolve) => {
    const subscription = event((value) => {
      subscription.dispose();
      resolve(value);
    });
  });
}

function textOf({ paintMs, updateMs, redrawn, megabytes }: Measured): string {
  return `first paint ${paintMs.toFixed(0)} ms, one update ${updateMs.toFixed(0)} ms and ${redrawn} rows, ${megabytes.toFixed(1)} MB`;
}

function moreOf({ fillMs, runs, runsMs }: MeasuredSkills): string {
  return `all states ${fillMs.toFixed(0)} ms, ${runs} runs ${runsMs.toFixed(1)} ms`;
}
