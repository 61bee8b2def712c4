import * as vscode from 'vscode';

/** What a person would do in the boxes and dialogs that a command opens, in order; a box that nobody foresaw is closed. */
export interface Answers {
  readonly inputs?: readonly (string | undefined)[];
  /** The label of the row to pick, or those of several. */
  readonly picks?: readonly (string | readonly string[])[];
  readonly files?: readonly vscode.Uri[];
  /** The button to press in warnings, or undefined to close them. */
  readonly warnings?: readonly (string | undefined)[];
  /** The buttons to press in dialogs, one after the other; without it they are answered as questions are. */
  readonly modals?: readonly (string | undefined)[];
  /** Buttons to press in questions that have them; every other message is closed. */
  readonly buttons?: readonly string[];
}

/** What was asked while the answers were given. */
export interface Asked {
  readonly inputs: string[];
  /** What the boxes said beneath their titles. */
  readonly prompts: string[];
  /** What stood in the boxes when they opened. */
  readonly values: string[];
  /** The rows of every menu, one after the other: label and description. */
  readonly rows: string[];
  /** The titles of the menus. */
  readonly menus: string[];
  readonly warnings: string[];
  readonly warningDetails: string[];
  /** Messages, each with its details. */
  readonly messages: string[];
  readonly errors: string[];
  /** The buttons of the errors. */
  readonly errorButtons: string[];
  /** What a box said about an answer that it would not have taken. */
  readonly refused: string[];
}

const names = [
  'showInputBox',
  'showQuickPick',
  'showOpenDialog',
  'showInformationMessage',
  'showWarningMessage',
  'showErrorMessage',
] as const;

/** Runs `work`, which is told what was asked so far, while a person answers: boxes and dialogs cannot be filled in by a program from outside. */
export async function answering(answers: Answers, work: (asked: Asked) => PromiseLike<unknown>): Promise<Asked> {
  const asked: Asked = {
    inputs: [],
    prompts: [],
    values: [],
    rows: [],
    menus: [],
    warnings: [],
    warningDetails: [],
    messages: [],
    errors: [],
    errorButtons: [],
    refused: [],
  };
  const before = names.map((name) => [name, vscode.window[name]] as const);
  Object.assign(vscode.window, personWith(answers, asked));
  try {
    await work(asked);
    return asked;
  } finally {
    Object.assign(vscode.window, Object.fromEntries(before));
  }
}

function personWith(answers: Answers, asked: Asked): Readonly<Record<(typeof names)[number], unknown>> {
  const inputs = [...(answers.inputs ?? [])];
  const picks = [...(answers.picks ?? [])];
  const warnings = [...(answers.warnings ?? [])];
  const modals = answers.modals === undefined ? undefined : [...answers.modals];
  return {
    showInputBox: async (options: vscode.InputBoxOptions) => {
      asked.inputs.push(options.title ?? '');
      asked.prompts.push(options.prompt ?? '');
      asked.values.push(options.value ?? '');
      for (;;) {
        const answer = inputs.shift();
        const refusal = answer === undefined ? undefined : await options.validateInput?.(answer);
        if (refusal === undefined || refusal === null) return answer;
        asked.refused.push(typeof refusal === 'string' ? refusal : refusal.message);
      }
    },
    showQuickPick: async (
      rows: PromiseLike<readonly (vscode.QuickPickItem | string)[]>,
      words?: vscode.QuickPickOptions,
    ) => {
      const pick = picks.shift();
      const labels = [pick ?? []].flat();
      asked.menus.push([words?.title, words?.placeHolder].join(' | '));
      asked.rows.push(...(await rows).map((row) => (typeof row === 'string' ? row : rowText(row))));
      const picked = (await rows).filter((row) => labels.includes(typeof row === 'string' ? row : row.label));
      const several = picked.length > 0 || Array.isArray(pick); // an empty list: OK with nothing ticked
      return words?.canPickMany === true && several ? picked : picked[0];
    },
    showOpenDialog: async () => answers.files,
    showInformationMessage: async (message: string, ...rest: readonly (string | vscode.MessageOptions)[]) => {
      asked.messages.push([message, ...detailsOf(rest)].join('\n'));
      const isDialog = rest.some((each) => typeof each !== 'string' && each.modal === true);
      if (isDialog && modals !== undefined) return modals.shift();
      return answers.buttons?.find((button) => rest.includes(button));
    },
    showWarningMessage: async (message: string, ...rest: readonly (string | vscode.MessageOptions)[]) => {
      asked.warnings.push(message);
      asked.warningDetails.push(...detailsOf(rest));
      return warnings.shift();
    },
    // A message that nobody closes would keep its command waiting.
    showErrorMessage: async (message: string, ...buttons: readonly string[]) => {
      asked.errors.push(message);
      asked.errorButtons.push(...buttons);
    },
  };
}

function detailsOf(rest: readonly (string | vscode.MessageOptions)[]): readonly string[] {
  return rest.flatMap((each) => (typeof each === 'string' ? [] : [each.detail ?? '']));
}

function rowText({ label, description, kind }: vscode.QuickPickItem): string {
  if (kind === vscode.QuickPickItemKind.Separator) return `-- ${label}`;
  return description === undefined ? label : `${label}: ${description}`;
}
