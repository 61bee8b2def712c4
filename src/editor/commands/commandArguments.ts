import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import { skillShownBy } from '../tree/versionDocuments.js';
import type {
  CandidateChoice,
  ArgumentOf,
  LabelChoice,
  LabelsChoice,
  RoleChoice,
  RunChoice,
  SkillChoice,
  TaskChoice,
  VersionChoice,
  WindowCommandId,
} from './commands.js';

/**
 * Reads what a command was called with: a path, a file of the explorer or of an editor's menu, a row of the tree, or
 * what our own code hands over. What fits none of them is told to the person.
 */
export const argumentReaders: { readonly [Id in WindowCommandId]: (given: unknown) => ArgumentOf<Id> } = {
  'whetstone.refresh': noArgument,
  'whetstone.filterSkills': (given) => (typeof given === 'string' ? given : undefined),
  'whetstone.clearFilter': noArgument,
  'whetstone.sortByAttention': noArgument,
  'whetstone.sortByName': noArgument,
  'whetstone.optimize': skillChoice,
  'whetstone.chooseModel': roleChoice,
  'whetstone.nightly': noArgument,
  'whetstone.installOsSchedule': noArgument,
  'whetstone.showLog': noArgument,
  'whetstone.showSkill': skillChoice,
  'whetstone.showAnswers': taskChoice,
  'whetstone.undo': skillChoice,
  'whetstone.tryDemo': noArgument,
  'whetstone.refillErrorBudget': skillChoice,
  'whetstone.gatherEvidence': skillChoice,
  'whetstone.certifyCandidate': candidateChoice,
  'whetstone.reviewCandidate': candidateChoice,
  'whetstone.showReport': skillChoice,
  'whetstone.checkConnection': noArgument,
  'whetstone.showQueue': noArgument,
  'whetstone.sandbox': noArgument,
  'whetstone.scriptEdits': noArgument,
  'whetstone.forgetLogins': noArgument,
  'whetstone.chooseSessions': noArgument,
  'whetstone.showUsage': noArgument,
  'whetstone.showSessions': noArgument,
  'whetstone.allowSecrets': (given) => ({ skillPath: skillChoice(given), hashes: optionalTexts(given, 'hashes') }),
  'whetstone.setApiKey': noArgument,
  'whetstone.previewRequests': (given) => ({
    skillPath: skillChoice(given),
    as: optionalOneOf(given, 'as', ['text', 'json']) ?? 'text',
  }),
  'whetstone.draftTasks': skillChoice,
  // The menu of an editor hands over the file that it shows, whatever that is: only a SKILL.md is a skill.
  'whetstone.addTask': (given) => (isOtherFile(given) ? undefined : skillChoice(given)),
  'whetstone.importTasks': skillChoice,
  'whetstone.mineSessions': skillChoice,
  'whetstone.tryTask': oneTask,
  'whetstone.confirmTask': taskChoice,
  'whetstone.confirmDrafts': skillChoice,
  'whetstone.reviewDrafts': skillChoice,
  'whetstone.enableTask': taskChoice,
  'whetstone.disableTask': taskChoice,
  'whetstone.editTask': taskChoice,
  'whetstone.showTask': taskChoice,
  'whetstone.moveTask': taskChoice,
  'whetstone.deleteTask': taskChoice,
  'whetstone.newTask': skillChoice,
  'whetstone.newSkill': (given) => ({ asked: optionalTexts(given, 'asked') }),
  'whetstone.keepChecks': taskChoice,
  'whetstone.describeChecks': oneTask,
  'whetstone.editPrompt': skillChoice,
  'whetstone.showNotes': skillChoice,
  'whetstone.resetNotes': skillChoice,
  'whetstone.forgetRejected': skillChoice,
  'whetstone.acceptChecked': skillChoice,
  'whetstone.showVersion': versionChoice,
  'whetstone.compareVersion': versionChoice,
  'whetstone.restoreVersion': versionChoice,
  'whetstone.deleteSkillData': skillChoice,
  'whetstone.pauseRun': skillChoice,
  'whetstone.resumeRun': runChoice,
  'whetstone.giveUpRun': runChoice,
  'whetstone.showTrainingReport': runChoice,
  'whetstone.exportReport': (given) => ({
    ...runChoice(given),
    format: optionalOneOf(given, 'format', ['html', 'markdown']),
  }),
  'whetstone.updateRecord': skillChoice,
  'whetstone.checkJudge': skillChoice,
  'whetstone.showJudge': skillChoice,
  'whetstone.labelAnswer': labelChoice,
  'whetstone.countLabels': labelsChoice,
};

function noArgument(): undefined {
  return undefined;
}

/** The role of a link; a row of a view, or nothing, leaves the choice to the person. */
function roleChoice(given: unknown): RoleChoice {
  const isLeftOpen = given === undefined || isObject(given) || given === null;
  return isLeftOpen ? undefined : oneOf(given, 'role', ['target', 'optimizer', 'judge'] as const);
}

/** The skill that a command was pointed at; undefined where it was pointed at none. */
function skillChoice(given: unknown): SkillChoice {
  if (given instanceof vscode.Uri) return skillOfUri(given);
  // The row of a folder belongs to no skill: it says so with an undefined path.
  const named: unknown = isObject(given) && 'skillPath' in given ? given.skillPath : given;
  if (named === undefined || named === null || typeof named === 'string') return named ?? undefined;
  throw notASkill();
}

