import * as vscode from 'vscode';
import { readSettings, writeSetting } from '../settings.js';
import type { NightlyController } from './nightlyController.js';

/** What a click on the status bar offers. Turning on only sets the schedule: a night never starts at that moment. */
export async function showNightlyMenu(controller: NightlyController): Promise<void> {
  const on = readSettings()['whetstone.nightly.enabled'];
  const running = controller.status().kind === 'running';
  const missed = controller.status().kind === 'missed';
  const items: readonly (vscode.QuickPickItem & { readonly run: () => unknown })[] = [
    on
      ? { label: `$(circle-slash) ${vscode.l10n.t('Turn Nightly Training Off')}`, run: () => turn(false) }
      : {
          label: `$(watch) ${vscode.l10n.t('Turn Nightly Training On')}`,
          description: vscode.l10n.t('every night at {0}', readSettings()['whetstone.nightly.time']),
          run: () => turn(true),
        },
    ...(missed
      ? [
          {
            label: `$(play) ${vscode.l10n.t('Make Up for the Missed Night')}`,
            run: () => controller.answerMissed('run'),
          },
          { label: `$(x) ${vscode.l10n.t('Let the Missed Night Go')}`, run: () => controller.answerMissed('skip') },
        ]
      : []),
    running
      ? { label: `$(debug-stop) ${vscode.l10n.t('Stop the Night')}`, run: () => controller.cancel() }
      : {
          label: `$(play) ${vscode.l10n.t('Run a Night Now')}`,
          description: vscode.l10n.t('stages proposals, edits nothing'),
          run: () => controller.runNow(),
        },
    {
      label: `$(settings-gear) ${vscode.l10n.t('Settings')}`,
      run: () => vscode.commands.executeCommand('workbench.action.openSettings', 'whetstone.nightly'),
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Whetstone: Nightly Training'),
    placeHolder: controller.lastResult ?? '',
  });
  await picked?.run();
}

async function turn(on: boolean): Promise<void> {
  await writeSetting(
    'whetstone.nightly.enabled',
    on,
    vscode.workspace.workspaceFolders === undefined
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.Workspace,
  );
}
