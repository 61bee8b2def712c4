import type { LanguageModel, ModelReply, ModelRequest } from '../../ports/languageModel.js';
import type { ParsedReply } from './parseReply.js';

/** A request whose reply is parsed: it always says what form that has. */
export type FormRequest = ModelRequest & Required<Pick<ModelRequest, 'replySchema'>>;

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
): Promise<{ readonly text: string; readonly parsed: ParsedReply<T> }> {
  const { text, finish, cached } = await model.complete(request, signal);
  const parsed = read(text, finish);
  if (parsed.kind === 'parsed' || finish === 'length' || !cached) return { text, parsed };
  const anew = await model.complete({ ...request, again: true }, signal);
  return { text: anew.text, parsed: read(anew.text, anew.finish) };
}
