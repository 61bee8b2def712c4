import * as vscode from 'vscode';
import type { SessionSource } from '../../app/harvest/harvest.js';
import type { UseCases } from '../../app/useCases.js';
import {
  filesThere,
  sendingTakenBackSentence,
  sessionsReadSentence,
  sourceNames,
  unreadSentence,
} from '../../wording/harvest/sessionWords.js';
import { t } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import type { SkillChoice } from '../commands/commands.js';
import { ensureModel, refuseUntrusted, type ModelParts } from '../models/chooseModel.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { withProgress } from '../shown/notification.js';
import { pickMany, type Choice } from '../shown/questions.js';
import type { Overviews } from '../skills/overviews.js';
import type { SkillCatalog } from '../skills/skillCatalog.js';
import type { Branch } from '../tree/branch.js';
import type { Trees } from '../tree/registerTrees.js';
import type { VirtualTexts } from '../virtualTexts.js';
import { requestFor, type UseCasesSource } from '../workbench.js';
import { mineSessions, showSessions } from './mineSessions.js';

interface SessionParts extends Pick<Trees, 'tree' | 'view'> {
  readonly useCases: UseCasesSource;
  readonly catalog: Pick<SkillCatalog, 'skills'>;
  readonly overviews: Overviews;
  readonly texts: VirtualTexts;
  readonly models: ModelParts;
}

/** What a person does with the sessions that they had with agents. */
export function sessionCommands(
  parts: SessionParts,
  chooseSkill: (given: SkillChoice) => Promise<string>,
): {
  readonly 'whetstone.chooseSessions': () => Promise<readonly string[]>;
  readonly 'whetstone.showUsage': () => Promise<void>;
  readonly 'whetstone.showSessions': () => Promise<void>;
  readonly 'whetstone.mineSessions': (given: SkillChoice) => Promise<void>;
} {
  return {
    'whetstone.chooseSessions': () => chooseSessions(parts.useCases),
    'whetstone.showUsage': () => showUsage(parts),
    async 'whetstone.showSessions'() {
      if (await mayReadAny(parts.useCases)) await showSessions(parts);
    },
    async 'whetstone.mineSessions'(given) {
      refuseUntrusted();
      const skillPath = await chooseSkill(given);
      if (await mayReadAny(parts.useCases)) await mineSessions(skillPath, parts, () => ensureModel(parts.models));
    },
  };
}

/** Whether some sessions may be read; asked where none may yet. */
async function mayReadAny(source: UseCasesSource): Promise<boolean> {
  const sources = await (await source()).sessionSources(neverAborted());
  return sources.some(({ allowed }) => allowed) || (await chooseSessions(source)).length > 0;
}

/** Shows what is there and what would be read, and asks; what is not chosen may not be read. Gives what may be. */
async function chooseSessions(source: UseCasesSource): Promise<readonly string[]> {
  const useCases = await source();
  const all = await useCases.sessionSources(neverAborted());
  const there = all.filter(({ files, allowed }) => files > 0 || allowed);
  if (there.length === 0) {
    void showInformation(vscode.l10n.t('No agent that is known has left sessions on this machine.'));
    return [];
  }
  const sendable = await useCases.sendingAllowed();
  const chosen = await askAbout(there, sendable);
  if (chosen === undefined) return namesOf(all.filter(({ allowed }) => allowed));
  if (isAny(sendable) && !chosen.has(sending)) await takeBackSending(useCases);
  for (const { source: name, allowed } of there) {
    const may = chosen.has(name);
    if (may !== allowed) await useCases.allowSessions(name, may, neverAborted());
  }
  const names = [...chosen].filter((name) => name !== sending);
  if (names.length === 0) void tellNoneTicked();
  else if (there.some(({ source: name, allowed }) => chosen.has(name) !== allowed))
    void showInformation(vscode.l10n.t('Sessions may be read of: {0}.', programNames(there, names)));
  return names;
}

function programNames(there: readonly SessionSource[], names: readonly string[]): string {
  return there.flatMap(({ source }) => (names.includes(source) ? [sourceNames[source]] : [])).join(', ');
}

