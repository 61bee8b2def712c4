import type { LanguageModel, ModelRequest } from '../ports/languageModel.js';
import type { ParsedReply } from './parseReply.js';

/**
 * Asks for a reply of a form, and reads it. One that was stored and cannot be read is asked for again, once: it was
 * written by another version, or is what some server said on a bad day, and would fail every later run.
 */
export async function askForReply<T>(
  model: Pick<LanguageModel, 'complete'>,
  request: ModelRequest,
  read: (text: string) => ParsedReply<T>,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly parsed: ParsedReply<T> }> {
  const { text, cached } = await model.complete(request, signal);
  const parsed = read(text);
  if (parsed.kind === 'parsed' || !cached) return { text, parsed };
  const { text: anew } = await model.complete({ ...request, again: true }, signal);
  return { text: anew, parsed: read(anew) };
}
