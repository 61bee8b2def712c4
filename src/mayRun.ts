import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';

/** Whether a program could be started from this file. */
export async function mayRun(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
