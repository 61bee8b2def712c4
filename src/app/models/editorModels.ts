import { UserError } from '../../errors.js';
import { createEditorModel, editorProvider } from '../../models/editor/editorModel.js';
import type { EditorChat, EditorChats } from '../../ports/editorChat.js';
import type { LanguageModel } from '../../ports/languageModel.js';

/** What every spec of a model of the editor starts with. */
export const prefix = `${editorProvider}/`;

/** Whether a spec names a model of the editor, such as `vscode/copilot/gpt-4.1`. */
export function namesEditorModel(spec: string): boolean {
  return spec.startsWith(prefix);
}

/** The model that the spec names. Throws where this process has no window, or the window no such model. */
export async function editorModel(spec: string, chats: EditorChats | undefined): Promise<LanguageModel> {
  if (chats === undefined) throw onlyInWindow(spec);
  const offered = await chats();
  const found = offered.find((chat) => `${prefix}${chat.vendor}/${chat.id}` === spec);
  if (found === undefined) throw notOffered(spec, offered);
  return createEditorModel(found);
}

/** Said to everybody who asks without a window. */
export function onlyInWindow(spec: string): UserError {
  return new UserError(
    'model-not-chosen',
    `“${spec}” is a model of VS Code: only an open window can ask it.`,
    'Run this in VS Code, or choose a model that has an address of its own.',
  );
}

function notOffered(spec: string, offered: readonly EditorChat[]): UserError {
  const names = offered.slice(0, 8).map(({ vendor, id }) => `${prefix}${vendor}/${id}`);
  const cure =
    names.length === 0
      ? 'Sign in to the extension that brings it, such as GitHub Copilot, or run “Whetstone: Choose Model”.'
      : `Choose one of: ${names.join(', ')}${offered.length > names.length ? ', …' : ''}.`;
  return new UserError('model-not-chosen', `VS Code offers no model “${spec.slice(prefix.length)}” here.`, cure);
}
