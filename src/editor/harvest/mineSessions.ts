import * as vscode from 'vscode';
import type { SendingQuestion } from '../../app/world.js';
import type { UseCases } from '../../app/useCases.js';
import { emptiedLines } from '../../wording/harvest/draftWords.js';
import { t } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import { confirmMeasuring } from '../run/confirmMeasuring.js';
import { readCaps } from '../settings.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { withProgress } from '../shown/notification.js';
import { pickOne } from '../shown/questions.js';
import { requestFor } from '../workbench.js';
import type { TaskParts } from '../tasks/taskParts.js';

type Wish = Parameters<UseCases['mineSessions']>[0];
type Mined = Awaited<ReturnType<UseCases['mineSessions']>>;

/**
 * The command “Draft Tasks from My Sessions”: the person says whether a model is asked, and what that may cost. What is found waits with the other drafts; nothing of it is in the workspace before it is confirmed.
 */
export async function mineSessions(
  skillPath: string,
  parts: TaskParts,
  ensureModel: () => Promise<unknown>,
): Promise<void> {
  const useCases = await parts.useCases();
  const by = await askHow();
  if (by === undefined) return;
  if (by === 'model') await ensureModel();
  const folders = await foldersFor(skillPath, useCases);
  if (folders.length === 0) return;
  const wish = await withProgress(vscode.l10n.t('Looking through your sessions'), async (signal) => {
    const since = Date.now() - lookedBackMs;
    const { sessions } = await useCases.harvestSessions({ folders, since, which: 'all' }, signal);
    return {
      sessions,
      targets: [{ ...requestFor(skillPath), folders }],
      by,
      mostSessions,
      trusted: vscode.workspace.isTrusted,
    };
  });
  if (by === 'model' && !(await agreedToCost(wish, useCases, parts))) return;
  const mined = await withProgress(vscode.l10n.t('Drafting tasks from your sessions'), (signal) =>
    useCases.mineSessions({ ...wish, caps: readCaps().run }, signal),
  );
  parts.overviews.refresh(skillPath);
  void offerToLook(skillPath, mined);
}

const lookedBackMs = 30 * 24 * 3_600_000;
const mostSessions = 20; // a model is shown

async function askHow(): Promise<Wish['by'] | undefined> {
  const picked = await pickOne(
    [
      {
        label: vscode.l10n.t('Without a model'),
        detail: vscode.l10n.t('Found by rules: nothing is sent and nothing is spent.'),
        by: 'rules' as const,
      },
      {
        label: vscode.l10n.t('With the optimizer model'),
        detail: vscode.l10n.t('You are shown what it would be sent and what that costs first.'),
        by: 'model' as const,
      },
    ],
    { title: vscode.l10n.t('How are tasks found in your sessions?') },
  );
  return picked?.by;
}

/** Those of the window for a skill that lies in it; for one that lies elsewhere each only by a yes. */
async function foldersFor(skillPath: string, useCases: UseCases): Promise<readonly string[]> {
  const open = requestFor(skillPath).workspaceFolders;
  if (vscode.workspace.getWorkspaceFolder(vscode.Uri.file(skillPath)) !== undefined) return open;
  const allow = vscode.l10n.t('Allow');
  for (const folder of open) {
    if ((await useCases.sessionFoldersOf(skillPath)).includes(folder)) continue;
    const question = vscode.l10n.t('May the skill at {0} take tasks from your sessions in {1}?', skillPath, folder);
    if ((await showWarning(question, { modal: true }, allow)) === allow)
      await useCases.allowSessionFolder({ skillPath, folder }, true, neverAborted());
  }
  return useCases.sessionFoldersOf(skillPath);
}

/** Shows exactly what would be sent, and asks for what it costs. */
async function agreedToCost(wish: Omit<Wish, 'caps'>, useCases: UseCases, { texts }: TaskParts): Promise<boolean> {
  const previewNow = (): ReturnType<UseCases['previewMining']> =>
    useCases.previewMining({ ...wish, caps: readCaps().run }, neverAborted());
  const { text, size } = await previewNow();
  if (size === undefined) return true; // nobody would be asked
  await vscode.window.showTextDocument(texts.add(`${vscode.l10n.t('What is sent')}.md`, text), { preview: true });
  return confirmMeasuring(useCases, async () => {
    const preview = await previewNow();
    const question = vscode.l10n.t('Ask a model about {0} of your sessions?', preview.requests.length);
    return { question, go: vscode.l10n.t('Draft Tasks'), price: preview.size, always: true };
  });
}

/** Asked once for each model, apart from whose sessions may be read. */
export async function askToSendSessions({ model, address, sessions }: SendingQuestion): Promise<boolean> {
  if (!vscode.workspace.isTrusted) return false;
  const send = vscode.l10n.t('Send');
  const detail = vscode.l10n.t(
    'What you asked in {0} of your sessions and how the answers began, without secrets. You are asked once for this model.',
    sessions,
  );
  const question = vscode.l10n.t('May words of your sessions be sent to {0} at {1}?', model, address);
  return (await showWarning(question, { modal: true, detail }, send)) === send;
}

async function offerToLook(skillPath: string, { skills, notReplayable, suggestions, emptied }: Mined): Promise<void> {
  const count = skills.reduce((sum, { drafts }) => sum + drafts.length, 0);
  const look = vscode.l10n.t('Review Drafts');
  const said = [
    count === 1
      ? vscode.l10n.t('1 draft out of your sessions waits for you.')
      : vscode.l10n.t('{0} drafts out of your sessions wait for you.', count),
    ...(notReplayable.length === 0
      ? []
      : [vscode.l10n.t('{0} more are about files that are not known or gone.', notReplayable.length)]),
    ...emptiedLines(emptied, t),
    ...(suggestions.length === 0
      ? []
      : [vscode.l10n.t('Asked more than once, and no skill is for it: {0}', suggestions[0]?.asked ?? '')]),
  ];
  const picked = await showInformation(said.join(' '), ...(count === 0 ? [] : [look]));
  if (picked === look) await vscode.commands.executeCommand('whetstone.reviewDrafts', skillPath);
}
