import * as vscode from 'vscode';
import { commandLink } from '../commands/runCommand.js';
import type { RunSummary } from '../../engine/journal/runSummary.js';
import type { Overviews } from '../skills/overviews.js';
import { spendText, type LiveRun } from '../run/progressMessage.js';
import type { SkillCatalog } from '../skills/skillCatalog.js';
import { Branch } from './branch.js';
import { nightNodes, type TimedNode } from './nightNodes.js';
import { rowItem, withTooltip } from './rowItem.js';
import { pausedRun, runWord } from './skillState.js';
import { noChildren, type TreeNode } from './treeNode.js';
import { verdictWords } from './verdictWords.js';
import { scoresText } from '../../wording/gateWords.js';
import { shortRun } from '../../wording/shortVerdict.js';
import { shareText } from '../../wording/shareText.js';
import { retold } from '../../wording/translate.js';

const mostRuns = 200;
const redrawMs = 300;

/** The small second view: every run with its time, its verdict, what it used and why it ended; nights that were skipped, and why. */
export class RunsTree implements vscode.TreeDataProvider<Branch>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<Branch[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #catalog: Pick<SkillCatalog, 'skills' | 'onDidChange'>;
  readonly #overviews: Overviews;
  readonly #disposable: vscode.Disposable;
  readonly #soon: () => void;
  #root: Branch | undefined;
  #above: TreeNode | undefined;

  constructor(catalog: Pick<SkillCatalog, 'skills' | 'onDidChange'>, overviews: Overviews) {
    this.#catalog = catalog;
    this.#overviews = overviews;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void this.#update();
      }, redrawMs);
    };
    this.#soon = soon;
    this.#disposable = vscode.Disposable.from(this.#changed, catalog.onDidChange(soon), overviews.onDidChange(soon), {
      dispose: () => clearTimeout(timer),
    });
  }

  getTreeItem(branch: Branch): vscode.TreeItem {
    return rowItem(branch.id, branch.row());
  }

  resolveTreeItem(item: vscode.TreeItem, branch: Branch): vscode.TreeItem {
    return withTooltip(item, branch.row());
  }

  async getChildren(branch?: Branch): Promise<Branch[]> {
    if (branch !== undefined) return [...(await branch.load())];
    this.#root ??= new Branch(this.#list(), undefined);
    return [...(await this.#root.load())];
  }

  getParent(branch: Branch): Branch | undefined {
    return branch.parent === this.#root ? undefined : branch.parent;
  }

  /** Shows a row above the runs, in the place of the one before. */
  setAbove(node: TreeNode | undefined): void {
    if (node === undefined && this.#above === undefined) return;
    this.#above = node;
    this.#soon();
  }

  dispose(): void {
    this.#disposable.dispose();
  }

  /** Runs are drawn again one by one; only a new or a lost one redraws the list. */
  async #update(): Promise<void> {
    if (this.#root === undefined) return;
    const changed = await this.#root.update(this.#list());
    if (changed.length === 0) return;
    this.#changed.fire(changed.includes(this.#root) ? undefined : [...changed]);
  }

  #list(): TreeNode {
    return {
      id: 'runs',
      row: () => ({ label: '', icon: 'list-unordered', contextValue: 'runs', says: '' }),
      children: async () => {
        const skills = await this.#catalog.skills();
        if (skills.length === 0) return [];
        const found = await Promise.all(skills.map(({ realPath }) => this.#runsOf(realPath)));
        const nights = await this.#overviews.nights().catch(() => ({ nights: [], settled: undefined }));
        const runs = [...found.flat(), ...nightNodes(nights)].sort((a, b) => b.at - a.at).slice(0, mostRuns);
        return [...(this.#above === undefined ? [] : [this.#above]), ...runs.map(({ node }) => node)];
      },
    };
  }

  async #runsOf(skillPath: string): Promise<readonly TimedNode[]> {
    const overview = await this.#overviews.of(skillPath).catch(() => undefined);
    const live = this.#overviews.running(skillPath);
    const isOther = ({ runId }: RunSummary): boolean => runId !== live?.summary.runId;
    const runs = [...(overview?.unfinished ?? []), ...(overview?.runs ?? [])].filter(isOther);
    const paused = overview === undefined || live !== undefined ? undefined : pausedRun(overview)?.runId;
    return [
      ...(live === undefined ? [] : [{ at: live.summary.startedAt, node: liveNode(live, skillPath) }]),
      ...runs.map((run) => ({ at: run.startedAt, node: runNode(run, skillPath, run.runId === paused) })),
    ];
  }
}

/** A run of this window that is at work. */
function liveNode({ summary, share }: LiveRun, skillPath: string): TreeNode {
  const words = shareText(share);
  return {
    id: `run:${skillPath}:${summary.runId}`,
    skillPath,
    runId: summary.runId,
    row: () => ({
      label: `${summary.skillName} · ${purposeWord(summary)}`,
      description: [vscode.l10n.t('running'), words, spendText(summary)].join(' · '),
      icon: 'sync~spin',
      color: 'queued',
      contextValue: 'run.live',
      says: vscode.l10n.t('{0} is being trained: {1}, {2}.', summary.skillName, words, spendText(summary)),
    }),
    children: noChildren,
  };
}

/** One run. What it was for is a word; why it ended is in its tooltip and in what a screen reader says. */
export function runNode(run: RunSummary, skillPath: string, isPaused = false): TreeNode {
  const when = new Date(run.startedAt).toLocaleString(vscode.env.language);
  const look = isPaused ? pausedLook(run) : run.verdict === undefined ? outcomeLook(run) : verdictWords(run.verdict);
  const purpose = purposeWord(run);
  const reason = shortRun(run);
  return {
    id: `run:${skillPath}:${run.runId}`,
    skillPath,
    runId: run.runId,
    row: () => ({
      label: `${run.skillName} · ${purpose}`,
      description: descriptionOf(run, look.word, when),
      icon: look.icon,
      color: look.color,
      contextValue: isPaused ? `run.paused${run.outcome === 'waiting' ? '+waiting' : ''}` : `run.${run.outcome}`,
      says: vscode.l10n.t(
        'The {0} of {1} on {2}: {3}, {4}. {5}',
        purpose,
        run.skillName,
        when,
        look.word,
        spendText(run),
        reason === '' ? vscode.l10n.t('It did not end.') : reason,
      ),
      tooltip: () => [reason, ...run.notes.map(retold)].join('\n\n'),
      command: commandLink('whetstone.showTrainingReport', vscode.l10n.t('Show Report'), {
        skillPath,
        runId: run.runId,
      }),
    }),
    children: noChildren,
  };
}

/** A verdict is told by its word and its scores; why a run ended without one is told behind the row. */
function descriptionOf(run: RunSummary, word: string, when: string): string {
  const said = run.verdict === undefined ? [] : [scoresText(run.verdict) ?? ''];
  return [word, ...said, spendText(run), when].filter((part) => part !== '').join(' · ');
}

function purposeWord({ purpose }: RunSummary): string {
  return {
    optimize: vscode.l10n.t('run'),
    consolidate: vscode.l10n.t('consolidation'),
    night: vscode.l10n.t('night'),
    measure: vscode.l10n.t('measurement'),
    evaluate: vscode.l10n.t('evaluation'),
  }[purpose];
}

function pausedLook(run: RunSummary): ReturnType<typeof verdictWords> {
  if (run.outcome === 'waiting') return outcomeLook(run);
  return { word: vscode.l10n.t('paused, can go on'), icon: 'debug-pause', color: 'queued' };
}

function outcomeLook(run: RunSummary): ReturnType<typeof verdictWords> {
  const word = runWord(run);
  switch (run.outcome) {
    case 'running':
      return { word, icon: 'sync', color: 'queued' };
    case 'failed':
      return { word, icon: 'error', color: 'errored' };
    case 'cap':
      return { word, icon: 'circle-slash', color: 'queued' };
    case 'cancelled':
    case 'given-up':
      return { word, icon: 'circle-slash', color: 'skipped' };
    case 'waiting':
      return { word, icon: 'mail', color: 'queued' };
    case 'nothing':
    case 'proposed':
      return { word, icon: 'dash', color: 'skipped' };
  }
}
