import { UserError } from '../../errors.js';
import { FailedCall } from '../../models/wrappers/failedCall.js';
import { parseJson } from '../../parseJson.js';
import { bridgeProtocol, BridgeMessage, type Answer, type BridgeQuestion } from './bridgeMessages.js';

/** The command line at work, as the window holds it. */
export interface BridgeProcess {
  send(line: string): void;
  /** Ends its input, and with that the process. */
  end(): void;
}

/** What is heard of it. */
export interface BridgeEars {
  readonly line: (line: string) => void;
  /** Its last words, if it had any. */
  readonly over: (why: string) => void;
}

export type StartBridge = (ears: BridgeEars) => Promise<BridgeProcess>;

/** A command line that has reached the queue. */
export interface OpenBridge {
  send(asked: BridgeQuestion): void;
  end(): void;
  /** The address of the queue as it may be shown. */
  readonly shown: string;
  /** Folders that it was given, by their hashes. */
  readonly folders: Set<string>;
  /** Whoever waits for an answer, by the number of the question. */
  readonly waiting: Map<number, Waiter>;
}

interface Waiter {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Starts the command line and waits until it has reached the queue. `version` is the window's own; `gone` hears when it has ended. */
export async function openBridge(start: StartBridge, version: string, gone: () => void): Promise<OpenBridge> {
  const waiting = new Map<number, Waiter>();
  let process: Promise<BridgeProcess> | undefined;
  const shown = await new Promise<string>((resolve, reject) => {
    let isOpen = false;
    const line = (text: string): void => {
      const told = BridgeMessage.safeParse(parseJson(text)).data;
      if (told === undefined) return;
      if (told.kind !== 'ready') return waiting.get(told.id)?.resolve(told);
      if (told.protocol !== bridgeProtocol) return reject(otherVersion(told.version, version));
      isOpen = true;
      resolve(told.shown);
    };
    const over = (why: string): void => {
      gone();
      reject(isOpen ? undefined : notStarted(why, version));
      for (const { reject: lose } of waiting.values()) lose(lostCall(why));
    };
    process = start({ line, over });
    process.catch(reject);
  }).catch(async (error: unknown) => {
    (await process?.catch(() => undefined))?.end();
    throw error;
  });
  const begun = await process;
  const send = (asked: BridgeQuestion): void => begun?.send(`${JSON.stringify(asked)}\n`);
  return { send, end: () => begun?.end(), shown, folders: new Set(), waiting };
}

/** The call may have been made: whoever asks again finds its answer on the queue, if there is one. */
export function lostCall(why: string): FailedCall {
  const what = `The command line that carries calls to the queue has ended: ${why}`;
  return new FailedCall('unavailable', what, { charged: true });
}

function otherVersion(theirs: string, ours: string): UserError {
  return new UserError(
    'usage',
    `The command line that is to reach the queue is Whetstone ${theirs}, this window is ${ours}.`,
    sameVersion(ours),
  );
}

/** One from before does not know what it is asked; what else keeps it from starting it says itself. */
function notStarted(why: string, version: string): UserError {
  if (/unknown (?:option|command)/u.test(why))
    return new UserError(
      'usage',
      `The command line that is to reach the queue is older than this window (${version}).`,
      sameVersion(version),
    );
  return new UserError('usage', `The queue cannot be reached: ${why}`, 'Mend that, then try again.');
}

function sameVersion(version: string): string {
  return `Install the same one: npm install -g whetstone@${version}`;
}
