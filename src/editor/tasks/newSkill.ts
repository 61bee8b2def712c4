import * as vscode from 'vscode';
import type { NewSkill } from '../../app/tasks/newSkill.js';
import { UserError } from '../../errors.js';
import { floors } from '../../tasks/split/fillSides.js';
import { count } from '../../wording/amounts.js';
import { shownLine, visibleText } from '../../wording/shownText.js';
import { retold, t } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import { runCommand } from '../commands/runCommand.js';
import type { Cure } from '../cures.js';
import { reportError } from '../reportError.js';
import { showInformation } from '../shown/messages.js';
import { askText, pickOne } from '../shown/questions.js';
import type { SkillCatalog } from '../skills/skillCatalog.js';
import type { TaskParts } from './taskParts.js';

const usualPlace = '.claude/skills'; // read by Claude Code and by the agents of VS Code

/**
 * The command “New Skill”: a name, what it does, what people ask; then its file is open and leads on to tasks. Where it
 * comes from what was asked in sessions, the person says which of it the skill is for.
 */
export async function newSkill(
  catalog: SkillCatalog,
  { useCases, overviews }: TaskParts,
  asked: readonly string[] = [],
): Promise<void> {
  const forWhat = await chooseAsked(asked);
  const folder = await chooseFolder();
  const place = await placeIn(folder, catalog);
  const known = await useCases();
  const name = await askText({
    title: vscode.l10n.t('A name for the skill'),
    prompt: vscode.l10n.t('It is written to {0}.', `${place}/…/SKILL.md`),
    placeHolder: 'release-notes',
    validateInput: (text) => inWords(known.nameProblem(text.trim())),
  });
  if (name === undefined) return;
  const own = vscode.Uri.joinPath(folder.uri, place, name.trim()).fsPath;
  const brought = await takenFromEnvironment(known, own);
  if (brought !== undefined) return open(brought);
  const description = await askText({
    title: vscode.l10n.t('What does it do, and when should it be used?'),
    prompt: vscode.l10n.t('One or two sentences. Agents choose skills by them.'),
    validateInput: (text) => inWords(known.descriptionProblem(text)),
  });
  if (description === undefined) return;
  const examples = await askExamples(forWhat);
  if (examples === undefined) return;
  const wanted = { workspaceFolder: folder.uri.fsPath, place, name: name.trim(), description, examples };
  const skillPath = await known.createSkill(wanted, neverAborted());
  await open(skillPath);
  void leadOn(skillPath, wanted).then(undefined, () => undefined); // what a command throws was told by it

  async function open(file: string): Promise<void> {
    catalog.refresh();
    overviews.refresh(file);
    await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
  }
}

/**
 * Where the folder declares an environment that brings the text of its skill, the person may take that, and sees it before
 * it is written. Gives the path; undefined where they write their own.
 */
async function takenFromEnvironment(
  known: Awaited<ReturnType<TaskParts['useCases']>>,
  folder: string,
): Promise<string | undefined> {
  const names = await known.skillBringers(folder);
  if (names.length === 0) return undefined;
  const picked = await pickOne(
    [
      ...names.map((name) => ({ label: vscode.l10n.t('Take the text that “{0}” brings', shownLine(name)), name })),
      { label: vscode.l10n.t('Write my own'), name: undefined },
    ],
    { title: vscode.l10n.t('Where does the first text come from?') },
  );
  if (picked === undefined) throw new vscode.CancellationError();
  if (picked.name === undefined) return undefined;
  const brought = await known.broughtSkill({ folder, environment: picked.name }, neverAborted());
  const write = vscode.l10n.t('Write');
  const question = vscode.l10n.t('Write this to {0}?', brought.skillPath);
  const options = { modal: true as const, detail: visibleText(brought.text, longestShown) };
  if ((await showInformation(question, options, write)) !== write) throw new vscode.CancellationError();
  return known.writeBroughtSkill(brought, neverAborted());
}

const longestShown = 2_000; // characters of a dialog

function inWords(problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : retold(problem);
}

