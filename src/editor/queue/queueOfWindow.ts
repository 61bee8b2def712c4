import * as vscode from 'vscode';
import type { QueueState } from '../../ports/queueState.js';
import type { WindowQueue } from '../../ports/windowQueue.js';
import { settingParts } from '../settings.js';

/** What the machine's settings say of a queue. */
export interface QueueWishes {
  readonly address: string;
  readonly secretFile: string;
  readonly commandLine: string;
}

/** As the person set them for this machine: a workspace, which came from somewhere, has no say in where its texts go or what is started. */
export function queueWishes(): QueueWishes {
  const { address, secretFile, commandLine } = settingParts('whetstone.queue').own ?? {};
  return { address: textOf(address), secretFile: textOf(secretFile), commandLine: textOf(commandLine) };
}

/** Whether attempts of this window go to a queue. In a workspace that is not trusted none does. */
export function isQueueSet(environment: Readonly<Record<string, string | undefined>>): boolean {
  if (!vscode.workspace.isTrusted) return false;
  const { address } = queueWishes();
  return address === '' ? (environment['WHETSTONE_QUEUE'] ?? '') !== '' : address !== 'off';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

type OpenQueue = (isSet: () => boolean) => Promise<WindowQueue>;

/** The queue of this window; what it is made of is loaded when something is first asked of it. */
export class QueueOfWindow {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #load: OpenQueue;
  #opened: Promise<WindowQueue> | undefined;

  constructor(environment: Readonly<Record<string, string | undefined>>, load: OpenQueue) {
    this.#environment = environment;
    this.#load = load;
  }

  /** As the settings are now; loads nothing. */
  isSet(): boolean {
    return isQueueSet(this.#environment);
  }

  open(): Promise<WindowQueue> {
    return (this.#opened ??= this.#load(() => this.isSet()));
  }

  async look(signal: AbortSignal): Promise<QueueState> {
    return (await this.open()).look(signal);
  }

  close(): void {
    this.#opened?.then(
      (queue) => queue.close(),
      () => undefined, // whoever opened it was told
    );
  }
}
