import * as vscode from 'vscode';
import type { Task } from '../../tasks/task.js';
import type { FoundSkill } from '../skills/discoverSkills.js';
import type { Overviews } from '../skills/overviews.js';
import { reportError } from '../reportError.js';
import type { SkillCatalog } from '../skills/skillCatalog.js';
import type { UseCasesSource } from '../workbench.js';
import { testItemOf } from '../shown/tests.js';
import { confirmTests, runTests, type ChosenTasks } from './runTests.js';

export interface TestExplorerParts {
  readonly useCases: UseCasesSource;
  readonly catalog: SkillCatalog;
  readonly overviews: Overviews;
}

/**
 * Tasks as tests, for those who asked for it. No profile is a default, so that “Run All Tests” leaves them alone where
 * there are other tests; where there are none it reaches them all the same, and whoever runs them is told the price
 * first. Sealed tasks are not in it.
 */
export class TestExplorer implements vscode.Disposable {
  readonly #parts: TestExplorerParts;
  readonly #controller = vscode.tests.createTestController('whetstone', 'Whetstone');
  readonly #expected = new WeakMap<vscode.TestItem, string>();
  readonly #disposables: readonly vscode.Disposable[];

  constructor(parts: TestExplorerParts) {
    this.#parts = parts;
    const tags = { training: new vscode.TestTag('training'), heldOut: new vscode.TestTag('held-out') };
    this.#controller.resolveHandler = async (item) => {
      if (item === undefined) await this.#addSkills();
      else await this.#addTasks(item, tags);
    };
    this.#controller.refreshHandler = () => this.#addSkills();
    this.#profile(vscode.l10n.t('With the Skill'), false);
    this.#profile(vscode.l10n.t('Without the Skill'), true);
    this.#disposables = [
      this.#controller,
      parts.catalog.onDidChange(() => void this.#addSkills().catch(reportError)),
      parts.overviews.onDidChange((skillPath) => {
        for (const item of this.#opened(skillPath)) void this.#addTasks(item, tags).catch(reportError);
      }),
    ];
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #profile(label: string, withoutSkill: boolean): void {
    const run = async (request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> => {
      try {
        const chosen = await this.#chosen(request);
        const useCases = await this.#parts.useCases();
        if (!(await confirmTests(useCases, { chosen, withoutSkill }))) return;
        const expectedOf = (item: vscode.TestItem): string | undefined => this.#expected.get(item);
        await runTests({ controller: this.#controller, request, chosen, withoutSkill, useCases, expectedOf }, token);
      } catch (error) {
        await reportError(error);
      }
    };
    this.#controller.createRunProfile(label, vscode.TestRunProfileKind.Run, run, false);
  }

  /** The skills whose tasks are shown: the one that changed, or all where any may have. */
  #opened(skillPath: string | undefined): readonly vscode.TestItem[] {
    const items: vscode.TestItem[] = [];
    this.#controller.items.forEach((item) => {
      if (skillPath === item.id || (skillPath === undefined && item.children.size > 0)) items.push(item);
    });
    return items;
  }

  async #addSkills(): Promise<void> {
    const skills = await this.#parts.catalog.skills();
    this.#controller.items.replace(skills.map((skill) => this.#skillItem(skill)));
  }

  #skillItem({ realPath, name }: FoundSkill): vscode.TestItem {
    const item = testItemOf(this.#controller, { id: realPath, label: name, file: vscode.Uri.file(realPath) });
    item.canResolveChildren = true;
    return item;
  }

  async #addTasks(
    item: vscode.TestItem,
    tags: { readonly training: vscode.TestTag; readonly heldOut: vscode.TestTag },
  ): Promise<void> {
    const { tasks } = await this.#parts.overviews.of(item.id);
    const add = (task: Task, tag: vscode.TestTag, side: string): vscode.TestItem => {
      const evals = vscode.Uri.joinPath(vscode.Uri.file(item.id), '..', 'evals', 'evals.json');
      const made = testItemOf(this.#controller, { id: `${item.id}#${task.id}`, label: task.id, file: evals });
      made.tags = [tag];
      made.description = side;
      const expected = task.expectedOutput ?? task.references[0];
      if (expected !== undefined) this.#expected.set(made, expected);
      return made;
    };
    item.children.replace([
      ...(tasks?.training ?? []).map((task) => add(task, tags.training, vscode.l10n.t('training'))),
      ...(tasks?.heldOut ?? []).map((task) => add(task, tags.heldOut, vscode.l10n.t('held-out'))),
    ]);
  }

  async #chosen({ include, exclude }: vscode.TestRunRequest): Promise<readonly ChosenTasks[]> {
    const roots: vscode.TestItem[] = [];
    this.#controller.items.forEach((item) => roots.push(item));
    const wanted = include ?? roots;
    const bySkill = new Map<string, Map<string, vscode.TestItem>>();
    for (const item of wanted) {
      const skill = item.parent ?? item;
      if (item.parent === undefined && item.children.size === 0) await this.#controller.resolveHandler?.(item);
      const tasks = bySkill.get(skill.id) ?? new Map<string, vscode.TestItem>();
      const add = (task: vscode.TestItem): void => void tasks.set(task.id, task);
      if (item.parent === undefined) item.children.forEach(add);
      else add(item);
      bySkill.set(skill.id, tasks);
    }
    return [...bySkill.entries()].map(([skillPath, tasks]) => ({
      skillPath,
      items: [...tasks.values()].filter((item) => exclude?.includes(item) !== true),
    }));
  }
}
