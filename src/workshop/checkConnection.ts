import { examineEndpoint, isHealthy, printReport } from '../models/doctor.js';
import type { Clock } from '../ports/clock.js';
import { endpointFor, type ModelSpecs, type ModelSurroundings } from './chooseModels.js';

/** How the chosen models answered, finding by finding, without anything secret. */
export interface Connection {
  readonly healthy: boolean;
  readonly text: string;
}

export interface ConnectionSurroundings extends ModelSurroundings {
  readonly clock: Clock;
  /** `wsl`, `ssh-remote` and the like, where the window is on another machine than the extension. */
  readonly remoteName: string | undefined;
  /** True inside of VS Code, whose fetch knows the person's proxy. */
  readonly proxyAware: boolean;
}

/** Asks the chosen models whether they are there: reachable, listed, and one tiny answer each. */
export async function checkConnection(
  specs: ModelSpecs,
  surroundings: ConnectionSurroundings,
  signal: AbortSignal,
): Promise<Connection> {
  const wanted = new Set(
    [specs.target, specs.optimizer, specs.judge].flatMap((spec) => (spec === undefined || spec === '' ? [] : [spec])),
  );
  const reports = await Promise.all([...wanted].map((spec) => examineOne(spec, surroundings, signal)));
  return { healthy: reports.every((report) => report.healthy), text: reports.map((report) => report.text).join('\n') };
}

async function examineOne(
  spec: string,
  surroundings: ConnectionSurroundings,
  signal: AbortSignal,
): Promise<Connection> {
  if (spec.startsWith('simulated')) {
    return { healthy: true, text: '✓ The simulated model is built in: it needs no key and no network.\n' };
  }
  const endpoint = await endpointFor(spec, surroundings);
  const { fetch, clock, environment, remoteName, proxyAware } = surroundings;
  const report = await examineEndpoint(
    { endpoint, fetch, clock, surroundings: { environment, remoteName, proxyAware } },
    signal,
  );
  return { healthy: isHealthy(report), text: printReport(report) };
}
