import * as vscode from 'vscode';
import type { EditorChat, EditorPart, EditorQuestion } from '../../ports/editorChat.js';
import { editorError } from './editorError.js';
import { editorMessages } from './editorMessages.js';

/** The models that this window offers, by whichever extension; none in an editor that has no such thing. */
export async function editorChats(
  access: Pick<vscode.LanguageModelAccessInformation, 'canSendRequest'>,
): Promise<readonly EditorChat[]> {
  if (!('lm' in vscode)) return [];
  const chats = await vscode.lm.selectChatModels();
  return chats.map((chat) => ({
    vendor: chat.vendor,
    id: chat.id,
    name: chat.name,
    isAllowed: () => access.canSendRequest(chat),
    ask: (question, signal) => ask(chat, question, signal),
    countTokens: async (text) => chat.countTokens(text),
  }));
}

async function* ask(
  chat: vscode.LanguageModelChat,
  { messages, tools, wishes }: EditorQuestion,
  signal: AbortSignal,
): AsyncGenerator<EditorPart> {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const response = await chat.sendRequest(
      editorMessages(messages),
      {
        justification: vscode.l10n.t('Whetstone replays the tasks of your skill and reflects on what went wrong.'),
        modelOptions: { ...wishes },
        ...(tools.length === 0
          ? {}
          : {
              tools: tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters })),
            }),
      },
      source.token,
    );
    for await (const part of response.stream) yield* partOf(part);
  } catch (error) {
    throw editorError(error, chat);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** Thinking and data are not part of an answer. */
function* partOf(part: unknown): Generator<EditorPart> {
  if (part instanceof vscode.LanguageModelTextPart) yield { kind: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const { callId, name, input } = part;
    yield { kind: 'tool-call', call: { id: callId, name, arguments: JSON.stringify(input) } };
  }
}
