import type { Spend } from '../../ports/spend.js';
import { openLedger } from '../../storage/spend/spendLedger.js';
import { startRun, type RunRequest } from '../runs/runStart.js';
import { tasksForPreview } from '../tasks/skillTasks.js';
import { userStore, type World } from '../world.js';
import { checkConnection, type Connection } from './checkConnection.js';
import { localModels, stateCost, usableModels, type LocalModel } from './serverCosts.js';
import { smallRoles, type WeakRole } from './smallRoles.js';
import type { ServerCost, ServerModel } from '../../storage/state/serverCosts.js';
import { refuseUnreachable } from './reachModels.js';
import { previewRequests, type PreviewedRequest } from './previewRequests.js';
import { previewJson, previewText } from './previewText.js';

/** What concerns the models themselves: what they are sent, whether they answer, what they have cost. */
export interface ModelUseCases {
  /** What a run would send, as it would be sent; `task` chooses which. Asks no model, runs nothing and spends nothing. */
  preview(
    request: RunRequest & { readonly task?: string | undefined },
    signal: AbortSignal,
  ): Promise<{
    readonly requests: readonly PreviewedRequest[];
    /** To be read. */
    readonly text: string;
    /** With each body as it goes over the wire. */
    readonly json: string;
  }>;
  /** Throws, with the cure, where no connection to a chosen model can be made. Asks no model and costs nothing. */
  reachModels(signal: AbortSignal): Promise<void>;
  /** The chosen models that a server on this machine answers for, with what the person said about their cost. */
  localModels(signal: AbortSignal): Promise<readonly LocalModel[]>;
  /** Writes down what the person says that such a model costs; it holds until they say something else. */
  stateCost(about: ServerModel, cost: ServerCost, signal: AbortSignal): Promise<void>;
  /** The roles that a chosen model plays which is too small to play them well; none where it cannot be told yet. */
  smallRoles(signal: AbortSignal): Promise<readonly WeakRole[]>;
  /** Looks at each chosen model: settings, the list of models, and a tiny answer, paid for like any. */
  checkConnection(signal: AbortSignal): Promise<Connection>;
  spendThisMonth(): Promise<Spend>;
  spendToday(): Promise<Spend>;
}

/** Wired to the chosen models and this user's ledger. */
export function createModelUseCases(world: World): ModelUseCases {
  return {
    async preview(request, signal) {
      const start = await startRun(world, request, { tasks: tasksForPreview, items: 'stored' }, signal);
      const requests = await previewRequests(start, request.task, signal);
      return { requests, text: previewText(requests), json: previewJson(requests) };
    },
    reachModels: async (signal) => {
      await refuseUnreachable(await world.models(signal), { world, attended: true }, signal);
    },
    localModels: (signal) => localModels(world, signal),
    stateCost: (about, cost, signal) => stateCost(world, about, cost, signal),
    smallRoles: async (signal) => {
      const models = await usableModels(world, signal);
      return models === undefined ? [] : smallRoles(models);
    },
    checkConnection: async (signal) => checkConnection(world, await userStore(world), signal),
    spendThisMonth: () => spent(world, 'spentThisMonth'),
    spendToday: () => spent(world, 'spentToday'),
  };
}

async function spent(world: World, period: 'spentThisMonth' | 'spentToday'): Promise<Spend> {
  const ledger = openLedger(await userStore(world, 'look'));
  try {
    return await ledger[period]();
  } finally {
    await ledger.close();
  }
}
