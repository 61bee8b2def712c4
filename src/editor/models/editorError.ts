import * as vscode from 'vscode';
import { messageOf, ModelError, type ModelErrorKind } from '../../errors.js';

/** What went wrong with a model of the editor, in words that a person can act on. */
export function editorError(error: unknown, { name }: Pick<vscode.LanguageModelChat, 'name'>): ModelError {
  const said = messageOf(causeOf(error)).replaceAll(/\s+/g, ' ').trim().slice(0, 300);
  const kind = kindOf(error, said);
  const sentence = `${happened(kind, name)}: ${said}`;
  const what = /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
  return new ModelError(kind, what, { cure: cureOf(kind), cause: error });
}

/** For what the model itself says, VS Code wraps the words. */
function causeOf(error: unknown): unknown {
  return error instanceof vscode.LanguageModelError && error.code === 'Unknown' ? (error.cause ?? error) : error;
}

function kindOf(error: unknown, said: string): ModelErrorKind {
  const byWords = words.find(([, pattern]) => pattern.test(said))?.[0];
  switch (error instanceof vscode.LanguageModelError ? error.code : '') {
    case vscode.LanguageModelError.NoPermissions.name:
      return 'endpoint';
    case vscode.LanguageModelError.NotFound.name:
      return 'model-not-found';
    case vscode.LanguageModelError.Blocked.name:
      return byWords ?? 'quota';
    default:
      return byWords ?? 'unavailable';
  }
}

/** The API has no codes for these: what providers say is all there is. */
const words: readonly (readonly [ModelErrorKind, RegExp])[] = [
  ['rate-limit', /\b429\b|rate.?limit|too many requests|slow down/i],
  ['quota', /quota|out of credit|billing|premium request|insufficient/i],
  ['context-length', /context.?(?:length|window)|prompt (?:is )?too (?:long|large)|token limit|maximum.*tokens/i],
  ['content-filter', /content.?filter|responsible ai|filtered/i],
  ['timeout', /timed? ?out/i],
];

function happened(kind: ModelErrorKind, name: string): string {
  if (kind === 'endpoint') return vscode.l10n.t('VS Code did not let Whetstone use {0}', name);
  if (kind === 'model-not-found') return vscode.l10n.t('VS Code no longer offers {0}', name);
  return vscode.l10n.t('{0} did not answer', name);
}

/** What waiting mends, or nobody, has no cure. */
function cureOf(kind: ModelErrorKind): string {
  switch (kind) {
    case 'endpoint':
      return vscode.l10n.t('Allow it when VS Code asks, or under “Manage Language Model Access” in the accounts menu.');
    case 'model-not-found':
      return vscode.l10n.t('Choose another model, or sign in to the extension that brings it.');
    case 'quota':
      return vscode.l10n.t('Wait until your plan allows more, or choose another model.');
    case 'context-length':
      return vscode.l10n.t('Choose a model with a larger context, or shorten the skill or the task.');
    case 'content-filter':
      return vscode.l10n.t('Rephrase the task, or choose another model for it.');
    case 'auth':
    case 'cap':
    case 'malformed':
    case 'rate-limit':
    case 'timeout':
    case 'unavailable':
      return '';
  }
}
