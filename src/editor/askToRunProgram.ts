import * as vscode from 'vscode';
import type { ProgramQuestion } from '../ports/programs.js';
import { changedLine, containmentSentences, reachLine } from '../wording/programs/containment.js';
import { exactText } from '../wording/shownText.js';
import { retold } from '../wording/translate.js';
import { showWarning } from './shown/messages.js';

const mostShown = 2_000; // characters: a longer command is read in its file, and the question says so

/** Asks, once for exactly this content, whether a program may run. In an untrusted workspace the answer is no. */
export async function askToRunProgram(question: ProgramQuestion): Promise<boolean> {
  const { what, shown = what, folder, unbound = [] } = question;
  if (!vscode.workspace.isTrusted) return false;
  const allow = vscode.l10n.t('Allow This Program');
  const rest = shown.length - mostShown;
  const detail = [
    ...(rest > 0
      ? [vscode.l10n.t('{0} more characters of it are not shown: read it in the task files first.', rest)]
      : []),
    ...[changedLine(question), containmentSentences(question).join(' '), reachLine(question)].filter(
      (line) => line !== '',
    ),
    vscode.l10n.t(
      'It starts in a throw-away copy of its folder, without your keys in its environment, with limits on time and output. You are asked again if the command, its files, their permissions or links change.',
    ),
    ...(unbound.length > 0 ? [[vscode.l10n.t('Not looked at again:'), ...unbound.map(retold)].join(' ')] : []),
    ...(folder === undefined ? [] : [vscode.l10n.t('You can look at it first: {0}', place(folder))]),
  ];
  const picked = await showWarning(
    vscode.l10n.t('This skill wants to run a program or module: {0}', exactText(shown.slice(0, mostShown))),
    { modal: true, detail: detail.join('\n\n') },
    allow,
  );
  return picked === allow;
}

function place(folder: string): string {
  return vscode.workspace.asRelativePath(folder, true);
}
