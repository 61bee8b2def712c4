import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Ends the extension host of a window that this process opened, as the system does when memory runs out; its process id. */
export async function killExtensionHost(): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const [found] = descendantsOf(process.pid).filter(isExtensionHost);
    if (found !== undefined) {
      process.kill(found, 'SIGKILL');
      return found;
    }
    await pause(50);
  }
  throw new Error('no extension host was found below this process');
}

function isExtensionHost(pid: number): boolean {
  return textOf(`/proc/${pid}/cmdline`).includes('--type=extensionHost');
}

function descendantsOf(pid: number): readonly number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/u.test(name))
      .map((name) => [Number(name), Number(textOf(`/proc/${name}/stat`).split(') ')[1]?.split(' ')[1])] as const),
  );
  const isBelow = (child: number): boolean => {
    const parent = parents.get(child);
    return parent === pid || (parent !== undefined && parent > 1 && isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it ended meanwhile
  }
}
