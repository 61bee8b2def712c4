import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { NightFacts } from '../../schedule/preconditions.js';

const run = promisify(execFile);

/** Where the machine's power comes from, as far as it tells. `supplies` is where Linux lists its power supplies. */
export async function powerSource(
  platform: NodeJS.Platform,
  supplies = '/sys/class/power_supply',
): Promise<NightFacts['power']> {
  try {
    if (platform === 'linux') return await linuxPower(supplies);
    if (platform === 'darwin') return macPower((await run('/usr/bin/pmset', ['-g', 'batt'])).stdout);
    return 'unknown';
  } catch {
    return 'unknown'; // a machine that does not tell is not stopped
  }
}

/** `Now drawing from 'Battery Power'` */
export function macPower(text: string): NightFacts['power'] {
  if (text.includes("'Battery Power'")) return 'battery';
  return text.includes("'AC Power'") ? 'mains' : 'unknown';
}

async function linuxPower(folder: string): Promise<NightFacts['power']> {
  const names = await readdir(folder);
  const read = async (name: string, field: string): Promise<string> =>
    (await readFile(path.join(folder, name, field), 'utf8').catch(() => '')).trim();
  const all = await Promise.all(
    names.map(async (name) => ({
      type: await read(name, 'type'),
      online: await read(name, 'online'),
      status: await read(name, 'status'),
      scope: await read(name, 'scope'),
    })),
  );
  if (all.some(({ type, online }) => type === 'Mains' && online === '1')) return 'mains';
  // The battery of a mouse says nothing about the machine.
  const batteries = all.filter(({ type, scope }) => type === 'Battery' && scope !== 'Device');
  if (batteries.some(({ status }) => status === 'Discharging')) return 'battery';
  return batteries.length > 0 ? 'mains' : 'unknown';
}
