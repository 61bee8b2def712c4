import * as vscode from 'vscode';
import { messageOf } from '../../errors.js';
import type { FoundSkill } from '../skills/discoverSkills.js';
import type { Overviews } from '../skills/overviews.js';
import { usageNode } from '../harvest/usageNode.js';
import { readSettings } from '../settings.js';
import type { SkillCatalog } from '../skills/skillCatalog.js';
import { arranged, everything, tellingFolder, type Arrangement } from './arrangement.js';
import { Branch } from './branch.js';
import { EditChoices } from '../../review/editChoices.js';
import { folderNode } from './folderNode.js';
import { rowItem, withTooltip } from './rowItem.js';
import { shownName, skillNode, type KnownSkill, type RowsBeneath } from './skillNode.js';
import type { TreeNode } from './treeNode.js';

const redrawMs = 100; // a run tells of every attempt; nobody reads faster than this

/** The skills of the open folders, grouped by folder where there are several. Draws again only what changed. */
export class SkillsTree implements vscode.TreeDataProvider<Branch>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<Branch[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #looked = new vscode.EventEmitter<readonly KnownSkill[]>();
  /** Fires when more is known about the skills. */
  readonly onDidLook = this.#looked.event;
  readonly #catalog: Pick<SkillCatalog, 'skills' | 'onDidChange'>;
  readonly #overviews: Overviews;
  readonly #choices = new EditChoices();
  readonly #rowsBeneath: RowsBeneath;
  readonly #known = new Map<string, KnownSkill>();
  /** By skill: which look told what is known of it. One that began earlier and ends later tells what was. */
  readonly #toldBy = new Map<string, number>();
  #looks = 0;
  readonly #branches = new Map<string, Branch>();
  readonly #soon = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #disposables: readonly vscode.Disposable[];
  #roots: Promise<readonly Branch[]> | undefined;
  #making: Promise<readonly Branch[]> = Promise.resolve([]);
  #arrangement = everything;
  #usage: { readonly counted: string; readonly branch: Branch } | undefined;
  #found: readonly FoundSkill[] = [];
  #shown: readonly FoundSkill[] = [];

  constructor(
    catalog: Pick<SkillCatalog, 'skills' | 'onDidChange'>,
    overviews: Overviews,
    rowsBeneath: (known: KnownSkill, choices: EditChoices) => ReturnType<RowsBeneath>,
  ) {
    this.#catalog = catalog;
    this.#overviews = overviews;
    this.#rowsBeneath = (known) => rowsBeneath(known, this.#choices);
    this.#disposables = [
      this.#changed,
      this.#looked,
      catalog.onDidChange(() => this.#drawAnew()),
      overviews.onDidChange((skillPath) => this.#updateSoon(skillPath)),
      { dispose: () => this.#soon.forEach((timer) => clearTimeout(timer)) },
    ];
  }

  getTreeItem(branch: Branch): vscode.TreeItem {
    return rowItem(branch.id, branch.row());
  }

  resolveTreeItem(item: vscode.TreeItem, branch: Branch): vscode.TreeItem {
    return withTooltip(item, branch.row());
  }

  async getChildren(branch?: Branch): Promise<Branch[]> {
    return [...(branch === undefined ? await (this.#roots ??= this.#rootsAnew()) : await branch.load())];
  }

  getParent(branch: Branch): Branch | undefined {
    return branch.parent;
  }

  /** Which skills are shown, and in which order. */
  get arrangement(): Arrangement {
    return this.#arrangement;
  }

  /** Shows other skills, or in another order, until the window is closed. */
  arrange(wanted: Partial<Arrangement>): void {
    this.#arrangement = { ...this.#arrangement, ...wanted };
    this.#drawAnew();
    void this.getChildren();
  }

  /** How many skills are shown, and how many there are. */
  get counts(): { readonly shown: number; readonly all: number } {
    return { shown: this.#shown.length, all: this.#found.length };
  }

  /** The row of a skill, for reveal; a filter that hides it ends. */
  async branchOf(skillPath: string): Promise<Branch | undefined> {
    const shown = await this.shownBranch(skillPath);
    if (shown !== undefined || this.#arrangement.filter === '') return shown;
    this.arrange({ filter: '' });
    return this.shownBranch(skillPath);
  }

  /** The row of a skill; undefined where it is not shown, as by a filter. */
  async shownBranch(skillPath: string): Promise<Branch | undefined> {
    await this.getChildren();
    return this.#branches.get(skillPath);
  }

  /** The row about past sessions; undefined where nobody counted. */
  async usageBranch(): Promise<Branch | undefined> {
    await this.getChildren();
    await this.#lookAtUsage();
    await this.getChildren();
    return this.#usage?.branch;
  }

  /** The person checked or cleared boxes of edits. */
  async choose(changes: readonly (readonly [Branch, boolean])[]): Promise<void> {
    for (const [branch, checked] of changes) {
      const pending = this.#pendingOf(branch.skillPath);
      const { editId } = branch;
      if (pending === undefined || editId === undefined) continue;
      const together = pending.bound.find((unit) => unit.includes(editId)) ?? [editId];
      for (const id of together) this.#choices.set(pending.proposal.id, id, checked);
    }
    for (const skillPath of new Set(changes.map(([branch]) => branch.skillPath))) {
      if (skillPath !== undefined) await this.#redraw(skillPath);
    }
  }

  /** The open edits of a skill whose boxes are checked. */
  checkedEdits(skillPath: string): readonly string[] {
    const pending = this.#pendingOf(skillPath);
    if (pending === undefined) return [];
    const { proposal, decisions } = pending;
    return proposal.documents
      .flatMap((document) => document.edits.map(({ id }) => id))
      .filter((id) => decisions[id] === undefined && this.#choices.has(proposal.id, id));
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** One after the other: the rows that were asked for last are those that are told of what changes. */
  #rootsAnew(): Promise<readonly Branch[]> {
    return (this.#making = this.#making.catch(() => []).then(() => this.#makeRoots()));
  }

  async #makeRoots(): Promise<readonly Branch[]> {
    const all = await this.#catalog.skills();
    this.#branches.clear();
    const found = new Set(all.map(({ realPath }) => realPath));
    for (const path of this.#known.keys()) if (!found.has(path)) this.#known.delete(path);
    const skills = this.#arranged(all);
    [this.#found, this.#shown] = [all, skills];
    const branches =
      (vscode.workspace.workspaceFolders?.length ?? 0) < 2
        ? skills.map((skill) => new Branch(this.#node(skill), undefined))
        : await this.#folders(skills);
    for (const branch of await skillBranches(branches)) this.#branches.set(branch.skillPath ?? '', branch);
    // What is told of a row before VS Code has it is lost: it has them once this turn is over.
    setTimeout(() => void this.#lookAt(all), 0);
    return this.#usage === undefined ? branches : [...branches, this.#usage.branch];
  }

  async #folders(skills: readonly FoundSkill[]): Promise<readonly Branch[]> {
    const folders = [...new Set(skills.map((skill) => skill.workspaceFolder))];
    return folders.map((folder) => {
      const inside = skills.filter((skill) => skill.workspaceFolder === folder);
      const nodes = inside.map((skill) => this.#node(skill));
      return new Branch(folderNode(folder, nodes), undefined);
    });
  }

  #node(skill: FoundSkill): TreeNode {
    const known = this.#known.get(skill.realPath) ?? {
      skill,
      overview: undefined,
      trouble: undefined,
      running: undefined,
    };
    const named = (each: FoundSkill): FoundSkill => ({
      ...each,
      name: shownName({ skill: each, overview: this.#known.get(each.realPath)?.overview }),
    });
    const where = tellingFolder(named(skill), this.#shown.map(named));
    return skillNode({ ...known, where }, this.#rowsBeneath, () => this.#look(skill));
  }

  #arranged(skills: readonly FoundSkill[]): readonly FoundSkill[] {
    return arranged(skills, this.#arrangement, ({ realPath }) => this.#known.get(realPath));
  }

  #drawAnew(): void {
    this.#roots = undefined;
    this.#changed.fire(undefined);
  }

  /** Tells what is known now; where that puts the skills into another order, all of them are drawn again. */
  #told(changed: readonly Branch[]): void {
    const isSame = this.#arranged(this.#found).every((skill, index) => skill === this.#shown[index]);
    if (this.#roots !== undefined && !isSame) this.#drawAnew();
    else this.#fire(changed);
    this.#looked.fire([...this.#known.values()]);
  }

  /** Fills in where each skill stands after the rows are painted, and redraws only the rows that changed. */
  async #lookAt(skills: readonly FoundSkill[]): Promise<void> {
    const changed = await Promise.all(
      skills.map(async (skill) => {
        await this.#look(skill);
        return this.#changedRows(skill.realPath);
      }),
    );
    this.#told(changed.flat());
    await this.#lookAtUsage();
  }

  /** Counted once in a while: where it is another count than before, all is drawn again. */
  async #lookAtUsage(): Promise<void> {
    const usage = await this.#overviews.usage();
    const counted = JSON.stringify(usage ?? null);
    if (counted === (this.#usage?.counted ?? 'null')) return;
    this.#usage = usage === undefined ? undefined : { counted, branch: new Branch(usageNode(usage), undefined) };
    this.#drawAnew();
  }

  async #look(skill: FoundSkill): Promise<KnownSkill> {
    const { realPath } = skill;
    const look = (this.#looks += 1);
    const live = this.#overviews.running(realPath);
    const capUsd = readSettings()['whetstone.caps.runUsd'] ?? undefined;
    const running = live === undefined ? undefined : { ...live, capUsd };
    const before = this.#known.get(realPath);
    const seen = running !== undefined && before?.overview !== undefined ? before : await this.#read(realPath);
    const usage = (await this.#overviews.usage())?.skills.find(({ skillPath }) => skillPath === realPath);
    const { overview, trouble, versions = [] } = seen;
    return this.#keep({ skill, overview, trouble, versions, running, usage }, look);
  }

  #keep(known: KnownSkill, look: number): KnownSkill {
    const { realPath } = known.skill;
    if ((this.#toldBy.get(realPath) ?? 0) > look) return this.#known.get(realPath) ?? known;
    this.#toldBy.set(realPath, look);
    this.#known.set(realPath, known);
    return known;
  }

  async #read(skillPath: string): Promise<Pick<KnownSkill, 'overview' | 'trouble' | 'versions'>> {
    try {
      return { overview: await this.#overviews.of(skillPath), trouble: undefined };
    } catch (error) {
      const versions = await this.#overviews.historyOf(skillPath).catch(() => []);
      return { overview: undefined, trouble: messageOf(error), versions };
    }
  }

  #updateSoon(skillPath: string | undefined): void {
    const key = skillPath ?? '';
    if (this.#soon.has(key)) return;
    const update = (): void => {
      this.#soon.delete(key);
      void (skillPath === undefined || !this.#branches.has(skillPath) ? this.#updateAll() : this.#redraw(skillPath));
    };
    this.#soon.set(key, setTimeout(update, redrawMs));
  }

  async #updateAll(): Promise<void> {
    // Nobody has opened the view yet: the badge counts all the same.
    if (this.#roots === undefined) await this.getChildren();
    else await this.#lookAt(await this.#catalog.skills());
  }

  async #redraw(skillPath: string): Promise<void> {
    const skill = this.#known.get(skillPath)?.skill;
    if (skill === undefined) return;
    await this.#look(skill);
    this.#told(await this.#changedRows(skillPath));
  }

  async #changedRows(skillPath: string): Promise<readonly Branch[]> {
    const skill = this.#known.get(skillPath)?.skill;
    const branch = this.#branches.get(skillPath);
    return skill === undefined || branch === undefined ? [] : branch.update(this.#node(skill));
  }

  #fire(changed: readonly Branch[]): void {
    if (changed.length > 0) this.#changed.fire([...changed]);
  }

  #pendingOf(skillPath: string | undefined): NonNullable<KnownSkill['overview']>['pending'] {
    return skillPath === undefined ? undefined : this.#known.get(skillPath)?.overview?.pending;
  }
}

async function skillBranches(roots: readonly Branch[]): Promise<readonly Branch[]> {
  const lists = await Promise.all(roots.map(async (root) => (root.skillPath === undefined ? root.load() : [root])));
  return lists.flat();
}
