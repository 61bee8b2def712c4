import * as vscode from 'vscode';
import type { SkillOverview } from '../../app/results/overview.js';
import type { Overviews } from '../skills/overviews.js';
import { answersFollower } from '../run/tellAnswered.js';
import { reportError } from '../reportError.js';
import { readSettings } from '../settings.js';
import type { SkillCatalog } from '../skills/skillCatalog.js';
import type { Branch } from './branch.js';
import { RunsTree } from './runsTree.js';
import { shownName, type KnownSkill } from './skillNode.js';
import { pausedRun } from './skillState.js';
import { SkillsTree } from './skillsTree.js';

export interface Trees extends vscode.Disposable {
  readonly tree: SkillsTree;
  readonly view: vscode.TreeView<Branch>;
  readonly runsView: { readonly tree: RunsTree; readonly view: vscode.TreeView<Branch> };
  readonly onDidCount: vscode.Event<SkillCounts>;
}

interface TreeParts {
  readonly catalog: SkillCatalog;
  readonly overviews: Overviews;
  readonly rowsBeneath: ConstructorParameters<typeof SkillsTree>[2];
}

/** The two views of the container, the badge, and what the welcome texts depend on. */
export function registerTrees({ catalog, overviews, rowsBeneath }: TreeParts): Trees {
  const tree = new SkillsTree(catalog, overviews, rowsBeneath);
  const view = vscode.window.createTreeView('whetstone.skills', {
    treeDataProvider: tree,
    showCollapseAll: true,
    manageCheckboxStateManually: true,
  });
  const runs = new RunsTree(catalog, overviews);
  const runsView = vscode.window.createTreeView('whetstone.runs', { treeDataProvider: runs });
  const counted = new vscode.EventEmitter<SkillCounts>();
  const all = vscode.Disposable.from(
    tree,
    view,
    runs,
    counted,
    watchFirstRun(tree),
    runsView,
    view.onDidChangeCheckboxState(({ items }) => choose(tree, items)),
    tree.onDidLook((skills) => {
      const pending = skills.filter(waits).length;
      view.badge = pending === 0 ? undefined : { value: pending, tooltip: badgeText(pending) };
      counted.fire({
        skills: skills.length,
        pending,
        unmeasured: skills.filter(isUnmeasured).map(shownName),
      });
      tellContext(skills);
      tellArrangement(tree, view);
    }),
    tree.onDidLook(answersFollower()),
    overviews.onDidChange(tellOnce('isRunning', () => overviews.anyRunning)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('whetstone.model.target')) tellModel();
    }),
  );
  tellModel();
  void catalog.hasAny().then((found) => tell('hasSkills', found), reportError);
  const counting = setTimeout(() => void countWaiting(tree).catch(reportError), countAfterMs);
  return {
    tree,
    view,
    runsView: { tree: runs, view: runsView },
    onDidCount: counted.event,
    dispose: () => {
      clearTimeout(counting);
      all.dispose();
    },
  };
}

function choose(tree: SkillsTree, items: vscode.TreeCheckboxChangeEvent<Branch>['items']): void {
  const changes = items.map(([branch, state]) => [branch, state === vscode.TreeItemCheckboxState.Checked] as const);
  tree.choose(changes).catch(reportError);
}

const countAfterMs = 3_000; // once the window is up
const many = 8; // more than a glance takes in

/** What is left out by the filter is said beside the title of the view. */
function tellArrangement(tree: SkillsTree, view: vscode.TreeView<Branch>): void {
  const { filter, order } = tree.arrangement;
  const { shown, all } = tree.counts;
  view.description = filter === '' ? '' : vscode.l10n.t('{0} of {1} · “{2}”', shown, all, filter);
  const context = { isFiltered: filter !== '', attentionFirst: order === 'attention' };
  for (const [key, value] of Object.entries(context)) tell(key, value);
}

/** What waits since another day is counted, and what commands can act on is known, without the view being opened; where nothing was ever run, nothing is read. */
async function countWaiting(tree: SkillsTree): Promise<void> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? [])
    if (await hasState(uri)) return void (await tree.getChildren());
  tell('untouched', true);
}

/** The first run of a folder may be another process's: what it leaves is looked at as soon as it is there. */
function watchFirstRun(tree: SkillsTree): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/.whetstone{,/proposals,/runs}', false, true, true);
  const look = (): void => {
    tell('untouched', false);
    void tree.getChildren().catch(reportError);
  };
  return vscode.Disposable.from(watcher, watcher.onDidCreate(look));
}

function tell(key: string, value: unknown): void {
  void vscode.commands.executeCommand('setContext', `whetstone.${key}`, value);
}

/** Whether runs of this folder were ever kept: in it, or in a repository above it. */
async function hasState(folder: vscode.Uri): Promise<boolean> {
  const isThere = await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, '.whetstone')).then(
    () => true,
    () => false,
  );
  const above = vscode.Uri.joinPath(folder, '..');
  return isThere || (above.path !== folder.path && hasState(above));
}

/** A rejected proposal is there to be looked at; it waits for nobody. */
function waits({ overview }: KnownSkill): boolean {
  return overview?.pending !== undefined && overview.pending.proposal.verdict.kind !== 'rejected';
}

function isUnmeasured({ overview }: KnownSkill): boolean {
  return overview?.measurement.kind === 'unmeasured';
}

function badgeText(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 skill has proposed edits')
    : vscode.l10n.t('{0} skills have proposed edits', count);
}

/** What the welcome texts, the menus of the explorer and the steps of the walkthrough depend on. */
function tellContext(skills: readonly KnownSkill[]): void {
  const some = (holds: (overview: SkillOverview) => boolean): boolean =>
    skills.some(({ overview }) => overview !== undefined && holds(overview));
  const context = {
    searched: true, // until the folders were searched nobody can say that there is none
    hasSkills: skills.length > 0,
    hasSeveralSkills: skills.length > 1,
    hasManySkills: skills.length >= many,
    hasTasks: some(({ tasks }) => tasks !== undefined),
    hasDrafts: some(({ tasks }) => (tasks?.drafts.length ?? 0) > 0),
    hasRuns: some(({ runs }) => runs.length > 0),
    hasPaused: some((overview) => pausedRun(overview) !== undefined),
    hasHanded: some(({ handed = [] }) => handed.length > 0),
    hasPending: some(({ pending }) => pending !== undefined),
    hasUnmeasured: some(({ measurement }) => measurement.kind === 'unmeasured'),
    canGather: some(({ pending }) => pending?.proposal.verdict.kind === 'inconclusive'),
    hasAdopted: some(({ history }) => history.length > 0),
    skillFolders: skills.flatMap(({ skill }) => skill.paths.map((path) => path.replace(/[\\/]SKILL\.md$/, ''))),
  };
  for (const [key, value] of Object.entries(context)) tell(key, value);
}

/** A run tells of every attempt; VS Code is told of what changes. */
function tellOnce(key: string, holds: () => boolean): () => void {
  let told = false;
  return () => {
    if (holds() === told) return;
    told = !told;
    tell(key, told);
  };
}

function tellModel(): void {
  const chosen = readSettings()['whetstone.model.target'] !== '';
  tell('hasModel', chosen);
}

/** What the trees know of all skills together, for the badge and the status bar. */
export interface SkillCounts {
  readonly skills: number;
  /** Skills whose proposals wait. */
  readonly pending: number;
  /** Names of skills that hold part of a proposal, which nobody measured. */
  readonly unmeasured: readonly string[];
}
