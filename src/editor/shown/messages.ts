import * as vscode from 'vscode';
import { shownText, visibleText } from '../../wording/shownText.js';

/** What a dialog says beneath its question. */
export interface Details {
  readonly modal: true;
  readonly detail?: string;
}

type Buttons = readonly string[] | readonly [Details, ...string[]];

/**
 * The one way to tell or ask a person something in a message. Its text may hold what others wrote: VS Code makes links of
 * `[label](command:…)` in a message, and runs the command at a click; here it makes none. Gives the button that was pressed.
 */
export function showInformation(message: string, ...buttons: Buttons): Promise<string | undefined> {
  return shown('showInformationMessage', message, buttons);
}

export function showWarning(message: string, ...buttons: Buttons): Promise<string | undefined> {
  return shown('showWarningMessage', message, buttons);
}

export function showError(message: string, ...buttons: Buttons): Promise<string | undefined> {
  return shown('showErrorMessage', message, buttons);
}

async function shown(
  how: 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage',
  message: string,
  given: readonly (string | Details)[],
): Promise<string | undefined> {
  const [details] = given;
  const buttons = given.filter((each): each is string => typeof each === 'string');
  if (typeof details !== 'object') return vscode.window[how](shownText(message), ...buttons);
  // A dialog shows its text as it is: what is to be run or sent is read there letter by letter.
  const detail = details.detail === undefined ? {} : { detail: visibleText(details.detail) };
  return vscode.window[how](visibleText(message), { modal: true, ...detail }, ...buttons);
}
