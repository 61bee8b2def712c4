import { discoverModels } from '../../models/discover.js';
import type { Endpoint } from '../../models/openai/endpoint.js';
import { describeFailure } from '../../models/openai/errorWords.js';
import { listModels } from '../../models/openai/openaiClient.js';
import { unreachable } from '../../models/openai/reachServer.js';
import { errorKind, readServerError } from '../../models/openai/serverError.js';
import { pricedModels } from '../../models/prices.js';
import { UserError } from '../../errors.js';
import { discoverAgents } from './agentModels.js';
import { prefix } from './editorModels.js';
import type { ModelOffer } from './modelOffer.js';
import { endpointFor, fetchFor, type ModelSurroundings } from './chooseModels.js';
import type { EditorChats } from '../../ports/editorChat.js';

/** What is there: models of the window, agent programs, running servers, keys in the environment, the simulated model, then what could be set up. */
export async function discover(surroundings: ModelSurroundings, signal: AbortSignal): Promise<readonly ModelOffer[]> {
  const [offered, programs, found] = await Promise.all([
    discoverEditorModels(surroundings.editorChats),
    discoverAgents(surroundings.agents, signal),
    discoverServers(surroundings, signal),
  ]);
  return [...offered, ...programs, ...found, handoffOffer];
}

const handoffOffer: ModelOffer = {
  kind: 'handoff',
  id: 'handoff',
  label: 'Handoff',
  detail: 'answer the prompts yourself, or hand the folder to any agent',
  baseUrl: undefined,
  needsKey: false,
  local: true,
  models: [],
};

async function discoverServers(surroundings: ModelSurroundings, signal: AbortSignal): Promise<readonly ModelOffer[]> {
  const found = await discoverModels({ environment: surroundings.environment, fetch: surroundings.fetch }, signal);
  return found.map((each) => {
    if (each.kind === 'simulated') {
      return {
        kind: each.kind,
        id: 'simulated',
        label: 'Simulated',
        detail: 'offline, free, for trying Whetstone out',
        baseUrl: undefined,
        needsKey: false,
        local: true,
        models: [],
      };
    }
    const { preset } = each;
    const needsKey = each.kind === 'preset' && !preset.local && preset.keyVariables.length > 0;
    const detail = {
      running: 'runs on this machine',
      key: `key in ${each.kind === 'key' ? each.variable : ''}`,
      preset: preset.help,
    }[each.kind];
    const baseUrl = each.kind === 'preset' ? preset.baseUrl : each.baseUrl;
    return {
      kind: each.kind,
      id: preset.id,
      label: preset.label,
      detail,
      baseUrl,
      needsKey,
      local: preset.local,
      models: each.kind === 'running' ? each.models : [],
    };
  });
}

const patienceMs = 4_000; // a person waits for it

/** The models to choose from at a place. */
export interface ModelList {
  readonly models: readonly string[];
  /** Why the server named none, with what to do; undefined where it did. */
  readonly trouble: string | undefined;
}

/**
 * The models that the server of a provider, or at an address, names, for a person to choose from. Where it does not, what
 * it said instead; of a provider whose prices are known, those models are offered all the same.
 */
export async function listOf(place: string, surroundings: ModelSurroundings, signal: AbortSignal): Promise<ModelList> {
  const spec = /^https?:\/\//.test(place) ? `${place}#any` : `${place}/any`;
  try {
    const endpoint = await endpointFor(spec, surroundings);
    const found = await namedBy(endpoint, surroundings, signal);
    return found.trouble === undefined ? found : { ...found, models: pricedModels(endpoint.provider) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UserError)) throw error;
    return { models: pricedModels(place), trouble: `${error.message} ${error.cure}`.trim() };
  }
}

async function namedBy(endpoint: Endpoint, surroundings: ModelSurroundings, signal: AbortSignal): Promise<ModelList> {
  const heard = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  try {
    const models = (await listModels(endpoint, fetchFor(endpoint, surroundings), heard)).map((id) =>
      id.replace(/^models\//, ''),
    );
    return { models, trouble: models.length === 0 ? 'The server does not list what it serves.' : undefined };
  } catch (error) {
    signal.throwIfAborted();
    return { models: [], trouble: heard.aborted ? 'The server did not answer in time.' : troubleOf(error, endpoint) };
  }
}

function troubleOf(error: unknown, endpoint: Endpoint): string {
  const read = readServerError(error, Date.now());
  if (read === undefined) return 'The server does not list what it serves.';
  const { message, cure } =
    unreachable(endpoint, read.connection) ?? describeFailure(read, endpoint, errorKind(read, false));
  return `${message} ${cure}`.trim();
}

/** What the window offers, for a person to choose from: one entry for each vendor. */
export async function discoverEditorModels(chats: EditorChats | undefined): Promise<readonly ModelOffer[]> {
  const offered = (await chats?.().catch(() => [])) ?? [];
  return [...new Set(offered.map(({ vendor }) => vendor))].map((vendor) => ({
    kind: 'editor',
    id: `${prefix}${vendor}`,
    label: `VS Code: ${vendor}`,
    detail: 'the models of this window, billed by whoever brings them',
    baseUrl: undefined,
    needsKey: false,
    local: false,
    models: offered.filter((chat) => chat.vendor === vendor).map(({ id }) => id),
  }));
}
