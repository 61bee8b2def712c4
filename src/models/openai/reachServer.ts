import { FailedCall } from '../wrappers/failedCall.js';
import { publicUrl, timeoutsOf, type Endpoint } from './endpoint.js';
import { listModels, type Fetch } from './openaiClient.js';
import { presetOf } from './presets.js';
import { readServerError, isNotConnected } from './serverError.js';

/** Longer than a connection that is not refused takes to fail by itself, which is ten seconds. */
const patienceMs = 12_000;

/**
 * Throws where no connection to the server can be made: nothing listens there, nobody knows the host, or no way leads to
 * it. Asks for the list of models, which costs nothing; whatever is answered to that, also a refusal or nothing in time,
 * somebody is there. Gives whether the model is on the list.
 */
export async function reachServer(
  endpoint: Endpoint,
  { fetch, model }: { readonly fetch: Fetch; readonly model: string },
  signal: AbortSignal,
): Promise<boolean> {
  const limit = Math.min(patienceMs, timeoutsOf(endpoint).firstByteMs);
  const heard = AbortSignal.any([signal, AbortSignal.timeout(limit)]);
  try {
    return (await listModels(endpoint, fetch, heard)).includes(model);
  } catch (error) {
    signal.throwIfAborted();
    const dead = unreachable(endpoint, readServerError(error, Date.now())?.connection);
    if (dead !== undefined) throw dead;
    return false;
  }
}

/** What is wrong and what to do where no connection was made; undefined where one was, or failed for another reason. */
export function unreachable({ provider, baseUrl }: Endpoint, code: string | undefined): FailedCall | undefined {
  if (code === undefined || !isNotConnected(code)) return undefined;
  const preset = presetOf(provider);
  const cure =
    preset?.local === true ? preset.help : 'Check the address, the network and the firewall, or choose another model.';
  return new FailedCall('unavailable', whatIsWrong(publicUrl(baseUrl), code), { cure, charged: false, sent: false });
}

function whatIsWrong(address: string, code: string): string {
  if (code === 'ECONNREFUSED') return `No server answers at ${address} (${code}).`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host ${URL.canParse(address) ? new URL(address).host : address} was not found (${code}).`;
  return `${address} cannot be reached (${code}).`;
}
