import { setTimeout as wait } from 'node:timers/promises';

const patienceMs = 40_000;

/** Waits for something that the window does in its own time, and says what it was when it never comes. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  what: string | (() => string),
): Promise<T> {
  const end = Date.now() + patienceMs;
  for (let looks = 1; ; looks += 1) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`never came: ${typeof what === 'string' ? what : what()}`);
    await wait(Math.min(looks * 20, 100)); // a look costs the window time that it needs for what is waited for
  }
}
