import * as vscode from 'vscode';
import type { SendingQuestion } from '../../app/world.js';
import type { UseCases } from '../../app/useCases.js';
import { UserError } from '../../errors.js';
import { count } from '../../wording/amounts.js';
import { askedLines } from '../../wording/harvest/draftWords.js';
import { minedPage } from '../../wording/harvest/minedPage.js';
import { minedSentences, noSessionSentences } from '../../wording/harvest/minedWords.js';
import { keptText } from '../../wording/harvest/keptText.js';
import { t } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import { commandLink, runCommand } from '../commands/runCommand.js';
import type { Cure } from '../cures.js';
import { reportError } from '../reportError.js';
import { confirmMeasuring } from '../run/confirmMeasuring.js';
import { readCaps, readSettings } from '../settings.js';
import { showInformation } from '../shown/messages.js';
import { withProgress } from '../shown/notification.js';
import { pickMany, pickOne } from '../shown/questions.js';
import type { SkillCatalog } from '../skills/skillCatalog.js';
import { requestFor } from '../workbench.js';
import type { TaskParts } from '../tasks/taskParts.js';

interface MiningParts extends TaskParts {
  readonly catalog: Pick<SkillCatalog, 'skills'>;
}

type Wish = Parameters<UseCases['mineSessions']>[0];
type MiningResult = Awaited<ReturnType<UseCases['mineSessions']>>;

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
  if (harvest.sessions.length === 0) return tellNone(harvest.unread);
  const by = await askHow(harvest, parts);
  const { sessions, unread } = harvest;
  if (by !== undefined) await mineBy(by, { skillPath, folders, sessions, unread, ensureModel }, parts);
}

interface SessionFindings extends Pick<HarvestResult, 'sessions' | 'unread'> {
  readonly skillPath: string;
  readonly folders: readonly string[];
  readonly ensureModel: () => Promise<unknown>;
}

async function mineBy(by: Wish['by'], found: SessionFindings, parts: MiningParts): Promise<void> {
  const { skillPath, folders, sessions } = found;
  const useCases = await parts.useCases();
  if (by === 'model') await found.ensureModel();
  const wish = {
    sessions,
    targets: [{ ...requestFor(skillPath), folders }],
    beside: (await parts.catalog.skills()).map(({ realPath }) => realPath).filter((other) => other !== skillPath),
    by,
    mostSessions,
    trusted: vscode.workspace.isTrusted,
  };
  if (by === 'model' && !(await agreedToCost(wish, useCases, parts).catch(notSent(found, parts)))) return;
  const mined = await withProgress(vscode.l10n.t('Drafting tasks from your sessions'), (signal) =>
    useCases.mineSessions({ ...wish, caps: readCaps().run }, signal),
  );
  parts.overviews.refresh(skillPath);
  void offerToLook(skillPath, { mined, unread: found.unread }, parts).then(undefined, reportError);
}

/** Who does not want their words sent is told what else there is, with a button for each. */
function notSent(found: SessionFindings, parts: MiningParts): (error: unknown) => false {
  const way = (label: string, by: Wish['by']): Cure => ({
    label,
    run: () => mineBy(by, found, parts).catch((error: unknown) => reportError(error)),
  });
  return (error) => {
    if (!(error instanceof UserError && error.code === 'sending-not-allowed')) throw error;
    const ways = [way(vscode.l10n.t('Without a Model'), 'rules'), way(vscode.l10n.t('Show What Is Sent'), 'model')];
    void reportError(error, ways);
    return false;
  };
}

const lookedBackDays = 30; // as on the command line
const mostSessions = 20; // a model is shown

type HarvestResult = Awaited<ReturnType<UseCases['harvestSessions']>>;

/** The command “Show What Is Kept of My Sessions”: those of the open folders, to be read. Asks no model and keeps nothing. */
export async function showSessions({ useCases, texts }: Pick<TaskParts, 'useCases' | 'texts'>): Promise<void> {
  await showKept(await harvestFor(requestFor('').workspaceFolders, await useCases()), texts);
}

function harvestFor(folders: readonly string[], useCases: UseCases): Thenable<HarvestResult> {
  const since = Date.now() - lookedBackDays * 24 * 3_600_000;
  return withProgress(vscode.l10n.t('Looking through your sessions'), (signal) =>
    useCases.harvestSessions({ folders, since }, signal),
  );
}

async function showKept(harvest: HarvestResult, texts: TaskParts['texts']): Promise<void> {
  const kept = keptText(harvest, { days: lookedBackDays, node: process.versions.node }, t);
  await vscode.window.showTextDocument(texts.add(`${vscode.l10n.t('What is kept')}.md`, kept), { preview: true });
}

