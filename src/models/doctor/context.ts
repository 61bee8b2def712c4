import type { ServedModel } from '../../ports/languageModel.js';
import { askServedModel, isSelfServed } from '../local/servedModel.js';
import type { Endpoint } from '../openai/endpoint.js';
import type { Fetch } from '../openai/openaiClient.js';
import { ok, skipped, warning, type Finding } from './finding.js';

/**
 * How long a prompt may be where a person runs the server: some cut what exceeds it without a word, and the skill looks as
 * if it were ignored. As the server says it, with what to set there; nothing of servers whose context nobody sets.
 */
export async function examineContext(
  endpoint: Endpoint,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  if (!isSelfServed(endpoint)) return [];
  const served = await askServedModel(endpoint, fetch, signal);
  if (served?.contextTokens === undefined) return [skipped('context', 'The server does not say how long it is.')];
  return [contextFinding(served, served.contextTokens)];
}

function contextFinding(served: ServedModel, context: number): Finding {
  const what = served.isSure
    ? `The model is served with a context of ${context.toLocaleString('en')} tokens.`
    : `The model is not loaded yet; usually it is served with a context of ${context.toLocaleString('en')} tokens.`;
  const most = served.mostContextTokens ?? Infinity;
  if (context >= Math.min(enough, most)) return ok('context', what);
  const beyond = served.cutsSilently
    ? 'Longer prompts are cut without a word, and such an answer counts for nothing.'
    : 'Longer prompts are refused.';
  return warning('context', `${what} ${beyond} ${usually}`, served.longerContext(Math.min(enough, most)));
}

const enough = 16_384; // tokens; what the optimizer is shown of a usual skill and its attempts

/** No skill is looked at here: a preflight names another number. */
const usually = 'A usual skill needs up to 16,384; what yours needs, less or more, is said before a run.';
