import { createInterface } from 'node:readline';
import { parseJson } from '../../parseJson.js';
import type { AgentWork } from '../../ports/agentWork.js';
import type { AttemptRunner } from '../../ports/attemptRunner.js';
import type { QueueState } from '../../ports/queueState.js';
import { failureOf } from '../callFailure.js';
import { BridgeQuestion, bridgeProtocol, type BridgeMessage } from './bridgeMessages.js';
import { HeldFolders } from './heldFolders.js';
import { FolderGone, takenTree, takenWork } from './sentWork.js';

/** The side that knows the queue. */
export interface BridgeParts {
  readonly runner: Pick<AttemptRunner, 'run'> & { readonly reach: NonNullable<AttemptRunner['reach']> };
  readonly look: () => Promise<QueueState>;
  /** The address as it may be shown. */
  readonly shown: string;
  readonly version: string;
  /** What folders that agents start from may take here together. */
  readonly mostBytes?: number;
}

export interface BridgeStreams {
  readonly input: NodeJS.ReadableStream;
  readonly write: (line: string) => void;
}

/** Carries calls of a window to the queue until its input ends, which it does with the window. */
export async function serveBridge(parts: BridgeParts, streams: BridgeStreams, signal: AbortSignal): Promise<void> {
  const served = new ServedWindow(parts, (told) => streams.write(`${JSON.stringify(told)}\n`));
  const lines = createInterface({ input: streams.input, crlfDelay: Infinity });
  const stop = (): void => lines.close();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  served.greet();
  try {
    for await (const line of lines) served.take(line);
  } finally {
    signal.removeEventListener('abort', stop);
    await served.end();
  }
}

type Question = Exclude<BridgeQuestion, { readonly kind: 'tree' | 'cancel' }>;

class ServedWindow {
  readonly #parts: BridgeParts;
  readonly #tell: (told: BridgeMessage) => void;
  readonly #folders: HeldFolders;
  readonly #underWay = new Map<number, { readonly stop: AbortController; readonly over: Promise<void> }>();

  constructor(parts: BridgeParts, tell: (told: BridgeMessage) => void) {
    this.#parts = parts;
    this.#tell = tell;
    this.#folders = new HeldFolders(parts.mostBytes);
  }

  greet(): void {
    const { version, shown } = this.#parts;
    this.#tell({ kind: 'ready', protocol: bridgeProtocol, version, shown });
  }

  take(line: string): void {
    const asked = BridgeQuestion.parse(parseJson(line));
    if (asked.kind === 'tree') this.#folders.take(takenTree(asked));
    else if (asked.kind === 'cancel') this.#underWay.get(asked.id)?.stop.abort(cancelled);
    else this.#begin(asked);
  }

  /** Takes off the queue what no worker has yet. */
  async end(): Promise<void> {
    const all = [...this.#underWay.values()];
    for (const { stop } of all) stop.abort(cancelled);
    await Promise.all(all.map(({ over }) => over));
  }

  #begin(asked: Question): void {
    const { id } = asked;
    const stop = new AbortController();
    const over = this.#answer(asked, stop.signal)
      .catch((error: unknown): BridgeMessage => {
        return error === cancelled ? { kind: 'stopped', id } : { kind: 'failed', id, failure: failureOf(error) };
      })
      .then((told) => this.#tell(told))
      .finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, { stop, over });
  }

  async #answer(asked: Question, signal: AbortSignal): Promise<BridgeMessage> {
    const { id } = asked;
    const { runner, look } = this.#parts;
    switch (asked.kind) {
      case 'look':
        return { kind: 'queue', id, state: await unlessStopped(look(), signal) };
      case 'reach':
        return { kind: 'reached', id, isListed: await runner.reach(asked.model, asked.role, signal) };
      case 'call':
        return this.#call(asked, signal);
    }
  }

  async #call({ id, runId, key, model, request, work }: CallQuestion, signal: AbortSignal): Promise<BridgeMessage> {
    const taken = this.#taken(work);
    if (taken === 'gone') return { kind: 'again', id };
    const call = { runId, model, key: () => key, request: taken === undefined ? request : { ...request, work: taken } };
    try {
      const reply = await this.#parts.runner.run(call, inTheWindow, signal);
      return { kind: 'reply', id, reply };
    } catch (error) {
      if (error === staysThere) return { kind: 'here', id };
      throw error;
    }
  }

  /** Folders come right before the call that names them first: they are there, whatever is let go afterwards. */
  #taken(work: unknown): AgentWork | 'gone' | undefined {
    try {
      return takenWork(work, (hash) => this.#folders.find(hash));
    } catch (error) {
      if (error instanceof FolderGone) return 'gone';
      throw error;
    } finally {
      this.#folders.trim();
    }
  }
}

/** Redis that is gone is waited for for ever; whoever asked may have stopped to wait. */
function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

type CallQuestion = Extract<BridgeQuestion, { readonly kind: 'call' }>;

const cancelled = new Error('cancelled');
const staysThere = new Error('The window makes this call itself.');

function inTheWindow(): Promise<never> {
  return Promise.reject(staysThere);
}
