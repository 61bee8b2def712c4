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

/** The page of a task, one panel for all: it shows the task that was clicked last, as it is now. */
export class TaskPages {
  readonly #parts: TaskParts;
  #panel: vscode.WebviewPanel | undefined;
  #shown: TaskChoice | undefined;

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
      const html = await this.#pageOf(shown);
      if (this.#panel === panel && this.#shown === shown) panel.webview.html = html;
    } catch {
      if (this.#panel === panel && this.#shown === shown) panel.dispose();
    }
  }

  async #pageOf(choice: TaskChoice): Promise<string> {
    const view = await (
      await this.#parts.useCases()
    ).showTask({ ...requestFor(choice.skillPath), task: choice.taskId });
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
    const answered =
      view.answeredAt === undefined ? undefined : describeTime(view.answeredAt, { now: Date.now(), timezone }, t);
    const edit = commandLink('whetstone.editTask', vscode.l10n.t('Edit'), choice);
    const buttons = [...taskActions(choice, view), ...(view.fromSession === undefined ? [edit] : [])].map(buttonOf);
    return pageHtml(choice.taskId, taskPage(view, buttons, answered), pageParts());
  }
}

/** Two answers to one task side by side, each as its author meant it to look, beneath what was asked. */
export function showAnswerPage(
  choice: TaskChoice,
  {
    title,
    prompt,
    answers,
  }: { readonly title: string; readonly prompt: string; readonly answers: readonly PageAnswer[] },
): void {
  const panel = openPage('whetstone.answers', title);
  const show = commandLink('whetstone.showTask', vscode.l10n.t('Show Task'), choice);
  panel.webview.html = pageHtml(
    title,
    answersPage({ id: choice.taskId, prompt }, answers, [buttonOf(show)]),
    pageParts(),
  );
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
