import * as vscode from 'vscode';
import { answersPage, pageHtml, taskPage, type PageAnswer, type PageButton } from '../../wording/taskPage.js';
import { describeTime } from '../../wording/describeTime.js';
import { shownLine } from '../../wording/shownText.js';
import { t } from '../../wording/translate.js';
import type { CommandId, TaskChoice } from '../commands/commands.js';
import { commandLink, type CommandLink } from '../commands/runCommand.js';
import { requestFor } from '../workbench.js';
import { taskActions } from './taskActions.js';
import type { TaskParts } from './taskParts.js';

/** The commands that a page may run: those of its buttons. */
const allowed = [
  'whetstone.confirmTask',
  'whetstone.enableTask',
  'whetstone.disableTask',
  'whetstone.tryTask',
  'whetstone.moveTask',
  'whetstone.deleteTask',
  'whetstone.editTask',
  'whetstone.showTask',
] as const;

/** Answers to one task that are compared. */
interface ComparedAnswers {
  /** Which comparison of the task it is: each has one page. */
  readonly key: string;
  readonly title: string;
  readonly prompt: string;
  /** What is to be known about all of them. */
  readonly note?: string;
  readonly answers: readonly PageAnswer[];
}

/** The page of a task, one panel for all: it shows the task that was clicked last, as it is now. And pages of compared answers. */
export class TaskPages {
  readonly #parts: TaskParts;
  #panel: vscode.WebviewPanel | undefined;
  #shown: TaskChoice | undefined;
  readonly #compared = new Map<string, vscode.WebviewPanel>();

  constructor(parts: TaskParts) {
    this.#parts = parts;
  }

  /** Opens the page beside what has the focus, which keeps it: one click after the other leafs through the tasks. */
  async show(choice: TaskChoice): Promise<void> {
    const html = await this.#pageOf(choice);
    const panel = (this.#panel ??= this.#open(choice.taskId));
    this.#shown = choice;
    panel.title = shownLine(choice.taskId, 40);
    panel.webview.html = html;
    panel.reveal(undefined, true);
  }

  /** Two answers to one task side by side, each as its author meant it to look, beneath what was asked: one page for each comparison. */
  showAnswers({ skillPath, taskId }: TaskChoice, { key, title, answers, ...about }: ComparedAnswers): void {
    const name = JSON.stringify([key, skillPath, taskId]);
    const panel = this.#compared.get(name) ?? openPage('whetstone.answers', title);
    if (!this.#compared.has(name)) panel.onDidDispose(() => this.#compared.delete(name));
    this.#compared.set(name, panel);
    const show = commandLink('whetstone.showTask', vscode.l10n.t('Show Task'), { skillPath, taskId });
    panel.webview.html = pageHtml(title, answersPage({ id: taskId, ...about }, answers, [buttonOf(show)]), pageParts());
    panel.reveal(undefined, true);
  }

  #open(title: string): vscode.WebviewPanel {
    const panel = openPage('whetstone.task', title);
    const following = this.#parts.overviews.onDidChange((skillPath) => {
      if (skillPath === undefined || skillPath === this.#shown?.skillPath) void this.#follow();
    });
    panel.onDidDispose(() => {
      following.dispose();
      this.#panel = undefined;
    });
    return panel;
  }

  /** What is decided elsewhere shows here; a task that is gone takes its page along. */
  async #follow(): Promise<void> {
    const [panel, shown] = [this.#panel, this.#shown];
    if (panel === undefined || shown === undefined) return;
    try {
      const html = await this.#pageOf({ ...shown, place: undefined }); // the person may have scrolled on since
      if (this.#panel === panel && this.#shown === shown) panel.webview.html = html;
    } catch {
      if (this.#panel === panel && this.#shown === shown) panel.dispose();
    }
  }

  async #pageOf({ skillPath, taskId, place }: TaskChoice): Promise<string> {
    const choice = { skillPath, taskId };
    const view = await (await this.#parts.useCases()).showTask({ ...requestFor(skillPath), task: taskId });
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
    const answered =
      view.answeredAt === undefined ? undefined : describeTime(view.answeredAt, { now: Date.now(), timezone }, t);
    const edit = commandLink('whetstone.editTask', vscode.l10n.t('Edit'), choice);
    const buttons = [...taskActions(choice, view), ...(view.fromSession === undefined ? [edit] : [])].map(buttonOf);
    return pageHtml(taskId, taskPage({ ...view, place }, buttons, answered), pageParts());
  }
}

/** A page beside what has the focus; with `keys` it takes the focus, and our own script presses the buttons by them. */
export function openPage(
  viewType: string,
  title: string,
  { keys, commands = allowed }: { readonly keys: boolean; readonly commands?: readonly CommandId[] } = { keys: false },
): vscode.WebviewPanel {
  const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus: !keys };
  return vscode.window.createWebviewPanel(viewType, shownLine(title, 80), place, {
    enableScripts: keys,
    localResourceRoots: [],
    enableCommandUris: commands,
    enableFindWidget: true,
  });
}

export function buttonOf({ title, command, arguments: given }: CommandLink): PageButton {
  return { label: title, href: `command:${command}?${encodeURIComponent(JSON.stringify(given))}` };
}

export function pageParts(): { readonly nonce: string; readonly language: string } {
  return { nonce: newNonce(), language: vscode.env.language };
}

function newNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
