import * as vscode from 'vscode';
import type { ModelMessage, ToolCall } from '../../ports/languageModel.js';

/** Messages as VS Code hands them to a model. */
export function editorMessages(messages: readonly ModelMessage[]): vscode.LanguageModelChatMessage[] {
  return messages.map(messageOf);
}

function messageOf(message: ModelMessage): vscode.LanguageModelChatMessage {
  switch (message.role) {
    case 'system':
    case 'user':
      return vscode.LanguageModelChatMessage.User(message.content);
    case 'tool': {
      const said = new vscode.LanguageModelTextPart(message.content);
      return vscode.LanguageModelChatMessage.User([new vscode.LanguageModelToolResultPart(message.toolCallId, [said])]);
    }
    case 'assistant': {
      const text = message.content === '' ? [] : [new vscode.LanguageModelTextPart(message.content)];
      return vscode.LanguageModelChatMessage.Assistant([...text, ...(message.toolCalls ?? []).map(callOf)]);
    }
  }
}

function callOf({ id, name, arguments: text }: ToolCall): vscode.LanguageModelToolCallPart {
  return new vscode.LanguageModelToolCallPart(id, name, inputOf(text));
}

/** What the model wrote may be no JSON; VS Code takes objects only. */
function inputOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : { value };
  } catch {
    return { text };
  }
}
