import type { OpenAI } from 'openai';
import { Stream } from 'openai/core/streaming';
import { gather, nothingYet, type GatheredAnswer } from './gatherAnswer.js';
import { WireAnswer } from './wire.js';

/** Reads a stream or, from servers that do not stream, a whole completion; throws on anything else. */
export async function readAnswer(response: Response, client: OpenAI): Promise<GatheredAnswer> {
  if (!isStream(response)) return gather(nothingYet, WireAnswer.parse(JSON.parse(await response.text())));
  let answer = nothingYet;
  for await (const piece of Stream.fromSSEResponse<unknown>(response, new AbortController(), client)) {
    answer = gather(answer, WireAnswer.parse(piece));
  }
  return answer;
}

function isStream(response: Response): boolean {
  return response.headers.get('content-type')?.includes('event-stream') ?? true;
}
