import * as vscode from 'vscode';
import type { RunSummary } from '../../engine/runSummary.js';
import type { Overviews } from '../overviews.js';
import { spendText } from '../run/progressMessage.js';
import type { SkillCatalog } from '../skillCatalog.js';
import { rowItem } from './row.js';
import { noChildren, type TreeNode } from './treeNode.js';
import { verdictWords } from './verdictWords.js';

const mostRuns = 100;

/** The small second view: every run with its time, its verdict, what it used and why it ended. */
export class RunsTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #catalog: SkillCatalog;
  readonly #overviews: Overviews;
  readonly #disposable: vscode.Disposable;

  constructor(catalog: SkillCatalog, overviews: Overviews) {
    this.#catalog = catalog;
    this.#overviews = overviews;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#changed.fire(undefined), 300);
    };
    this.#disposable = vscode.Disposable.from(this.#changed, catalog.onDidChange(soon), overviews.onDidChange(soon), {
      dispose: () => clearTimeout(timer),
    });
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return node.item();
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node !== undefined) return [...(await node.children())];
    const skills = await this.#catalog.skills();
    const overviews = await Promise.all(
      skills.map(({ realPath }) => this.#overviews.of(realPath).catch(() => undefined)),
    );
    const runs = overviews.flatMap((overview) =>
      overview === undefined ? [] : overview.runs.map((run) => ({ run, skillPath: overview.skillPath })),
    );
    return runs
      .sort((a, b) => b.run.startedAt - a.run.startedAt)
      .slice(0, mostRuns)
      .map(({ run, skillPath }) => runNode(run, skillPath));
  }

  dispose(): void {
    this.#disposable.dispose();
  }
}

function runNode(run: RunSummary, skillPath: string): TreeNode {
  const id = `run:${skillPath}:${run.runId}`;
  const when = new Date(run.startedAt).toLocaleString();
  const look = run.verdict === undefined ? outcomeLook(run) : verdictWords(run.verdict);
  const purpose = {
    optimize: vscode.l10n.t('run'),
    consolidate: vscode.l10n.t('consolidation'),
    night: vscode.l10n.t('night'),
    measure: vscode.l10n.t('measurement'),
    evaluate: vscode.l10n.t('evaluation'),
  }[run.purpose];
  return {
    id,
    skillPath,
    item: () =>
      rowItem({
        id,
        label: `${run.skillName} · ${purpose}`,
        description: [when, look.word, spendText(run)].join(' · '),
        icon: look.icon,
        color: look.color,
        contextValue: 'run',
        says: vscode.l10n.t('{0} of {1} on {2}: {3}. {4}', purpose, run.skillName, when, look.word, run.reason),
        tooltip: [run.reason, ...run.notes].join('\n'),
        command: {
          command: 'whetstone.showReport',
          title: vscode.l10n.t('Show Report'),
          arguments: [{ skillPath, runId: run.runId }],
        },
      }),
    children: noChildren,
  };
}

function outcomeLook(run: RunSummary): ReturnType<typeof verdictWords> {
  switch (run.outcome) {
    case 'running':
      return { word: vscode.l10n.t('unfinished'), icon: 'sync', color: 'queued' };
    case 'failed':
      return { word: vscode.l10n.t('failed'), icon: 'error', color: 'errored' };
    case 'cap':
      return { word: vscode.l10n.t('ended at its cap'), icon: 'circle-slash', color: 'queued' };
    case 'cancelled':
      return { word: vscode.l10n.t('cancelled'), icon: 'circle-slash', color: 'skipped' };
    case 'nothing':
    case 'proposed':
      return {
        word: run.purpose === 'evaluate' ? vscode.l10n.t('scored') : vscode.l10n.t('nothing proposed'),
        icon: 'dash',
        color: 'skipped',
      };
  }
}
