import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import type {
  CandidateChoice,
  Given,
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
export const argumentReaders: { readonly [Id in WindowCommandId]: (given: unknown) => Given<Id> } = {
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
  'whetstone.allowSecrets': (given) => ({ skillPath: skillChoice(given), hashes: textsOf(given, 'hashes') }),
  'whetstone.setApiKey': noArgument,
  'whetstone.previewRequests': (given) => ({
    skillPath: skillChoice(given),
    as: textOf(given, 'as') === 'json' ? 'json' : 'text',
  }),
  'whetstone.draftTasks': skillChoice,
  // The menu of an editor hands over the file that it shows, whatever that is: only a SKILL.md is a skill.
  'whetstone.addTask': (given) => (isOtherFile(given) ? undefined : skillChoice(given)),
  'whetstone.importTasks': skillChoice,
  'whetstone.mineSessions': skillChoice,
  'whetstone.tryTask': (given) => ({ skillPath: skillChoice(given), taskId: textOf(given, 'taskId') }),
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
  'whetstone.newSkill': (given) => ({ asked: textsOf(given, 'asked') }),
  'whetstone.keepChecks': taskChoice,
  'whetstone.describeChecks': (given) => ({ skillPath: skillChoice(given), taskId: textOf(given, 'taskId') }),
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
  'whetstone.exportReport': (given) => ({ ...runChoice(given), format: textOf(given, 'format') }),
  'whetstone.updateRecord': skillChoice,
  'whetstone.checkJudge': skillChoice,
  'whetstone.showJudge': skillChoice,
  'whetstone.labelAnswer': labelChoice,
  'whetstone.countLabels': labelsChoice,
};

function noArgument(): undefined {
  return undefined;
}

/** The role of a row or a link; what names none leaves the choice to the person. */
function roleChoice(given: unknown): RoleChoice {
  return given === 'target' || given === 'optimizer' || given === 'judge' ? given : undefined;
}

/** The skill that a command was pointed at; undefined where it was pointed at none. */
function skillChoice(given: unknown): SkillChoice {
  if (given instanceof vscode.Uri) return isOnDisk(given) ? given.fsPath : undefined;
  // The row of a folder belongs to no skill: it says so with an undefined path.
  const named: unknown = isObject(given) && 'skillPath' in given ? given.skillPath : given;
  if (named === undefined || named === null || typeof named === 'string') return named ?? undefined;
  throw new UserError(
    'usage',
    vscode.l10n.t('This command was not called with a skill.'),
    vscode.l10n.t('Run it from the command palette, or from a skill in the Whetstone view.'),
  );
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
  return { skillPath: skillChoice(given), runId: textOf(given, 'runId') };
}

function textOf(given: unknown, name: string): string | undefined {
  const value: unknown = isObject(given) ? Reflect.get(given, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function textsOf(given: unknown, name: string): readonly string[] | undefined {
  const value: unknown = isObject(given) ? Reflect.get(given, name) : undefined;
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
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
