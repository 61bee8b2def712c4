import * as vscode from 'vscode';
import { ModelError, SecretsFound, TaskFault, UserError, type ModelErrorKind, type UserErrorCode } from '../errors.js';
import { runCommand } from './commands/runCommand.js';
import { modelRoles, namesProgram } from './models/roles.js';
import { readSettings } from './settings.js';
import { askCap } from './run/askCap.js';
import { showSecrets } from './tasks/agentSecrets.js';
import { skillOfTaskFile } from './tasks/taskFile.js';

/** A button that leads to the cure. */
export interface Cure {
  readonly label: string;
  readonly run: () => Thenable<unknown>;
}

/** Where an error is mended, likeliest first; none where no place of ours mends it. */
export function curesOf(error: unknown): readonly Cure[] {
  if (error instanceof ModelError) return curesOfKind(error.kind);
  if (!(error instanceof UserError)) return [];
  if (error instanceof SecretsFound) return curesOfSecrets(error);
  if (error instanceof TaskFault) return [editingTask(error)];
  return error.code === 'schedule-refused' ? curesOfRefusal(error.cause) : curesOfCode(error.code);
}

/** They are looked at first; what is allowed is what was found, and nothing that is written there later. */
function curesOfSecrets({ skillPath, files }: SecretsFound): readonly Cure[] {
  const hashes = files.map(({ hash }) => hash);
  return [
    { label: vscode.l10n.t('Show'), run: () => showSecrets(files) },
    { label: vscode.l10n.t('Allow These'), run: () => runCommand('whetstone.allowSecrets', { skillPath, hashes }) },
  ];
}

/** What a task starts from is named where the task is written. */
function editingTask({ skillPath, taskId }: TaskFault): Cure {
  return { label: vscode.l10n.t('Edit Task'), run: () => runCommand('whetstone.editTask', { skillPath, taskId }) };
}

function curesOfCode(code: UserErrorCode): readonly Cure[] {
  if (code === 'cap-reached') return curesOfKind('cap');
  return code.startsWith('tasks-') ? curesOfTasks(code) : [cureOfCode(code) ?? []].flat();
}

/** A scheduler that refused is mended outside; what it refused is at hand again with one press. */
function curesOfRefusal(cause: unknown): readonly Cure[] {
  const cures = curesOf(cause);
  return cures.length > 0 ? cures : [command('whetstone.installOsSchedule', vscode.l10n.t('Try Again'))];
}

/** Where a failed call is mended. Nobody may be there to be reached: then another model is the way on. */
export function curesOfKind(kind: ModelErrorKind): readonly Cure[] {
  const first = [cureOfKind(kind) ?? []].flat();
  if (kind === 'cap') return [...first, settings('whetstone.caps')];
  return kind === 'unavailable' || kind === 'given-up' ? [...first, ...curesOfKind('model-not-found')] : first;
}

/** What waiting mends has no button. */
function cureOfKind(kind: ModelErrorKind): Cure | undefined {
  switch (kind) {
    case 'auth':
      return asksProgram() ? openTerminal() : command('whetstone.setApiKey', vscode.l10n.t('Set API Key'));
    case 'quota':
    case 'model-not-found':
    case 'context-length':
    case 'cut-prompt':
      return command('whetstone.chooseModel', vscode.l10n.t('Choose Model'));
    case 'endpoint':
    case 'timeout':
    case 'unavailable':
    case 'given-up':
      return command('whetstone.checkConnection', vscode.l10n.t('Check Connection'));
    case 'cap':
      return { label: vscode.l10n.t('Set a Cap'), run: askCap };
    case 'rate-limit':
    case 'content-filter':
    case 'malformed':
    case 'waiting':
      return undefined;
  }
}

/** Whether an agent program plays a role: its login is its own, and no key of ours takes its place. */
function asksProgram(): boolean {
  const chosen = readSettings();
  return modelRoles.some((role) => namesProgram(chosen[`whetstone.model.${role}`]));
}

function openTerminal(): Cure {
  const label = vscode.l10n.t('Open Terminal');
  return { label, run: async () => vscode.commands.executeCommand('workbench.action.terminal.new') };
}

/** What another model mends. */
const otherModel: readonly UserErrorCode[] = ['model-not-chosen', 'model-key-exposed', 'model-refused', 'target-unfit'];

/** Most errors are mended in files, not by a button. */
function cureOfCode(code: UserErrorCode): Cure | undefined {
  if (otherModel.includes(code)) return cureOfKind('model-not-found');
  if (code === 'model-key-missing') return cureOfKind('auth');
  if (code === 'model-failed') return cureOfKind('unavailable');
  return code === 'workspace-untrusted' ? trust() : undefined;
}

function command(
  id:
    | 'whetstone.setApiKey'
    | 'whetstone.chooseModel'
    | 'whetstone.checkConnection'
    | 'whetstone.draftTasks'
    | 'whetstone.installOsSchedule'
    | 'whetstone.mineSessions'
    | 'whetstone.reviewDrafts',
  label: string,
): Cure {
  return { label, run: () => runCommand(id) };
}

/** Tasks come from a model, or from what the person asked agents before; who has drafts to look at may want more of them. */
function curesOfTasks(code: UserErrorCode): readonly Cure[] {
  const draft = command('whetstone.draftTasks', vscode.l10n.t('Draft Tasks'));
  if (code === 'tasks-missing' || code === 'tasks-too-few')
    return [draft, command('whetstone.mineSessions', vscode.l10n.t('From My Sessions'))];
  if (code === 'tasks-unsaved') return [saveTasks()];
  return code === 'tasks-unconfirmed' ? [command('whetstone.reviewDrafts', vscode.l10n.t('Review Drafts')), draft] : [];
}

/** Saves the task files that stand in an editor with changes. */
function saveTasks(): Cure {
  return {
    label: vscode.l10n.t('Save'),
    run: async () => {
      for (const document of vscode.workspace.textDocuments)
        if (document.isDirty && skillOfTaskFile(document.uri.fsPath) !== undefined) await document.save();
    },
  };
}

function trust(): Cure {
  return {
    label: vscode.l10n.t('Manage Workspace Trust'),
    run: () => vscode.commands.executeCommand('workbench.trust.manage'),
  };
}

function settings(query: string): Cure {
  return {
    label: vscode.l10n.t('Open Settings'),
    run: () => vscode.commands.executeCommand('workbench.action.openSettings', query),
  };
}
