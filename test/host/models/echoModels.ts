import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { editorChats } from '../../../src/editor/models/editorChats.js';
import type { EditorChat } from '../../../src/ports/editorChat.js';

/** What a model of the other extension is asked, as VS Code hands it over. */
export interface EchoCall {
  readonly id: string;
  readonly messages: readonly { readonly role: vscode.LanguageModelChatMessageRole; readonly content: unknown[] }[];
  readonly progress: vscode.Progress<unknown>;
  readonly token: vscode.CancellationToken;
  /** The API as that extension has it: what it throws is of its own classes. */
  readonly vscode: typeof vscode;
}

interface EchoState {
  readonly asked: Omit<EchoCall & { readonly modelOptions: unknown; readonly tools: readonly unknown[] }, 'progress'>[];
  answer: (call: EchoCall) => unknown;
}

/** The extension that brings models to this window. */
export async function echoModels(): Promise<EchoState> {
  const extension = vscode.extensions.getExtension<EchoState>('whetstone-tests.model-extension');
  assert.ok(extension);
  return extension.activate();
}

export async function echoChat(id = 'small'): Promise<EditorChat> {
  const chats = await editorChats({ canSendRequest: () => true });
  const found = chats.find((chat) => chat.vendor === 'echo' && chat.id === id);
  assert.ok(found, `VS Code offers ${chats.map((chat) => `${chat.vendor}/${chat.id}`).join(', ') || 'no model'}`);
  return found;
}

export function textIn(content: readonly unknown[]): string {
  return content.map((part) => (part instanceof Object && 'value' in part ? String(part.value) : '')).join('');
}
