import { setTimeout as wait } from 'node:timers/promises';
import { patienceMs } from './patience.js';

/** Waits for something that the window does in its own time; a question that cannot be asked yet counts as no. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + patienceMs;
  while (
    !(await Promise.resolve()
      .then(holds)
      .catch(() => false))
  ) {
    if (Date.now() > end) throw new Error(`in vain: ${what}`);
    await wait(100);
  }
}
