import * as vscode from 'vscode';
import type { SendingQuestion } from '../../app/world.js';
import type { UseCases } from '../../app/useCases.js';
import { count } from '../../wording/amounts.js';
import { askedLines, minedSentences } from '../../wording/harvest/draftWords.js';
import { keptText } from '../../wording/harvest/keptText.js';
import { t } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import { confirmMeasuring } from '../run/confirmMeasuring.js';
import { readCaps, readSettings } from '../settings.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { withProgress } from '../shown/notification.js';
import { pickMany, pickOne } from '../shown/questions.js';
import type { SkillCatalog } from '../skills/skillCatalog.js';
import { requestFor } from '../workbench.js';
import type { TaskParts } from '../tasks/taskParts.js';

interface MiningParts extends TaskParts {
  readonly catalog: Pick<SkillCatalog, 'skills'>;
}

type Wish = Parameters<UseCases['mineSessions']>[0];
type Mined = Awaited<ReturnType<UseCases['mineSessions']>>;

/**
 * The command “Draft Tasks from My Sessions”: the person sees what was kept of the sessions if they want to, and says whether a model is asked, and what that may cost. What is found waits with the other drafts; nothing of it is in the workspace before it is confirmed.
 */
export async function mineSessions(
  skillPath: string,
  parts: MiningParts,
  ensureModel: () => Promise<unknown>,
): Promise<void> {
  const useCases = await parts.useCases();
  const folders = await foldersFor(skillPath, useCases);
  if (folders.length === 0) return;
  const harvest = await harvestFor(folders, useCases);
  if (harvest.sessions.length === 0) return tellNone();
  const by = await askHow(harvest, parts);
  if (by === undefined) return;
  if (by === 'model') await ensureModel();
  const wish = {
    sessions: harvest.sessions,
    targets: [{ ...requestFor(skillPath), folders }],
    beside: (await parts.catalog.skills()).map(({ realPath }) => realPath).filter((other) => other !== skillPath),
    by,
    mostSessions,
    trusted: vscode.workspace.isTrusted,
  };
  if (by === 'model' && !(await agreedToCost(wish, useCases, parts))) return;
  const mined = await withProgress(vscode.l10n.t('Drafting tasks from your sessions'), (signal) =>
    useCases.mineSessions({ ...wish, caps: readCaps().run }, signal),
  );
  parts.overviews.refresh(skillPath);
  void offerToLook(skillPath, mined);
}

const lookedBackDays = 30; // as on the command line
const mostSessions = 20; // a model is shown

type Harvested = Awaited<ReturnType<UseCases['harvestSessions']>>;

/** The command “Show What Is Kept of My Sessions”: those of the open folders, to be read. Asks no model and keeps nothing. */
export async function showSessions({ useCases, texts }: Pick<TaskParts, 'useCases' | 'texts'>): Promise<void> {
  await showKept(await harvestFor(requestFor('').workspaceFolders, await useCases()), texts);
}

function harvestFor(folders: readonly string[], useCases: UseCases): Thenable<Harvested> {
  const since = Date.now() - lookedBackDays * 24 * 3_600_000;
  return withProgress(vscode.l10n.t('Looking through your sessions'), (signal) =>
    useCases.harvestSessions({ folders, since, which: 'all' }, signal),
  );
}

async function showKept(harvest: Harvested, texts: TaskParts['texts']): Promise<void> {
  const kept = keptText(harvest, { days: lookedBackDays, node: process.versions.node }, t);
  await vscode.window.showTextDocument(texts.add(`${vscode.l10n.t('What is kept')}.md`, kept), { preview: true });
}

function tellNone(): void {
  const folder = vscode.l10n.t('Choose Other Programs');
  const said = vscode.l10n.t(
    'None of your sessions of the last {0} days that may be read was had in these folders.',
    lookedBackDays,
  );
  void showInformation(said, folder).then((picked) =>
    picked === folder ? vscode.commands.executeCommand('whetstone.chooseSessions') : undefined,
  );
}

