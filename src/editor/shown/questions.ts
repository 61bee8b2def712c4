import * as vscode from 'vscode';
import { iconLabel, shownLine, shownText } from '../../wording/shownText.js';

/** A row of a menu. Its words may be anybody's; its icon is ours. */
export interface Choice {
  readonly label: string;
  readonly icon?: string;
  readonly description?: string;
  readonly detail?: string;
  readonly picked?: boolean;
  readonly kind?: vscode.QuickPickItemKind;
}

/** What stands around the rows. */
export interface MenuWords {
  readonly title?: string;
  readonly placeHolder?: string;
  readonly matchOnDescription?: boolean;
  readonly matchOnDetail?: boolean;
  readonly ignoreFocusOut?: boolean;
}

/**
 * The one way to let a person choose a row; undefined where they chose none. Rows that are still looked for are waited for
 * in the open menu, which says that it is busy.
 */
export async function pickOne<Row extends Choice>(
  rows: readonly Row[] | Promise<readonly Row[]>,
  words: MenuWords,
): Promise<Row | undefined> {
  const items = rows instanceof Promise ? rows.then((found) => found.map(itemOf)) : rows.map(itemOf);
  const picked = await vscode.window.showQuickPick(items, wordsOf(words));
  return picked?.choice;
}

/** The same for several rows. */
export async function pickMany<Row extends Choice>(
  rows: readonly Row[],
  words: MenuWords,
): Promise<readonly Row[] | undefined> {
  const picked = await vscode.window.showQuickPick(rows.map(itemOf), { ...wordsOf(words), canPickMany: true });
  return picked?.map(({ choice }) => choice);
}

/** A menu that stays while the focus is on its way to it, for so many milliseconds. */
export function pickAfterSettling<Row extends Choice>(
  rows: readonly Row[],
  { title = '', placeHolder = '' }: MenuWords,
  settlingMs: number,
): Promise<Row | undefined> {
  const question = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly choice: Row }>();
  question.title = shownLine(title);
  question.placeholder = shownLine(placeHolder);
  question.items = rows.map(itemOf);
  question.ignoreFocusOut = true;
  const settled = setTimeout(() => {
    question.ignoreFocusOut = false;
  }, settlingMs);
  return new Promise((resolve) => {
    question.onDidAccept(() => {
      resolve(question.selectedItems[0]?.choice);
      question.hide();
    });
    question.onDidHide(() => {
      clearTimeout(settled);
      question.dispose();
      resolve(undefined);
    });
    question.show();
  });
}

/** What a box asks for, and what it says to an answer that it does not take. */
export interface InputWords extends Pick<MenuWords, 'title' | 'placeHolder' | 'ignoreFocusOut'> {
  readonly prompt?: string;
  readonly value?: string;
  readonly password?: boolean;
  readonly validateInput?: (text: string) => string | undefined;
}

/** The one way to let a person write a line. VS Code makes links of what such a box says, as in a message. */
export function askText({
  prompt,
  value,
  password,
  validateInput,
  ...words
}: InputWords): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    ...wordsOf(words),
    ...(prompt === undefined ? {} : { prompt: shownText(prompt) }),
    ...(value === undefined ? {} : { value }),
    ...(password === undefined ? {} : { password }),
    ...(validateInput === undefined
      ? {}
      : {
          validateInput: (text: string) => {
            const refusal = validateInput(text);
            return refusal === undefined ? undefined : shownText(refusal);
          },
        }),
  });
}

function wordsOf({ title, placeHolder, ...rest }: MenuWords): vscode.QuickPickOptions {
  return {
    ...rest,
    ...(title === undefined ? {} : { title: shownLine(title) }),
    ...(placeHolder === undefined ? {} : { placeHolder: shownLine(placeHolder) }),
  };
}

function itemOf<Row extends Choice>(choice: Row): vscode.QuickPickItem & { readonly choice: Row } {
  const { label, icon, description, detail, picked, kind } = choice;
  return {
    label: icon === undefined ? shownLine(label) : iconLabel(icon, label),
    ...(description === undefined ? {} : { description: shownLine(description) }),
    ...(detail === undefined ? {} : { detail: shownLine(detail) }),
    ...(picked === undefined ? {} : { picked }),
    ...(kind === undefined ? {} : { kind }),
    choice,
  };
}
