import * as vscode from 'vscode';
import { statusText } from '../../wording/statusText.js';
import { readSettings } from '../settings.js';
import { NightlyController } from './nightlyController.js';
import type { NightlyParts } from './nightNews.js';
import { machineZone } from './nightlySettings.js';
import { showNightlyMenu } from './nightlyMenu.js';
import type { SkillCounts } from '../tree/registerTrees.js';
import { installOsSchedule, type OsScheduleParts } from './osScheduleCommand.js';

/** Whether nights run and when the next one is, in the status bar. Where they are off and there is nothing to train, it says nothing. */
export class NightlyItem implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #controller: NightlyController;
  readonly #subscription: vscode.Disposable;

  constructor(controller: NightlyController) {
    this.#controller = controller;
    this.#item = vscode.window.createStatusBarItem('whetstone.nightly', vscode.StatusBarAlignment.Left, -10);
    this.#item.name = vscode.l10n.t('Whetstone Nightly Training');
    this.#item.command = 'whetstone.nightly';
    this.#subscription = controller.onDidChange(() => this.show());
    this.show();
  }

  show(): void {
    const context = {
      now: this.#controller.parts.now(),
      timezone: machineZone(),
      last: this.#controller.news.lastWords,
      spent: this.#controller.news.spent,
      unmeasured: this.#controller.unmeasured,
      simulated: readSettings()['whetstone.model.target'].startsWith('simulated'),
    };
    const status = this.#controller.status();
    tellContext(status.kind !== 'off');
    if (status.kind === 'off' && !this.#controller.hasSkills) return this.#item.hide();
    const words = statusText(status, context);
    this.#item.text = words.text;
    this.#item.tooltip = words.tooltip.join('\n');
    this.#item.accessibilityInformation = { label: words.accessibility, role: 'button' };
    this.#item.backgroundColor = words.warning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.show();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#item.dispose();
  }
}

/** What the walkthrough depends on. */
function tellContext(on: boolean): void {
  void vscode.commands.executeCommand('setContext', 'whetstone.nightlyOn', on);
}

/** The clock of the nights and its item in the status bar. */
export interface Nights {
  noteSkills(counts: SkillCounts): void;
  showMenu(): Promise<void>;
  installOsSchedule(): Promise<void>;
  dispose(): void;
}

/** Starts the clock of the nights. A bundle of its own, loaded once the window is open: time zones take much code. */
export function startNights(parts: NightlyParts & OsScheduleParts): Nights {
  const controller = new NightlyController(parts);
  const item = new NightlyItem(controller);
  return {
    noteSkills: (counts) => controller.noteSkills(counts),
    showMenu: () => showNightlyMenu(controller),
    installOsSchedule: () => installOsSchedule(parts, controller.consent.settings),
    dispose: () => {
      item.dispose();
      controller.dispose();
    },
  };
}
