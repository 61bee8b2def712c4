import * as vscode from 'vscode';
import type { SkillOverview } from '../../app/results/overview.js';
import type { UseCases } from '../../app/useCases.js';
import { UserError, type AnswersAwaited } from '../../errors.js';
import { count } from '../../wording/amounts.js';
import { t } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import { runCommand } from '../commands/runCommand.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { pickOne } from '../shown/questions.js';
import { begunWords } from '../tree/skillState.js';
import { writtenName } from '../skills/writtenName.js';
import { requestFor } from '../workbench.js';
import type { RunParts } from './withRunProgress.js';

type WaitingHandoff = NonNullable<SkillOverview['handed']>[number];

/** Says how many prompts wait for answers by hand, and leads to them. */
export async function tellWaiting(awaited: AnswersAwaited, skillPath: string): Promise<void> {
  const { waiting, formless, folder, runId } = awaited;
  const name = await writtenName(skillPath);
  const message =
    waiting === 1
      ? vscode.l10n.t('{0}: 1 prompt waits for its answer. Answer it into a file beside it, then go on.', name)
      : vscode.l10n.t(
          '{0}: {1} prompts wait for answers. Answer them into files beside them, then go on.',
          name,
          waiting,
        );
  const [show, open, goOn] = [vscode.l10n.t('Show Prompts'), vscode.l10n.t('Open Folder'), vscode.l10n.t('Go On')];
  const index = vscode.Uri.file(`${folder}/INDEX.md`);
  const why = formless === 0 ? [] : [vscode.l10n.t('The last reply was not of the form that was asked for.')];
  const picked = await showInformation([message, ...why].join(' '), show, open, goOn);
  if (picked === show) await vscode.commands.executeCommand('vscode.open', index);
  if (picked === open) await vscode.commands.executeCommand('revealFileInOS', index);
  if (picked === goOn) await runCommand('whetstone.resumeRun', { skillPath, runId });
}

/** What the person wants who starts a run while another one of the skill waits for answers; `anew` where none waits. */
export async function askAboutWaiting(
  useCases: UseCases,
  skillPath: string,
): Promise<{ readonly goOn: string } | 'anew' | undefined> {
  const { handed = [] } = await useCases.overview(requestFor(skillPath), neverAborted());
  const waiting = handed.find(({ run }) => run !== undefined);
  if (waiting?.run === undefined) return 'anew';
  const [goOn, anew] = [vscode.l10n.t('Go On'), vscode.l10n.t('Start Anew')];
  const picked = await showInformation(
    vscode.l10n.t('A run of {0} waits for answers already.', await writtenName(skillPath)),
    { modal: true, detail: `${standing(waiting)} ${whatFollows()}` },
    goOn,
    anew,
  );
  if (picked === goOn) return { goOn: waiting.run };
  return picked === anew ? 'anew' : undefined;
}

function standing({ waiting, answered }: WaitingHandoff): string {
  return waiting === 0
    ? vscode.l10n.t('All of its prompts are answered.')
    : vscode.l10n.t('{0} without an answer, {1} with one.', count(waiting, 'prompt', t), answered);
}

function whatFollows(): string {
  return vscode.l10n.t(
    '“Go On” takes the answers that are there. “Start Anew” begins a second run with prompts of its own, and the first keeps waiting.',
  );
}

/** “Give Up the Waiting Run”: its prompts go, with the answers beside them, after asking. */
export async function giveUpWaiting(
  { skillPath, runId }: { readonly skillPath: string; readonly runId: string | undefined },
  { useCases, overviews }: Pick<RunParts, 'useCases' | 'overviews'>,
): Promise<void> {
  const cases = await useCases();
  const { handed = [] } = await cases.overview(requestFor(skillPath), neverAborted());
  const name = await writtenName(skillPath);
  if (handed.length === 0)
    throw new UserError('usage', vscode.l10n.t('{0}: nothing waits for answers by hand.', name), '');
  const chosen = runId === undefined ? await pickHanded(name, handed) : handed.find((each) => each.name === runId);
  if (chosen === undefined && runId !== undefined) throw notWaiting(name);
  if (chosen === undefined) return;
  const giveUp = vscode.l10n.t('Give Up');
  const picked = await showWarning(
    vscode.l10n.t('Give up the waiting run of {0}?', name),
    { modal: true, detail: [...begun(chosen), deleted(chosen)].join(' ') },
    giveUp,
  );
  if (picked !== giveUp) return;
  await cases.discardHandoff({ ...requestFor(skillPath), name: chosen.name }, neverAborted());
  overviews.refresh(skillPath);
  void showInformation(vscode.l10n.t('{0}: the run is given up, and its prompts are deleted.', name));
}

/** The only one is meant where there is one; of several the person picks. */
async function pickHanded(skill: string, handed: readonly WaitingHandoff[]): Promise<WaitingHandoff | undefined> {
  const [only, ...others] = handed;
  if (others.length === 0) return only;
  const rows = handed.map((each) => ({
    label: each.startedAt === undefined ? skill : begunWords(skill, each.startedAt),
    description: standing(each),
    detail: each.name,
    each,
  }));
  const picked = await pickOne(rows, {
    title: vscode.l10n.t('{0}: which one is given up?', skill),
    placeHolder: vscode.l10n.t('The others keep waiting'),
  });
  return picked?.each;
}

function notWaiting(skill: string): UserError {
  return new UserError(
    'usage',
    vscode.l10n.t('{0}: this run does not wait for answers by hand any more.', skill),
    vscode.l10n.t('Look at what is left, then decide.'),
  );
}

/** Which of the runs it is. */
function begun({ startedAt }: WaitingHandoff): readonly string[] {
  return startedAt === undefined ? [] : [vscode.l10n.t('It began {0}.', new Date(startedAt).toLocaleString())];
}

function deleted({ waiting, answered }: WaitingHandoff): string {
  const [prompts, answers] = [count(waiting + answered, 'prompt', t), count(answered, 'answer', t)];
  const what = vscode.l10n.t('{0} and {1} are deleted.', prompts, answers);
  return `${what} ${vscode.l10n.t('What the run has taken of them already is kept, should it be resumed one day. The skill stays as it is.')}`;
}