/** What the skill is for, of what was asked more than once; undefined where there is nothing to choose from. */
async function chooseAsked(asked: readonly string[]): Promise<string | undefined> {
  if (asked.length < 2) return asked[0];
  const picked = await pickOne(
    asked.map((label) => ({ label })),
    { title: vscode.l10n.t('What is the new skill for?'), placeHolder: vscode.l10n.t('It becomes its first example.') },
  );
  if (picked === undefined) throw new vscode.CancellationError();
  return picked.label;
}

async function chooseFolder(): Promise<vscode.WorkspaceFolder> {
  const [first, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (first === undefined) {
    void reportError(noFolder(), [openFolder()]);
    throw new vscode.CancellationError();
  }
  if (others.length === 0) return first;
  const picked = await pickOne(
    [first, ...others].map((folder) => ({ label: folder.name, folder })),
    { title: vscode.l10n.t('In which folder?') },
  );
  if (picked === undefined) throw new vscode.CancellationError();
  return picked.folder;
}

function noFolder(): UserError {
  return new UserError(
    'skill-missing',
    vscode.l10n.t('No folder is open to write a skill into.'),
    vscode.l10n.t('Open a folder, then try again.'),
  );
}

function openFolder(): Cure {
  return {
    label: vscode.l10n.t('Open Folder'),
    run: () => vscode.commands.executeCommand('vscode.openFolder'),
  };
}

/** Where most of the folder's skills lie, else where agents look for them. */
async function placeIn({ uri }: vscode.WorkspaceFolder, catalog: SkillCatalog): Promise<string> {
  const counts = new Map<string, number>();
  for (const skill of await catalog.skills()) {
    if (skill.workspaceFolder !== uri.fsPath) continue;
    const [path = skill.realPath] = skill.paths;
    const relative = vscode.workspace.asRelativePath(path, false).replaceAll('\\', '/');
    const place = relative.split('/').slice(0, -2).join('/');
    if (place !== '') counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? usualPlace;
}

/** As many as the person has at hand, or none; undefined where they thought better of it. */
async function askExamples(first = ''): Promise<NewSkill['examples'] | undefined> {
  const examples: { readonly prompt: string; readonly expectation: string | undefined }[] = [];
  let value = first;
  for (;;) {
    const prompt = await askText({
      title:
        examples.length === 0
          ? vscode.l10n.t('What would a person ask? One example')
          : vscode.l10n.t('Another example ({0} so far)', examples.length),
      value,
      prompt: vscode.l10n.t('It becomes a task. Leave it empty to go on without one.'),
    });
    value = '';
    // Escape after an example means that there is no more; what was written is kept.
    if (prompt === undefined && examples.length === 0) return undefined;
    if (prompt === undefined || prompt.trim() === '') return examples;
    const expectation = await askText({
      title: vscode.l10n.t('What must a good answer do?'),
      prompt: vscode.l10n.t('One sentence. Left empty, the task is a draft that you confirm later.'),
    });
    if (expectation === undefined) return undefined;
    examples.push({ prompt: prompt.trim(), expectation: expectation.trim() === '' ? undefined : expectation.trim() });
  }
}

async function leadOn(skillPath: string, { name, examples }: Pick<NewSkill, 'name' | 'examples'>): Promise<void> {
  const draft = vscode.l10n.t('Draft Tasks');
  const mine = vscode.l10n.t('From My Sessions');
  const task = vscode.l10n.t('New Task');
  const said =
    examples.length === 0
      ? vscode.l10n.t('{0} is ready. Write what it should do, then give it tasks.', name)
      : vscode.l10n.t(
          '{0} is ready with {1}. It takes {2} to prove an edit.',
          name,
          count(examples.length, 'task', t),
          floors.training + floors.heldOut,
        );
  const picked = await showInformation(said, draft, mine, task);
  if (picked === draft) await runCommand('whetstone.draftTasks', skillPath);
  if (picked === mine) await runCommand('whetstone.mineSessions', skillPath);
  if (picked === task) await runCommand('whetstone.newTask', skillPath);
}
