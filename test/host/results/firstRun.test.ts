import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { RunControls } from '../../../src/editor/run/runControls.js';
import { withRunProgress } from '../../../src/editor/run/withRunProgress.js';
import { Overviews } from '../../../src/editor/skills/overviews.js';
import { RunsTree } from '../../../src/editor/tree/runsTree.js';
import { emptySummary } from '../../../src/engine/journal/runSummary.js';

const skillPath = '/folder/skills/dates/SKILL.md';
const skill = { realPath: skillPath, paths: [skillPath], name: 'dates', workspaceFolder: '/work' };
const catalog = {
  skills: () => Promise.resolve([skill]),
  onDidChange: new vscode.EventEmitter<void>().event,
};
const log = {
  info: () => undefined,
  warn: () => undefined,
  trace: () => undefined,
  show: () => undefined,
  dispose: () => undefined,
};

describe('the first run of a skill', () => {
  let overviews: Overviews;
  let tree: RunsTree;
  beforeEach(() => {
    overviews = new Overviews(() => Promise.reject(new Error('nothing is stored yet')));
    tree = new RunsTree(catalog, overviews);
  });
  afterEach(() => {
    tree.dispose();
    overviews.dispose();
  });

  it('is in the view of the runs from the press of the button on, with its share and what it used', async () => {
    assert.deepEqual(await described(), []);
    const parts = { overviews, controls: new RunControls(), log };
    await withRunProgress({ skillPath, title: 'Optimizing dates' }, parts, async (observe) => {
      assert.deepEqual(await described(), ['dates · run: running · 1 % · 0 tokens']);
      const summary = { ...emptySummary('r1', 0), skillName: 'dates' };
      const progress = { stage: 'baseline' as const, step: 0, done: 0, planned: 10 };
      observe({ kind: 'note', text: 'begun' }, { ...summary, progress });
      assert.deepEqual(await described(), ['dates · run: running · 1 % · 0 tokens']);
      assert.equal(overviews.anyRunning, true);
    });
    assert.deepEqual(await described(), []);
    assert.equal(overviews.anyRunning, false);
  });

  async function described(): Promise<readonly string[]> {
    return (await tree.getChildren()).map((row) => {
      const { label, description } = row.row();
      return `${label}: ${description}`;
    });
  }
});
