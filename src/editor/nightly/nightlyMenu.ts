import * as vscode from 'vscode';
import { neverAborted } from '../cancellation.js';
import { runCommand } from '../commands/runCommand.js';
import { describeTime } from '../../wording/describeTime.js';
import { retold, t } from '../../wording/translate.js';
import { readSettings } from '../settings.js';
import type { NightlyController } from './nightlyController.js';
import { machineZone, openFolders, timeOf } from './nightlySettings.js';
import { capWords, outcomeSentence } from './nightWords.js';
import { nightCap } from './nightlySettings.js';
import { turnOff, turnOn } from './turnOn.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { pickOne, type Choice } from '../shown/questions.js';

type Item = Choice & { readonly run?: () => unknown };

/** What a click on the status bar offers. Turning on only sets the schedule: a night never starts at that moment. */
export async function showNightlyMenu(controller: NightlyController): Promise<void> {
  await controller.refresh();
  const picked = await pickOne(itemsOf(controller), {
    title: vscode.l10n.t('Whetstone: Nightly Training'),
    placeHolder: whyBroken(controller) ?? whatNightsDo(),
  });
  await picked?.run?.();
}

function whatNightsDo(): string {
  return readSettings()['whetstone.nightly.autoAdopt'].length === 0
    ? vscode.l10n.t('Nightly runs only propose edits. You review them in the morning.')
    : vscode.l10n.t('Nightly runs propose edits, and write them only into the skills that you named.');
}

function whyBroken(controller: NightlyController): string | undefined {
  const status = controller.status();
  return status.kind === 'broken' ? retold(`${status.why} ${status.cure}`.trim()) : undefined;
}

function itemsOf(controller: NightlyController): readonly Item[] {
  const status = controller.status();
  return [
    ...(status.kind === 'broken' ? [mendItem(controller, status.why)] : []),
    ...waitingItems(controller.news.pending),
    ...(controller.consent.changed.length > 0 && status.kind !== 'broken' ? [changedItem(controller)] : []),
    ...switchItems(controller),
    ...unconfirmedItems(controller),
    ...(status.kind === 'missed' ? missedItems(controller) : []),
    status.kind === 'running'
      ? { icon: 'debug-stop', label: vscode.l10n.t('Stop Nightly Training'), run: () => controller.cancel() }
      : {
          icon: 'play',
          label: vscode.l10n.t('Run Nightly Training Now'),
          description: onWhich(),
          run: () => runNow(controller),
        },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    ...factItems(controller),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      icon: 'server-process',
      label: vscode.l10n.t('Install OS Schedule'),
      description: vscode.l10n.t('for nights while VS Code is closed'),
      run: () => runCommand('whetstone.installOsSchedule'),
    },
    {
      icon: 'settings-gear',
      label: vscode.l10n.t('Settings'),
      run: () => openSettings('whetstone.nightly'),
    },
  ];
}

/** In the morning the review comes first: Enter must not turn nights off. */
function waitingItems(pending: number): readonly Item[] {
  if (pending === 0) return [];
  return [
    {
      icon: 'checklist',
      label: vscode.l10n.t('Review Waiting Proposals'),
      description: String(pending),
      run: () => runCommand('whetstone.reviewAll'),
    },
  ];
}

/** The person sees whom a night would ask before they start one. */
function onWhich(): string {
  const model = readSettings()['whetstone.model.target'];
  return model === '' ? vscode.l10n.t('asks for a model first') : vscode.l10n.t('on {0}; only proposes edits', model);
}

function switchItems(controller: NightlyController): readonly Item[] {
  if (!controller.consent.on) {
    const time = timeOf(controller.consent.settings);
    return [
      {
        icon: 'watch',
        label: vscode.l10n.t('Turn Nightly Training On'),
        description: vscode.l10n.t('at {0}', time),
        run: () => turnOn(controller),
      },
    ];
  }
  return [
    { icon: 'circle-slash', label: vscode.l10n.t('Turn Nightly Training Off'), run: () => turnOff(controller) },
    {
      icon: 'checklist',
      label: vscode.l10n.t('Choose Skills…'),
      description: vscode.l10n.t('which of them nights train, and on which model'),
      run: () => turnOn(controller),
    },
  ];
}

/** Where no session may be read there is nothing to learn from: then it leads to where that is chosen. */
function unconfirmedItems(controller: NightlyController): readonly Item[] {
  const { unconfirmed } = controller.news;
  if (unconfirmed === undefined)
    return [
      {
        icon: 'comment-discussion',
        label: vscode.l10n.t('Train Also on Unconfirmed Tasks from Sessions'),
        description: vscode.l10n.t('not before the sessions of a program may be read'),
        run: () => runCommand('whetstone.chooseSessions'),
      },
    ];
  return [
    {
      icon: unconfirmed ? 'circle-slash' : 'comment-discussion',
      label: unconfirmed
        ? vscode.l10n.t('Stop Training on Unconfirmed Tasks from Sessions')
        : vscode.l10n.t('Train Also on Unconfirmed Tasks from Sessions'),
      description: unconfirmed ? vscode.l10n.t('on') : vscode.l10n.t('off'),
      run: () => turnUnconfirmed(controller, !unconfirmed),
    },
  ];
}