function tellNone(unread: HarvestResult['unread']): void {
  const folder = vscode.l10n.t('Choose Other Programs');
  const said = noSessionSentences({ days: lookedBackDays, unread }, process.versions.node, t);
  void showInformation(said.join(' '), folder).then((picked) =>
    picked === folder ? vscode.commands.executeCommand('whetstone.chooseSessions') : undefined,
  );
}

/** What was kept can be read first; then the person is asked again, beside it. */
async function askHow(harvest: HarvestResult, { texts }: TaskParts): Promise<Wish['by'] | undefined> {
  const read = count(harvest.sessions.length, 'session', t);
  const ways = [
    {
      label: vscode.l10n.t('Without a model'),
      detail: vscode.l10n.t('Found by rules: nothing is sent and nothing is spent.'),
      does: 'rules' as const,
    },
    {
      label: vscode.l10n.t('With the optimizer model'),
      detail: [vscode.l10n.t('You are shown what is sent and what it costs first.'), ...modelFirst()].join(' '),
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
  const { text, size, requests: asked } = await previewNow();
  if (size === undefined) return true; // nobody would be asked
  const document = texts.add(`${vscode.l10n.t('What is sent')}.md`, text);
  const preview = async (): Promise<string> => {
    await vscode.window.showTextDocument(document, { preview: true });
    return document.toString();
  };
  await preview();
  await useCases.agreeToSend(asked.length, neverAborted()); // before it nothing goes to the server
  return confirmMeasuring(useCases, async () => {
    const { requests, size: price } = await previewNow();
    const question = vscode.l10n.t('Ask a model about {0} of your sessions?', requests.length);
    const counts = { asked: requests.length, read: wish.sessions.length, most: mostSessions };
    const about = askedLines({ ...counts, model: price?.models.optimizer ?? '' }, t);
    return { question, about, go: vscode.l10n.t('Draft Tasks'), price, always: true, preview };
  });
}

/** Asked once for each model, apart from whose sessions may be read, and beside what is sent: it can be read before the answer. */
export async function askToSendSessions({ model, address, sessions }: SendingQuestion): Promise<boolean> {
  if (!vscode.workspace.isTrusted) return false;
  const keep = {
    label: vscode.l10n.t('Do Not Send'),
    detail: vscode.l10n.t('Nothing leaves this machine. Tasks can be found without a model.'),
    sends: false,
  };
  const send = {
    label: vscode.l10n.t('Send'),
    detail: vscode.l10n.t(
      'To {0} at {1}: what you asked in {2} of your sessions and how the answers began, without secrets.',
      model,
      address,
      sessions,
    ),
    sends: true,
  };
  const picked = await pickOne([keep, send], {
    title: vscode.l10n.t('May words of your sessions be sent to {0} at {1}?', model, address),
    placeHolder: vscode.l10n.t('Read first what is sent: it stands behind. You are asked once for this model.'),
    ignoreFocusOut: true, // the text behind is scrolled meanwhile
  });
  return picked?.sends === true;
}

/** What came of it, with a list of all that no draft was made of, and a way to a skill for what none is for. */
async function offerToLook(
  skillPath: string,
  { mined, unread }: { readonly mined: MiningResult; readonly unread: HarvestResult['unread'] },
  { texts }: Pick<TaskParts, 'texts'>,
): Promise<void> {
  const { skills, notReplayable, suggestions } = mined;
  const drafts = skills.reduce((sum, each) => sum + each.drafts.length, 0);
  const asked = suggestions.map((each) => each.asked);
  const said = minedSentences(
    { ...mined, drafts, files: notReplayable.length, asked, unread },
    process.versions.node,
    t,
  );
  const [look, list, make] = [vscode.l10n.t('Review Drafts'), vscode.l10n.t('Show List'), vscode.l10n.t('New Skill')];
  const picked = await showInformation(
    said.join(' '),
    ...(drafts === 0 ? [] : [look]),
    ...(notReplayable.length + suggestions.length === 0 ? [] : [list]),
    ...(suggestions.length === 0 ? [] : [make]),
  );
  if (picked === look) await runCommand('whetstone.reviewDrafts', skillPath);
  const whole = suggestions.map((each) => each.whole);
  if (picked === list) await showMined(minedPage({ said, notReplayable, suggestions }, t), whole, texts);
  if (picked === make) await runCommand('whetstone.newSkill', { asked: whole });
}

/** The page, with a link to a new skill above it where one is worth making. */
async function showMined(text: string, asked: readonly string[], texts: TaskParts['texts']): Promise<void> {
  const name = `${vscode.l10n.t('What was found')}.md`;
  const link = commandLink('whetstone.newSkill', vscode.l10n.t('New Skill for What Was Asked More Than Once'), {
    asked,
  });
  const page = asked.length === 0 ? texts.add(name, text) : texts.show('mined', { name, text, link });
  await vscode.window.showTextDocument(page, { preview: true });
}
