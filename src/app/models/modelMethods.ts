import type { UserStore } from '../../storage/state/store.js';
import { checkConnection, type Connection } from './checkConnection.js';
import { previewRequests, previewText, type PreviewedRequest } from './previewRequests.js';
import type { RunStart } from '../runs/skillRun.js';
import type { RunRequest } from '../useCases.js';
import type { World } from '../world.js';

/** What concerns the models themselves. */
export interface ModelMethods {
  /** What a run would send, as it would be sent; `task` chooses which. Asks no model, runs nothing and spends nothing. */
  preview(
    request: RunRequest & { readonly task?: string | undefined },
    signal: AbortSignal,
  ): Promise<{ readonly requests: readonly PreviewedRequest[]; readonly text: string }>;
  /** Looks at each chosen model: settings, the list of models, and a tiny answer, paid for like any. */
  checkConnection(signal: AbortSignal): Promise<Connection>;
}

export function modelMethods(
  world: World,
  parts: {
    readonly prepare: (request: RunRequest, signal: AbortSignal) => Promise<RunStart>;
    readonly userStore: () => Promise<UserStore>;
  },
): ModelMethods {
  return {
    async preview(request, signal) {
      const requests = await previewRequests(await parts.prepare(request, signal), request.task, signal);
      return { requests, text: previewText(requests) };
    },
    checkConnection: async (signal) => checkConnection(world, await parts.userStore(), signal),
  };
}
