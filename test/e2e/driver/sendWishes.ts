import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { patienceMs } from './patience.js';

/** What the helper extension inside the window does: changes settings, then runs commands, then opens files. */
export interface Wishes {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly run?: readonly (readonly [command: string, ...given: unknown[]])[];
  readonly open?: readonly string[];
}

/** Waits for the helper to be there, and for its word that all is done. */
export async function sendWishes(socket: string, wishes: Wishes): Promise<void> {
  const started = Date.now();
  while (!existsSync(socket)) {
    if (Date.now() - started > patienceMs) throw new Error('The extension host of the window does not listen.');
    await pause(100);
  }
  // JSON leaves out what is undefined; as null it takes a setting back.
  const text = JSON.stringify(wishes, (_key, value: unknown) => (value === undefined ? null : value));
  const answer = await listening(() => exchange(socket, text), started);
  if (answer !== 'done') throw new Error(`Not done: ${answer}`);
}

/** The file of a socket is there a moment before anybody listens on it. */
async function listening(ask: () => Promise<string>, started: number): Promise<string> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
      if (!isRefused || Date.now() - started > patienceMs) throw error;
      await pause(100);
    }
  }
}

function exchange(socket: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const connection = connect(socket, () => connection.end(text)).on('error', reject);
    let answer = '';
    connection.on('data', (data) => (answer += data.toString()));
    connection.on('end', () => resolve(answer));
  });
}
