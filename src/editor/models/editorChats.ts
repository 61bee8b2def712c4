import * as vscode from 'vscode';
import type { EditorChat, EditorPart, EditorQuestion, EditorChats } from '../../ports/editorChat.js';
import type { ModelMessage, ToolCall } from '../../ports/languageModel.js';
import { messageOf, ModelError, type ModelErrorKind } from '../../errors.js';
import { withProgress } from '../shown/notification.js';
import type { ModelSource } from './chooseModel.js';
import { retold } from '../../wording/translate.js';
import { showWarning } from '../shown/messages.js';

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

/** Messages as VS Code hands them to a model. */
export function editorMessages(messages: readonly ModelMessage[]): vscode.LanguageModelChatMessage[] {
  return messages.map(chatMessageOf);
}

function chatMessageOf(message: ModelMessage): vscode.LanguageModelChatMessage {
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
    case 'cut-prompt':
      return vscode.l10n.t('Choose a model with a larger context, or shorten the skill or the task.');
    case 'content-filter':
      return vscode.l10n.t('Rephrase the task, or choose another model for it.');
    case 'auth':
    case 'cap':
    case 'malformed':
    case 'rate-limit':
    case 'timeout':
    case 'unavailable':
    case 'given-up':
    case 'waiting':
      return '';
  }
}

/**
 * VS Code asks the person before an extension uses its models, and nobody is there to be asked at night: where a chosen
 * one has not been allowed, it is asked for a word now.
 */
export async function requestModelAccess(
  specs: readonly (string | undefined)[],
  { chats, source }: { readonly chats: EditorChats; readonly source: Pick<ModelSource, 'check'> },
): Promise<void> {
  if (!specs.some((spec) => spec?.startsWith('vscode/'))) return;
  const chosen = (await chats()).filter(({ vendor, id }) => specs.includes(`vscode/${vendor}/${id}`));
  if (chosen.every(({ isAllowed }) => isAllowed() === true)) return;
  const title = vscode.l10n.t('Asking the model for a word, so that VS Code can ask you for access');
  const { failure } = await withProgress(title, (signal) => source.check(signal));
  if (failure !== undefined) void showWarning(retold(`${failure.what} ${failure.cure}`.trim()));
}
