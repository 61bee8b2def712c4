import { findProgram, runCommand } from './osCommand.js';
import type { HostProgram } from './osNightly.js';
import type { World } from '../world.js';

/** The program that a night is started with, and what its environment must hold for that. */
export interface NightProgram {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
}

const leastNode = { major: 20, minor: 19 };

/**
 * Node for nights without a window: the one that runs us, unless it is an editor's own, which every update replaces;
 * then a Node of the machine, and the editor's only where there is none.
 */
export async function nightProgram(world: World, host: HostProgram, signal: AbortSignal): Promise<NightProgram> {
  const own = { path: host.path, environment: host.electron ? { ELECTRON_RUN_AS_NODE: '1' } : {} };
  if (!host.replaceable) return own;
  const found = await findProgram('node', world.environment, world.platform);
  if (found === undefined) return own;
  const { code, output } = await runCommand(
    { program: found, arguments: ['--version'], environment: { PATH: world.environment['PATH'] } },
    signal,
  );
  return code === 0 && isNewEnough(output) ? { path: found, environment: {} } : own;
}

/** `v20.19.0` and later. */
export function isNewEnough(version: string): boolean {
  const [, major = 0, minor = 0] = (/^v?(\d+)\.(\d+)/.exec(version.trim()) ?? []).map(Number);
  return major > leastNode.major || (major === leastNode.major && minor >= leastNode.minor);
}
