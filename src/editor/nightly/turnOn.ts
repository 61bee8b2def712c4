import * as vscode from 'vscode';
import { runCommand } from '../commands/runCommand.js';
import type { NightPlan } from '../../app/nights/nightPlan.js';
import { giveUpLine } from '../../wording/preflightLines.js';
import { retold } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import { askCap } from '../run/askCap.js';
import { writeSetting } from '../settings.js';
import type { NightlyController } from './nightlyController.js';
import { folderSettings, nightCap, nightRequest, openFolders, readSchedule, timeOf } from './nightlySettings.js';
import { capWords, estimateWords } from './nightWords.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { pickMany, type Choice } from '../shown/questions.js';

/** Shows what nights will train, cost and send, and turns them on at the person's word. Starts nothing. */
export async function turnOn(controller: NightlyController): Promise<void> {
  await controller.parts.ensureModel();
  const inFolder = folderSettings();
  const read = readSchedule(inFolder, true);
  if (read.kind === 'broken') {
    void showWarning(`Whetstone: ${retold(`${read.why} ${read.cure}`.trim())}`);
    return;
  }
  const { useCases: source, catalog } = controller.parts;
  const useCases = await source();
  const skills = (await catalog.skills()).map((skill) => skill.realPath);
  const asked = nightRequest(skills, read.schedule);
  const request = { excluded: [], force: true, unsaved: [], consent: 'given' as const };
  const look = (): Promise<NightPlan> =>
    useCases.planNight({ ...nightRequest(skills, read.schedule), ...request }, neverAborted());
  const plan = await planWithKey(look);
  const chosen = plan === undefined ? undefined : await chooseSkills(plan, read.schedule.excluded);
  if (plan === undefined || chosen === undefined || !(await confirm({ plan, chosen, look }, timeOf(inFolder)))) return;
  const exclude = newlyExcluded(plan, chosen, read.schedule.excluded);
  const settings = hasFolder() && exclude !== undefined ? { ...inFolder, exclude } : inFolder;
  const { folders, workspaceFolders } = asked;
  // Before the settings are written: what the person just said is nothing to ask them about.
  const agreement = { folders, workspaceFolders, models: true, settings, optionsFor: skills };
  await useCases.agreeToNights(agreement, neverAborted());
  await useCases.turnNights({ folders, on: true }, neverAborted());
  if (exclude !== undefined) await writeSetting('whetstone.nightly.exclude', exclude, target());
  await controller.poll();
}

/** The skills that were unchecked; undefined where that is as it was, so that no file of the team is written. */
function newlyExcluded(
  plan: NightPlan,
  chosen: readonly Trainable[],
  before: readonly string[],
): readonly string[] | undefined {
  const all = trainables(plan);
  const isChosen = ({ skillPath }: Trainable): boolean => chosen.some((skill) => skill.skillPath === skillPath);
  const isSame = all.every((skill) => isChosen(skill) !== before.includes(skill.name));
  return isSame ? undefined : all.filter((skill) => !isChosen(skill)).map(({ name }) => name);
}

/** Without a key nobody knows what a night costs: it is asked for first. Undefined, and said why, where no night could run. */
async function planWithKey(look: () => Promise<NightPlan>): Promise<NightPlan | undefined> {
  const first = await look();
  const lacksKey = stopOf(first)?.name === 'no-key';
  if (lacksKey) await runCommand('whetstone.setApiKey');
  const plan = lacksKey ? await look() : first;
  const stop = stopOf(plan);
  if (stop === undefined) return plan;
  const alike = plan.stops.filter(({ name, cure }) => name === stop.name && cure === stop.cure);
  const sentences = alike.map(({ sentence }) => sentence).join(' ');
  void showWarning(`Whetstone: ${retold(`${sentences} ${stop.cure}`.trim())}`);
  return undefined;
}

const hopeless: readonly NightPlan['stops'][number]['name'][] = ['no-key', 'untrusted', 'no-tasks', 'tool-tasks'];

/** What no night could run with, whatever the person chooses now. */
function stopOf({ stops }: NightPlan): NightPlan['stops'][number] | undefined {
  return stops.find(({ name }) => hopeless.includes(name));
}

export async function turnOff(controller: NightlyController): Promise<void> {
  await (await controller.parts.useCases()).turnNights({ folders: openFolders(), on: false }, neverAborted());
  await controller.poll();
}

type PlannedTraining = NightPlan['train'][number];

/** A skill that nights may train: at once, or when it has its turn. */
interface Trainable {
  readonly skillPath: string;
  readonly name: string;
  readonly tasks: { readonly training: number; readonly heldOut: number };
  readonly autoAdopted: boolean;
}

function trainables({ train, fleet }: NightPlan): readonly Trainable[] {
  return [...train.map((skill) => ({ ...skill, tasks: skill.preflight.tasks })), ...(fleet?.later ?? [])];
}

/** Those of the chosen that the first night trains. */
function firstOf({ train }: NightPlan, chosen: readonly Trainable[]): readonly PlannedTraining[] {
  return train.filter(({ skillPath }) => chosen.some((skill) => skill.skillPath === skillPath));
}