/** A file, the folder of a skill, or one of our documents about a skill. */
function skillOfUri(uri: vscode.Uri): string {
  const skill = isOnDisk(uri) ? uri.fsPath : skillShownBy(uri);
  if (skill === undefined) throw notASkill();
  return skill;
}

function notASkill(): UserError {
  return new UserError('usage', vscode.l10n.t('This command was not called with a skill.'), fromPalette());
}

function fromPalette(): string {
  return vscode.l10n.t('Run it from the command palette, or from a skill in the Whetstone view.');
}

function oneTask(given: unknown): { readonly skillPath: SkillChoice; readonly taskId: string | undefined } {
  return { skillPath: skillChoice(given), taskId: optionalText(given, 'taskId') };
}

function taskChoice(given: unknown): TaskChoice {
  const [skillPath, taskId] = [textOf(given, 'skillPath'), textOf(given, 'taskId')];
  if (skillPath !== undefined && taskId !== undefined) return { skillPath, taskId, ...placeOf(given) };
  throw new UserError(
    'usage',
    vscode.l10n.t('This command needs to know which task is meant.'),
    vscode.l10n.t('Run it from the row of a task in the Whetstone view.'),
  );
}

function labelChoice(given: unknown): LabelChoice {
  const [skillPath, id] = [textOf(given, 'skillPath'), textOf(given, 'id')];
  const label = (['pass', 'fail', 'skip', 'back', 'stop'] as const).find((each) => each === textOf(given, 'label'));
  if (skillPath !== undefined && id !== undefined && label !== undefined) return { skillPath, id, label };
  throw new UserError(
    'usage',
    vscode.l10n.t('This command needs to know which answer is meant.'),
    vscode.l10n.t('Run “Check the Judge”, and press a key there.'),
  );
}

function labelsChoice(given: unknown): LabelsChoice {
  const skillPath = textOf(given, 'skillPath');
  const whose = (['all', 'own'] as const).find((each) => each === textOf(given, 'whose'));
  if (skillPath !== undefined && whose !== undefined) return { skillPath, whose };
  throw new UserError(
    'usage',
    vscode.l10n.t('This command needs to know whose labels are to count.'),
    vscode.l10n.t('Run “Check the Judge”, and press a button there.'),
  );
}

/** The attempt and the step that a row of the tree stands for. */
function placeOf(given: unknown): Pick<TaskChoice, 'place'> {
  const place: unknown = isObject(given) ? Reflect.get(given, 'place') : undefined;
  const attempt = textOf(place, 'attempt');
  if (attempt === undefined || !isObject(place)) return {};
  const at: unknown = Reflect.get(place, 'at');
  return { place: typeof at === 'number' || at === 'changes' ? { attempt, at } : { attempt } };
}

function candidateChoice(given: unknown): CandidateChoice {
  const skillPath = textOf(given, 'skillPath');
  const candidate = textOf(given, 'candidateId') ?? textOf(given, 'candidate'); // a row, or a row's own command
  if (skillPath !== undefined && candidate !== undefined) return { skillPath, candidate };
  throw new UserError(
    'usage',
    vscode.l10n.t('This command needs to know which candidate is meant.'),
    vscode.l10n.t('Run it from the row of a candidate in the Whetstone view.'),
  );
}

function versionChoice(given: unknown): VersionChoice {
  const [skillPath, version] = [textOf(given, 'skillPath'), textOf(given, 'version')];
  if (skillPath !== undefined && version !== undefined) return { skillPath, version };
  throw new UserError(
    'usage',
    vscode.l10n.t('This command needs to know which version is meant.'),
    vscode.l10n.t('Run it from a row of the history in the Whetstone view.'),
  );
}

function runChoice(given: unknown): RunChoice {
  return { skillPath: skillChoice(given), runId: optionalText(given, 'runId') };
}

/** What may be left out; what is there and is something else was meant, and is not passed over. */
function optionalText(given: unknown, name: string): string | undefined {
  const value = fieldOf(given, name);
  if (value === undefined || typeof value === 'string') return value;
  throw notTaken(name);
}

function optionalTexts(given: unknown, name: string): readonly string[] | undefined {
  const value = fieldOf(given, name);
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((each): each is string => typeof each === 'string')) return value;
  throw notTaken(name);
}

function optionalOneOf<Value extends string>(
  given: unknown,
  name: string,
  lawful: readonly Value[],
): Value | undefined {
  const value = fieldOf(given, name);
  return value === undefined ? undefined : oneOf(value, name, lawful);
}

function oneOf<Value extends string>(value: unknown, name: string, lawful: readonly Value[]): Value {
  const found = lawful.find((each) => each === value);
  if (found === undefined) throw notTaken(name);
  return found;
}

function fieldOf(given: unknown, name: string): unknown {
  const value: unknown = isObject(given) ? Reflect.get(given, name) : undefined;
  return value ?? undefined;
}

function notTaken(name: string): UserError {
  return new UserError('usage', vscode.l10n.t('This command takes no such “{0}”.', name), fromPalette());
}

function textOf(given: unknown, name: string): string | undefined {
  const value: unknown = isObject(given) ? Reflect.get(given, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function isObject(given: unknown): given is object {
  return typeof given === 'object' && given !== null;
}

function isOtherFile(given: unknown): boolean {
  return given instanceof vscode.Uri && !given.path.endsWith('/SKILL.md');
}

function isOnDisk({ scheme }: vscode.Uri): boolean {
  return scheme === 'file' || scheme === 'vscode-remote';
}
