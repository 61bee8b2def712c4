import { APIError } from 'openai';
import { gather, nothingYet, type GatheredAnswer } from './gatherAnswer.js';
import { serverSentData } from './serverSentData.js';
import { WireAnswer } from './wire.js';

/** Reads a stream or, from servers that do not stream, a whole completion; throws on anything else. */
export async function readAnswer(response: Response, onBytes: () => void): Promise<GatheredAnswer> {
  if (!isStream(response)) return gather(nothingYet, WireAnswer.parse(JSON.parse(await response.text())));
  let answer = nothingYet;
  for await (const data of serverSentData(response.body ?? [], onBytes)) {
    if (data.startsWith('[DONE]')) break;
    answer = gather(answer, pieceOf(data, response));
  }
  return answer;
}

/** A server that fails in the middle says so in a piece of its own. */
function pieceOf(data: string, { headers }: Response): WireAnswer {
  const piece: unknown = JSON.parse(data);
  if (piece instanceof Object && 'error' in piece && piece.error instanceof Object) {
    throw new APIError(undefined, piece.error, undefined, headers);
  }
  return WireAnswer.parse(piece);
}

function isStream(response: Response): boolean {
  return response.headers.get('content-type')?.includes('event-stream') ?? true;
}
