import { discoverModels } from '../../models/discover.js';
import { listModels } from '../../models/openai/openaiClient.js';
import { prefix } from './editorModels.js';
import { endpointFor, type ModelSurroundings } from './chooseModels.js';
import type { EditorChats } from '../../ports/editorChat.js';

/** A model, or a place to get one from, that a person can choose. */
export interface ModelOffer {
  readonly kind: 'running' | 'editor' | 'key' | 'simulated' | 'preset';
  readonly id: string;
  readonly label: string;
  /** Why it is offered, or what it takes. */
  readonly detail: string;
  readonly baseUrl: string | undefined;
  readonly needsKey: boolean;
  /** Models that the server lists, where it was asked. */
  readonly models: readonly string[];
}

/** What is there: models of the window, running servers, keys in the environment, the simulated model, then what could be set up. */
export async function discover(surroundings: ModelSurroundings, signal: AbortSignal): Promise<readonly ModelOffer[]> {
  const [offered, found] = await Promise.all([
    discoverEditorModels(surroundings.editorChats),
    discoverServers(surroundings, signal),
  ]);
  return [...offered, ...found];
}

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
      models: each.kind === 'running' ? each.models : [],
    };
  });
}

const patienceMs = 4_000; // a person waits for it

/** The models that a provider's server names, for a person to choose from; none where it does not say in time. */
export async function listOf(
  provider: string,
  surroundings: ModelSurroundings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const endpoint = await endpointFor(`${provider}/any`, surroundings);
    const heard = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    return (await listModels(endpoint, surroundings.fetch, heard)).map((id) => id.replace(/^models\//, ''));
  } catch {
    signal.throwIfAborted();
    return []; // the person can type the name
  }
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
    models: offered.filter((chat) => chat.vendor === vendor).map(({ id }) => id),
  }));
}