/** Switched on knowingly: what it means is said first. */
async function turnUnconfirmed(controller: NightlyController, on: boolean): Promise<void> {
  const yes = vscode.l10n.t('Turn On');
  const detail = vscode.l10n.t(
    'Requests out of your sessions that you have not looked at are then sent to the models of nights, and edits are made from them. They are training tasks alone: only what you confirmed proves anything. What carries instructions is left out. This holds for you and these folders, and can be turned off here.',
  );
  const question = vscode.l10n.t('May nights learn from drafts out of your sessions that you have not confirmed?');
  if (on && (await showWarning(question, { modal: true, detail }, yes)) !== yes) return;
  const useCases = await controller.parts.useCases();
  await useCases.turnUnconfirmedTraining({ folders: openFolders(), on }, neverAborted());
  await controller.refresh();
}

/** Leads to where what is broken can be mended. */
function mendItem(controller: NightlyController, why: string): Item {
  return { icon: 'warning', ...fixWords(controller, retold(why)), run: () => mend(controller) };
}

/** What is to be done first, and beside it why; where no one step is known, why alone. */
function fixWords({ stoppedBy }: NightlyController, why: string): Pick<Item, 'label' | 'description'> {
  if (stoppedBy === 'no-key') return { label: vscode.l10n.t('Fix: add an API key'), description: why };
  if (stoppedBy === 'untrusted') return { label: vscode.l10n.t('Fix: trust this workspace'), description: why };
  if (stoppedBy === 'no-consent')
    return { label: vscode.l10n.t('Fix: agree to nightly training here'), description: why };
  if (stoppedBy === 'cap-reached') return { label: vscode.l10n.t('Fix: raise the cap'), description: why };
  return { label: vscode.l10n.t('Fix: {0}', why) };
}

/** The question about settings that changed in the workspace, for those who closed it. */
function changedItem(controller: NightlyController): Item {
  return {
    icon: 'question',
    label: vscode.l10n.t('The settings of this workspace for nights have changed'),
    run: () => controller.consent.askAboutSettings('again'),
  };
}

function mend(controller: NightlyController): unknown {
  const { stoppedBy } = controller;
  if (stoppedBy === 'no-key') return runCommand('whetstone.setApiKey');
  if (stoppedBy === 'untrusted') return vscode.commands.executeCommand('workbench.trust.manage');
  if (stoppedBy === 'no-consent') return turnOn(controller);
  return openSettings(stoppedBy === 'cap-reached' ? 'whetstone.caps' : 'whetstone.nightly');
}

function missedItems(controller: NightlyController): readonly Item[] {
  return [
    { icon: 'play', label: vscode.l10n.t('Make Up for the Missed Night'), run: () => controller.answerMissed('run') },
    { icon: 'x', label: vscode.l10n.t('Let the Missed Night Go'), run: () => controller.answerMissed('skip') },
  ];
}

/** Next run, last run and spend: each leads to where it can be changed or read. */
function factItems(controller: NightlyController): readonly Item[] {
  const read = controller.consent.schedule();
  const next = read.kind === 'read' && read.schedule.enabled ? controller.next(read.schedule) : undefined;
  const context = { now: controller.parts.now(), timezone: machineZone() };
  const when = next === undefined ? vscode.l10n.t('none') : describeTime(next, context, t);
  const cap = capWords(nightCap()) ?? vscode.l10n.t('no cap of money or tokens for a night');
  return [
    {
      icon: 'calendar',
      label: vscode.l10n.t('Next run: {0}', when),
      run: () => openSettings('whetstone.nightly.time'),
    },
    {
      icon: 'history',
      label: vscode.l10n.t('Last run: {0}', controller.news.lastWords ?? vscode.l10n.t('none yet')),
      run: () => controller.showLast(),
    },
    {
      icon: 'graph',
      label: vscode.l10n.t('Spent this month: {0}', controller.news.spent ?? '0'),
      description: cap,
      run: () => openSettings('whetstone.caps'),
    },
  ];
}

async function runNow(controller: NightlyController): Promise<void> {
  await controller.parts.ensureModel();
  const night = await controller.runNow();
  if (night === undefined) return;
  const [stop] = night.stops;
  if (stop !== undefined) void showWarning(`Whetstone: ${retold(`${stop.sentence} ${stop.cure}`.trim())}`);
  else void showInformation(`Whetstone: ${outcomeSentence(night)}`);
}

function openSettings(query: string): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.openSettings', query);
}