/** What was kept can be read first; then the person is asked again, beside it. */
async function askHow(harvest: Harvested, { texts }: TaskParts): Promise<Wish['by'] | undefined> {
  const read = count(harvest.sessions.length, 'session', t);
  const ways = [
    {
      label: vscode.l10n.t('Without a model'),
      detail: vscode.l10n.t('Found by rules: nothing is sent and nothing is spent.'),
      does: 'rules' as const,
    },
    {
      label: vscode.l10n.t('With the optimizer model'),
      detail: [...modelFirst(), vscode.l10n.t('You are shown what it would be sent and what that costs first.')].join(
        ' ',
      ),
      does: 'model' as const,
    },
  ];
  const show = {
    label: vscode.l10n.t('Show What Was Kept First'),
    detail: vscode.l10n.t('All that was taken from {0}, without secrets. You are asked again beside it.', read),
    does: 'show' as const,
  };
  const words = { title: vscode.l10n.t('{0} read. How are tasks found in them?', read), ignoreFocusOut: true };
  const picked = await pickOne([...ways, show], words);
  if (picked?.does !== 'show') return picked?.does;
  await showKept(harvest, texts);
  return (await pickOne(ways, words))?.does;
}

/** Why a model is asked for before anything else: the optimizer is the target where no other was chosen. */
function modelFirst(): readonly string[] {
  if (readSettings()['whetstone.model.target'] !== '') return [];
  return [
    vscode.l10n.t(
      'No model is chosen yet, so you choose the one that runs your skill first: it is also the optimizer until you choose another.',
    ),
  ];
}

/** Those of the window for a skill that lies in it; for one that lies elsewhere, each that the person says yes to. */
async function foldersFor(skillPath: string, useCases: UseCases): Promise<readonly string[]> {
  const open = requestFor(skillPath).workspaceFolders;
  if (vscode.workspace.getWorkspaceFolder(vscode.Uri.file(skillPath)) !== undefined) return open;
  const choices = await useCases.sessionFolderChoices(skillPath, open);
  const picked = await pickMany(
    choices.map(({ folder, allowed }) => ({ label: folder, folder, allowed, picked: allowed })),
    {
      title: vscode.l10n.t('From which folders may {0} take your sessions?', skillPath),
      placeHolder: vscode.l10n.t('This skill serves every folder. It takes what was said in one only by your word.'),
      ignoreFocusOut: true,
    },
  );
  if (picked === undefined) return [];
  const chosen = new Set(picked.map(({ folder }) => folder));
  for (const { folder, allowed } of choices) {
    const may = chosen.has(folder);
    if (may !== allowed) await useCases.allowSessionFolder({ skillPath, folder }, may, neverAborted());
  }
  return [...chosen];
}

/** Asks for what it costs; exactly what would be sent stands in an editor, and can be read before the answer. */
async function agreedToCost(wish: Omit<Wish, 'caps'>, useCases: UseCases, { texts }: TaskParts): Promise<boolean> {
  const previewNow = (): ReturnType<UseCases['previewMining']> =>
    useCases.previewMining({ ...wish, caps: readCaps().run }, neverAborted());
  const { text, size } = await previewNow();
  if (size === undefined) return true; // nobody would be asked
  const document = texts.add(`${vscode.l10n.t('What is sent')}.md`, text);
  const preview = async (): Promise<string> => {
    await vscode.window.showTextDocument(document, { preview: true });
    return document.toString();
  };
  await preview();
  return confirmMeasuring(useCases, async () => {
    const { requests, size: price } = await previewNow();
    const question = vscode.l10n.t('Ask a model about {0} of your sessions?', requests.length);
    const asked = { asked: requests.length, read: wish.sessions.length, most: mostSessions };
    const about = askedLines({ ...asked, model: price?.models.optimizer ?? '' }, t);
    return { question, about, go: vscode.l10n.t('Draft Tasks'), price, always: true, preview };
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
  const found = skills.reduce((sum, { drafts }) => sum + drafts.length, 0);
  const look = vscode.l10n.t('Review Drafts');
  const said = minedSentences({ drafts: found, files: notReplayable.length, emptied, asked: suggestions[0]?.asked }, t);
  const picked = await showInformation(said.join(' '), ...(found === 0 ? [] : [look]));
  if (picked === look) await vscode.commands.executeCommand('whetstone.reviewDrafts', skillPath);
}
