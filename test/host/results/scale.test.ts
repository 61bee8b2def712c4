import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { Overviews } from '../../../src/editor/overviews.js';
import type { Branch } from '../../../src/editor/tree/branch.js';
import { RunsTree } from '../../../src/editor/tree/runsTree.js';
import { SkillsTree } from '../../../src/editor/tree/skillsTree.js';
import { changeOneTask, makeSkills, scaledWorkshop, type Scale } from '../../builders/manySkills.js';
import { say } from '../say.js';

const full = process.env['WHETSTONE_FULL'] === '1';
const large: Scale = full ? { skills: 300, tasks: 5_000, runs: 200 } : { skills: 30, tasks: 500, runs: 20 };
const small: Scale = { skills: large.skills / 10, tasks: large.tasks / 10, runs: large.runs / 10 };
const mostTimes = 11;
/** At the small scale a busy machine's pauses weigh more than the work; the full numbers leave them no room. */
const slackMs = full ? 50 : 5_000;
/** What a heap keeps by itself between two looks at it. */
const slackMegabytes = 2;

interface Measured {
  readonly paintMs: number;
  readonly fillMs: number;
  readonly updateMs: number;
  readonly redrawn: number;
  readonly runs: number;
  readonly runsMs: number;
  readonly megabytes: number;
}

/** The tree over many skills, beside a tree that shows nothing, in the same extension host. */
describe('the tree at scale', () => {
  it(`shows ${large.skills} skills, ${large.tasks} tasks and ${large.runs} runs; ten times the data costs at most ${mostTimes} times`, async function () {
    this.timeout(300_000);
    const empty = await measured({ skills: 0, tasks: 0, runs: 0 });
    const few = await measured(small);
    const many = await measured(large);
    for (const [name, each] of Object.entries({ empty, few, many })) say(`      ${name}: ${textOf(each)}`);
    assert.equal(many.redrawn, 1, 'one task’s update redraws one item');
    assert.equal(many.runs, large.runs, 'every run is listed');
    assert.ok(
      many.megabytes <= mostTimes * few.megabytes + slackMegabytes,
      `${many.megabytes} MB against ${few.megabytes} MB`,
    );
    assert.ok(many.runsMs <= mostTimes * few.runsMs + slackMs, `${many.runsMs} ms against ${few.runsMs} ms`);
    assert.ok(many.fillMs <= mostTimes * few.fillMs + slackMs, `${many.fillMs} ms against ${few.fillMs} ms`);
    assert.ok(many.updateMs <= mostTimes * few.updateMs + slackMs, `${many.updateMs} ms against ${few.updateMs} ms`);
    assert.ok(many.paintMs <= mostTimes * few.paintMs + slackMs, `${many.paintMs} ms against ${few.paintMs} ms`);
  });
});

async function measured(scale: Scale): Promise<Measured> {
  const folder = await mkdtemp(path.join(tmpdir(), 'whetstone-scale-'));
  try {
    const skills = await makeSkills(folder, scale);
    const changed = new vscode.EventEmitter<void>();
    const overviews = new Overviews(() => Promise.resolve(scaledWorkshop(folder)));
    const catalog = { skills: () => Promise.resolve(skills), onDidChange: changed.event };
    const before = heapMegabytes();
    const tree = new SkillsTree(catalog, overviews);
    const looked = once(tree.onDidLook);
    const started = performance.now();
    const roots = await tree.getChildren();
    for (const branch of roots) tree.getTreeItem(branch);
    const paintMs = performance.now() - started;
    await looked;
    const fillMs = performance.now() - started;
    const megabytes = heapMegabytes() - before;
    const runs = await listedRuns(new RunsTree(catalog, overviews));
    const update = await oneUpdate(tree, overviews, roots.at(-1));
    tree.dispose();
    overviews.dispose();
    return { paintMs, fillMs, megabytes, ...runs, ...update };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How long the second view takes to list what the first has read. */
async function listedRuns(tree: RunsTree): Promise<Pick<Measured, 'runs' | 'runsMs'>> {
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

/** Opens one skill down to its tasks, changes the text of one, and counts what has to be drawn again. */
async function oneUpdate(
  tree: SkillsTree,
  overviews: Overviews,
  skill: Branch | undefined,
): Promise<Pick<Measured, 'updateMs' | 'redrawn'>> {
  if (skill?.skillPath === undefined) return { updateMs: 0, redrawn: 0 };
  for (const child of await tree.getChildren(skill)) {
    for (const side of await tree.getChildren(child)) await tree.getChildren(side);
  }
  await changeOneTask(skill.skillPath);
  const drawn = once(tree.onDidChangeTreeData);
  const started = performance.now();
  overviews.refresh(skill.skillPath);
  const rows = (await drawn) ?? [];
  for (const row of rows) tree.getTreeItem(row);
  return { updateMs: performance.now() - started, redrawn: rows.length };
}

function once<Value>(event: vscode.Event<Value>): Promise<Value> {
  return new Promise((resolve) => {
    const subscription = event((value) => {
      subscription.dispose();
      resolve(value);
    });
  });
}

function textOf({ paintMs, fillMs, updateMs, redrawn, runs, runsMs, megabytes }: Measured): string {
  return `first paint ${paintMs.toFixed(1)} ms, all states ${fillMs.toFixed(0)} ms, one task ${updateMs.toFixed(0)} ms and ${redrawn} rows, ${runs} runs ${runsMs.toFixed(1)} ms, ${megabytes.toFixed(1)} MB`;
}
