import type { LanguageModel, ModelReply, ModelRequest } from '../../ports/languageModel.js';
import type { ParsedReply } from './parseReply.js';

/** A request whose reply is parsed: it always says what form that has. */
export type FormRequest = ModelRequest & Required<Pick<ModelRequest, 'replySchema'>>;

/** What came, how it was read, and what would let it be longer where the server's context cut it. */
export interface AskedReply<T> extends Pick<ModelReply, 'text' | 'contextCure'> {
  readonly parsed: ParsedReply<T>;
}

/**
 * Asks for a reply of a form, and reads it: every server that can hold a model to a schema is given one. One that was stored and cannot be read is asked for again, once: it was
 * written by another version, or is what some server said on a bad day, and would fail every later run. One that was
 * stored as it was cut is no better the second time; whoever asks gives it more room.
 */
export async function askForReply<T>(
  model: Pick<LanguageModel, 'complete'>,
  request: FormRequest,
  read: (text: string, finish: ModelReply['finish']) => ParsedReply<T>,
  signal: AbortSignal,
): Promise<AskedReply<T>> {
  const { text, finish, cached, contextCure } = await model.complete(request, signal);
  const parsed = read(text, finish);
  if (parsed.kind === 'parsed' || finish === 'length' || !cached) return { text, parsed, contextCure };
  const anew = await model.complete({ ...request, again: true }, signal);
  return { text: anew.text, parsed: read(anew.text, anew.finish), contextCure: anew.contextCure };
}
