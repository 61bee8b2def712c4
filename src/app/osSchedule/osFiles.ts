import { mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import type { ScheduledFile } from '../../schedule/osSchedule.js';

/** Writes a file of an installation with its mode from the first byte on: what holds keys is never open to others. */
export async function writeScheduledFile({ path: file, text, mode, encoding }: ScheduledFile): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const fresh = `${file}.new`;
  const handle = await open(fresh, 'w', mode);
  try {
    await handle.chmod(mode);
    await handle.writeFile(encoding === 'utf8' ? Buffer.from(text, 'utf8') : Buffer.from(`\ufeff${text}`, 'utf16le'));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
}
