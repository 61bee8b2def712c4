import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const patienceMs = 30_000;

/** Hands settings to the helper extension inside the window; waits for it to be there, and for its word that they hold. */
export async function sendSettings(socket: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const started = Date.now();
  while (!existsSync(socket)) {
    if (Date.now() - started > patienceMs)
      throw new Error('The extension host of the window does not listen for settings.');
    await pause(100);
  }
  const answer = await exchange(socket, JSON.stringify(settings));
  if (answer !== 'done') throw new Error(`The settings were not taken: ${answer}`);
}

function exchange(socket: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const connection = connect(socket, () => connection.end(text)).on('error', reject);
    let answer = '';
    connection.on('data', (data) => (answer += data.toString()));
    connection.on('end', () => resolve(answer));
  });
}
