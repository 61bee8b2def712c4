import type { SandboxViolationStore } from '@anthropic-ai/sandbox-runtime';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../isInside.js';
import type { ProgramResult } from '../../../ports/programs.js';
import type { HelperSettings, Refused } from './messages.js';

const mostNamed = 5;
const ofAttempts = /^whetstone-(?:at-|sandbox-|probe-)?[A-Za-z0-9]{6}(?:\/|$)/u;

/**
 * What a program was kept from, as far as it can be seen: hosts are told by the proxy; of files nobody tells, so those are
 * named that its error output names, that lie in a closed place and that are there.
 */
export async function refusedIn(
  result: ProgramResult,
  violations: Pick<SandboxViolationStore, 'getViolationsForCommand'>,
  { id, settings: { denied, attempts } }: { readonly id: string; readonly settings: HelperSettings },
): Promise<readonly Refused[]> {
  const lines = violations.getViolationsForCommand(id).map(({ line }) => line);
  const hosts = lines.flatMap((line) => /network-outbound (\S+)/u.exec(line)?.[1] ?? []);
  const said = result.kind === 'exited' && result.code !== 0 ? result.errorOutput : '';
  const named = [...said.matchAll(/\/[^\s'"`:;,()[\]<>|*?]+/gu)].map(([text]) => path.normalize(text));
  const closed = [...new Set(named)].filter(
    (place) =>
      denied.some((folder) => isInside(folder, place) && place !== folder) &&
      !ofAttempts.test(path.relative(attempts, place)),
  );
  const there = await Promise.all(closed.slice(0, 50).map(async (place) => ((await isThere(place)) ? [place] : [])));
  return [
    ...[...new Set(hosts)].map((what) => ({ kind: 'host' as const, what })),
    ...there.flat().map((what) => ({ kind: 'read' as const, what })),
  ].slice(0, mostNamed);
}

async function isThere(place: string): Promise<boolean> {
  return access(place).then(
    () => true,
    () => false,
  );
}