async function takeBackSending(useCases: UseCases): Promise<void> {
  const { nights } = await useCases.forbidSending(neverAborted());
  void showInformation(sendingTakenBackSentence(nights, t));
}

function isAny({ models, nights }: Sendable): boolean {
  return models + nights > 0;
}

/** Nothing that was to be done with sessions is done then: an end without a word would look like a failure. */
async function tellNoneTicked(): Promise<void> {
  const again = vscode.l10n.t('Choose Again');
  const said = vscode.l10n.t('No program is ticked, so no sessions are read.');
  if ((await showInformation(said, again)) === again) await vscode.commands.executeCommand('whetstone.chooseSessions');
}

type Sendable = Awaited<ReturnType<UseCases['sendingAllowed']>>;

const sending = 'sending'; // beside the names of programs

function namesOf(sources: readonly SessionSource[]): readonly string[] {
  return sources.map(({ source }) => source);
}

/** Undefined where the person does not answer: then everything stays as it is. */
async function askAbout(there: readonly SessionSource[], sendable: Sendable): Promise<ReadonlySet<string> | undefined> {
  const choose = vscode.l10n.t('Choose');
  const lines = there.map((each) => `${sourceNames[each.source]}: ${filesThere(each, t)}`);
  const detail = [sessionsReadSentence(t), lines.join('\n')].join('\n\n');
  const question = vscode.l10n.t('May Whetstone read your past sessions with agents?');
  if ((await showWarning(question, { modal: true, detail }, choose)) !== choose) return undefined;
  const programs = there.map((each) => ({
    source: each.source,
    label: sourceNames[each.source],
    description: filesThere(each, t),
    picked: each.allowed,
  }));
  const rows = [...programs, ...sendingRows(sendable)];
  const picked = await pickMany(rows, { title: vscode.l10n.t('Whose sessions may be read?'), ignoreFocusOut: true });
  return picked === undefined ? undefined : new Set(picked.map(({ source }) => source));
}

/** A yes to sending is asked for where something would be sent; here it can be taken back. */
function sendingRows(sendable: Sendable): readonly (Choice & { readonly source: string })[] {
  if (!isAny(sendable)) return [];
  const description = sendingWords(sendable).join('; ');
  return [{ source: sending, label: vscode.l10n.t('Their words may be sent'), description, picked: true }];
}

function sendingWords({ models, nights }: Sendable): readonly string[] {
  const many =
    models === 1
      ? vscode.l10n.t('to 1 model that you allowed')
      : vscode.l10n.t('to {0} models that you allowed', models);
  return [
    ...(models === 0 ? [] : [many]),
    ...(nights === 0 ? [] : [vscode.l10n.t('by night, of drafts that you have not confirmed')]),
  ];
}

const usualMs = 30 * 86_400_000; // as on the command line

/** Counts which skills were used in the sessions of the open folders, and shows it in the tree. */
async function showUsage({ useCases, catalog, overviews, tree, view }: SessionParts): Promise<void> {
  if (!(await mayReadAny(useCases))) return;
  const cases = await useCases();
  const skills = (await catalog.skills()).map(({ realPath }) => realPath);
  const { workspaceFolders: folders } = requestFor('');
  const request = { folders, skills, since: Date.now() - usualMs };
  const usage = await withProgress(vscode.l10n.t('Counting which skills your agents used'), (signal) =>
    cases.skillUsage(request, signal),
  );
  overviews.refresh();
  const unread = usage.unread.map((file) => unreadSentence(file, process.versions.node, t));
  if (unread.length > 0) void showInformation(unread.join(' '));
  const branch = await tree.usageBranch();
  if (branch !== undefined) await revealUsage(view, branch);
}

const seenRows = 5;

/** Shows the row with the skills beneath it: revealed alone it may be the last that the view has room for. */
export async function revealUsage(view: Pick<Trees['view'], 'reveal'>, branch: Branch): Promise<void> {
  const rows = await branch.load();
  const [first] = rows;
  await view.reveal(branch, { expand: true, select: false });
  const last = rows.slice(0, seenRows).at(-1);
  if (last !== undefined) await view.reveal(last, { select: false });
  await view.reveal(first ?? branch, { select: true, focus: true });
}
