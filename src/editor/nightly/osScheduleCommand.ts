import * as vscode from 'vscode';
import type { KeyStore, ModelSource } from '../models/chooseModel.js';
import type { OsScheduleRequest, OsScheduleView } from '../../app/osSchedule/osInstallation.js';
import type { HostProgram } from '../../app/osSchedule/nightProgram.js';
import type { UseCases } from '../../app/useCases.js';
import { neverAborted } from '../cancellation.js';
import { withProgress } from '../shown/notification.js';
import { chosenSpecs, readSettings, readCaps } from '../settings.js';
import type { VirtualTexts } from '../virtualTexts.js';
import type { UseCasesSource } from '../workbench.js';
import { nightCap, nightRequest, openFolders, readSchedule, timeOf } from './nightlySettings.js';
import type { FolderSettings } from '../../app/nights/nightAgreement.js';
import type { SkillCatalog } from '../skills/skillCatalog.js';
import { showInformation } from '../shown/messages.js';
import { pickOne } from '../shown/questions.js';

export interface OsScheduleParts {
  readonly useCases: UseCasesSource;
  readonly ensureModel: () => Promise<void>;
  readonly texts: Pick<VirtualTexts, 'add'>;
  /** The command line that ships with the extension. */
  readonly cli: string;
  readonly catalog: Pick<SkillCatalog, 'skills'>;
  readonly host: HostProgram;
  readonly keys: Pick<KeyStore, 'of'>;
  readonly keyAddress: ModelSource['keyAddress'];
}

/** The command “Install OS Schedule”: the exact text first, then installed at the person's word, or taken away. */
export async function installOsSchedule(parts: OsScheduleParts, inForce: FolderSettings): Promise<void> {
  const read = readSchedule(inForce, true);
  if (read.kind === 'broken') throw new Error(read.why);
  await parts.ensureModel();
  const useCases = await parts.useCases();
  const request = await requestOf(parts, inForce);
  const view = await useCases.showOsSchedule(request, neverAborted());
  const what = view.installed ? await askWhat() : 'install';
  if (what === 'remove') {
    await useCases.removeOsSchedule(request.folders, neverAborted());
    void showInformation(vscode.l10n.t('The operating system no longer starts nights here.'));
  }
  if (what === 'install') await showAndInstall(parts, useCases, request, view);
}

async function askWhat(): Promise<'install' | 'remove' | undefined> {
  const picked = await pickOne(
    [
      {
        label: vscode.l10n.t('Install Again'),
        description: vscode.l10n.t('with the settings as they are now'),
        what: 'install' as const,
      },
      { label: vscode.l10n.t('Remove'), what: 'remove' as const },
    ],
    { title: vscode.l10n.t('A schedule is installed for this workspace.') },
  );
  return picked?.what;
}

async function showAndInstall(
  { texts }: OsScheduleParts,
  useCases: UseCases,
  request: OsScheduleRequest,
  view: OsScheduleView,
): Promise<void> {
  // Markdown wraps long lines: the person reads the whole of the text beside the question.
  await vscode.window.showTextDocument(texts.add('OS schedule.md', textOf(view)), { preview: true });
  const yes = vscode.l10n.t('Install');
  const picked = await showInformation(
    vscode.l10n.t('Let the operating system start nights at {0}?', request.at),
    {
      modal: true,
      detail: detailOf(request, view),
    },
    yes,
  );
  if (picked !== yes) return;
  await withProgress(vscode.l10n.t('Checking that a night would run'), async (signal) => {
    await useCases.installOsSchedule(request, signal);
    const { folders, skills: optionsFor = [] } = request;
    await useCases.agreeToNights({ folders, workspaceFolders: folders, models: true, optionsFor }, signal);
  });
  void showInformation(vscode.l10n.t('Installed: nights at {0} run also while VS Code is closed.', request.at));
}

/** What the person says yes to. Nothing is said to be sent where nothing leaves the machine. */
function detailOf({ models: { target = '' } }: OsScheduleRequest, { scheduler }: OsScheduleView): string {
  const entry = vscode.l10n.t('This entry is added to {0}. Whetstone first tests that it works.', scheduler);
  const sent = /^simulated(?:\?|$)/.test(target)
    ? vscode.l10n.t('The simulated model answers: nothing leaves this machine.')
    : vscode.l10n.t('Skills, tasks and answers are sent to {0}.', target);
  return `${entry} ${sent}`;
}

function textOf({ text, files, logFile, scheduler }: OsScheduleView): string {
  const secret = vscode.l10n.t('holds keys, not shown');
  return [
    vscode.l10n.t('{0} gets exactly this:', scheduler),
    '',
    '```text',
    text.trimEnd(),
    '```',
    '',
    vscode.l10n.t('Files:'),
    '',
    ...files.map((file) => `- ${file.path} (${file.mode}${file.secret ? `, ${secret}` : ''})`),
    `- ${logFile}`,
    '',
  ].join('\n');
}

async function requestOf(parts: OsScheduleParts, inForce: FolderSettings): Promise<OsScheduleRequest> {
  const read = readSchedule(inForce, true);
  if (read.kind === 'broken') throw new Error(read.why);
  const settings = readSettings();
  const { preset, settings: layers, standing, workspaceSettings } = nightRequest([], read.schedule);
  const models = chosenSpecs();
  return {
    folders: openFolders(),
    skills: (await parts.catalog.skills()).map((skill) => skill.realPath),
    at: timeOf(inForce),
    models,
    preset,
    settings: layers,
    standing,
    workspaceSettings,
    excluded: read.schedule.excluded,
    autoAdopt: settings['whetstone.nightly.autoAdopt'],
    onBattery: read.schedule.onBattery,
    caps: {
      night: nightCap(),
      day: readCaps().day,
      month: readCaps().month,
    },
    cli: parts.cli,
    host: parts.host,
    keys: await keysFor(Object.values(models), parts),
  };
}

/** Secret storage is out of reach while no window is open: the keys of the chosen models go into the file that only you can read. */
async function keysFor(
  specs: readonly (string | undefined)[],
  { keys, keyAddress }: OsScheduleParts,
): Promise<Readonly<Record<string, string>>> {
  const found = await Promise.all(
    specs.map(async (spec) => {
      const address = await keyAddress(spec ?? '');
      const key = address === undefined ? undefined : await keys.of(address);
      return address === undefined || key === undefined ? [] : [[new URL(address).origin, key] as const];
    }),
  );
  return Object.fromEntries(found.flat());
}