async function chooseSkills(plan: NightPlan, excluded: readonly string[]): Promise<readonly Trainable[] | undefined> {
  const items: readonly (Choice & { readonly skill?: Trainable })[] = [
    ...trainables(plan).map((skill) => ({
      label: skill.name,
      description: vscode.l10n.t('{0} training, {1} held-out tasks', skill.tasks.training, skill.tasks.heldOut),
      picked: !excluded.includes(skill.name),
      skill,
    })),
    ...(plan.leftOut.length + plan.broken.length === 0
      ? []
      : [
          { label: vscode.l10n.t('Left out'), kind: vscode.QuickPickItemKind.Separator },
          ...plan.leftOut.map(({ name, stop }) => ({ label: name, description: retold(stop.sentence) })),
          ...plan.broken.map(({ name, reason }) => ({ label: name, description: reason })),
        ]),
  ];
  const picked = await pickMany(items, {
    title: vscode.l10n.t('Which skills should nights train?'),
    placeHolder: vscode.l10n.t('Uncheck those that nights should leave alone'),
    ignoreFocusOut: true,
  });
  const chosen = picked?.flatMap(({ skill }) => skill ?? []);
  if (chosen?.length !== 0) return chosen;
  void showInformation(vscode.l10n.t('No skill was chosen, so nights are as they were.'));
  return undefined;
}

interface NightsToConfirm {
  readonly plan: NightPlan;
  readonly chosen: readonly Trainable[];
  /** What the plan is under the settings of now. */
  readonly look: () => Promise<NightPlan>;
}

/** The person's word for the whole of it: which skills, at what time, for how much, and to whom their tasks go. */
async function confirm({ plan, chosen, look }: NightsToConfirm, time: string): Promise<boolean> {
  const [yes, setCap] = [vscode.l10n.t('Turn On'), vscode.l10n.t('Set a Cap')];
  const picked = await showInformation(
    chosen.length === 1
      ? vscode.l10n.t('Train 1 skill every night?')
      : vscode.l10n.t('Train {0} skills every night?', chosen.length),
    { modal: true, detail: detailOf(plan, chosen, time) },
    yes,
    setCap,
  );
  if (picked !== setCap) return picked === yes;
  await askCap();
  const again = await look();
  const same = trainables(again).filter(({ name }) => chosen.some((skill) => skill.name === name));
  return confirm({ plan: again, chosen: same, look }, time);
}

function detailOf(plan: NightPlan, chosen: readonly Trainable[], time: string): string {
  const cap = capWords(nightCap());
  const adopted = chosen.filter(({ autoAdopted }) => autoAdopted).map(({ skillPath }) => skillPath);
  const first = firstOf(plan, chosen);
  return [
    trainedLine(first, time),
    ...placeLines(plan, first),
    vscode.l10n.t('A night takes {0}.', estimateWords(first, plan.sessions)),
    ...(cap === undefined ? uncapped(first) : [vscode.l10n.t('It ends before it passes its cap of {0}.', cap)]),
    ...new Set(first.flatMap(({ preflight }) => (preflight.batches ?? []).map(retold))),
    ...(plan.batches === undefined ? [] : [retold(plan.batches)]),
    ...new Set(first.flatMap(({ preflight }) => [...preflight.caps.map(retold), giveUpLine(preflight.givesUp)])),
    ...sessionLines(plan),
    plan.simulated
      ? vscode.l10n.t('The simulated model answers: nothing leaves this machine.')
      : vscode.l10n.t('Skills, tasks and answers are sent to {0}. Turning it on is your consent to that.', plan.model),
    adopted.length === 0
      ? vscode.l10n.t('Nightly runs only propose edits and change no file.')
      : vscode.l10n.t(
          'ATTENTION: edits that are proved better are written into {0} WITHOUT ASKING (whetstone.nightly.autoAdopt).',
          adopted.join(', '),
        ),
  ].join('\n');
}

/** What a night begins with, by name as far as anybody reads; one more is named too, as the words for it are as long. */
function trainedLine(first: readonly PlannedTraining[], time: string): string {
  const names = first.map(({ name }) => name);
  const others = names.length - mostNamed;
  if (others > 1)
    return vscode.l10n.t('At {0}: {1} and {2} others.', time, names.slice(0, mostNamed).join(', '), others);
  return vscode.l10n.t('At {0}: {1}.', time, names.join(', ') || vscode.l10n.t('none'));
}

const mostNamed = 8;

/** Where there is no room for all: how the places are given, and why the first have theirs. */
function placeLines({ fleet }: NightPlan, first: readonly PlannedTraining[]): readonly string[] {
  if (fleet === undefined) return [];
  return [
    retold(fleet.sentence),
    ...first.slice(0, mostExplained).map(({ name, place = '' }) => `${name}: ${retold(firstSentence(place))}`),
    vscode.l10n.t('The others have their turns in later nights; each night says why.'),
  ];
}

const mostExplained = 3; // a question is to be read to its end; the log and the night's report say all of it

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/u)[0] ?? text;
}

/** Told before the yes: that nights look through sessions was allowed apart, and may be forgotten by now. */
function sessionLines({ sessions }: NightPlan): readonly string[] {
  if (sessions === undefined) return [];
  return [
    sessions.size === undefined
      ? vscode.l10n.t('Before, it looks through your new sessions and drafts tasks by rules: nothing of them is sent.')
      : vscode.l10n.t('Before, it looks through your new sessions and has the optimizer draft tasks of them.'),
  ];
}

/** Where each run is held to its calls, which is said of it, there is a limit all the same. */
function uncapped(chosen: readonly PlannedTraining[]): readonly string[] {
  if (chosen.some(({ preflight }) => preflight.callCap !== undefined)) return [];
  return [vscode.l10n.t('No cap for a night is set (whetstone.nightly.capUsd, whetstone.nightly.capTokens).')];
}

function target(): vscode.ConfigurationTarget {
  return hasFolder() ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
}

function hasFolder(): boolean {
  return vscode.workspace.workspaceFolders !== undefined;
}
