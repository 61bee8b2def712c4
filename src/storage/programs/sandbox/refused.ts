import type { SandboxViolationEvent, SandboxViolationStore } from '@anthropic-ai/sandbox-runtime';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../isInside.js';
import type { ProgramResult } from '../../../ports/programs.js';
import { maySuggest } from '../../../tasks/readers/declaredHost.js';
import type { PlacedStart } from './helperProcess.js';
import type { HelperSettings, SandboxRefusal } from './messages.js';
import { staysClosed } from './staysClosed.js';

const mostNamed = 5;
const ofAttempts = /\/whetstone-(?:sandbox-|agent-|run-|place-)?[A-Za-z0-9]{6}(?:\/|$)/u;

/**
 * What a program was kept from, as far as it can be seen: hosts are told by the proxy; of files nobody tells, so those are
 * named that its error output names, that lie in a closed place and that are there.
 */
export async function refusedIn(
  result: ProgramResult,
  violations: Pick<SandboxViolationStore, 'getViolationsForCommand'>,
  { id, settings }: { readonly id: string; readonly settings: HelperSettings },
): Promise<readonly SandboxRefusal[]> {
  const lines = violations.getViolationsForCommand(id).map(({ line }) => line);
  const found = [...lines.flatMap(refusedHost), ...(await refusedReads(result, settings))];
  const distinct = new Map(found.map((each) => [JSON.stringify(each), each]));
  return [...distinct.values()].slice(0, mostNamed);
}

const mostHosts = 200;
const mostTimes = 20;

/**
 * Tells of each connection that the proxy refuses from now on to the command `id`, or to nobody who is known: whoever asks
 * may call itself anything. Of the watched host it tells however many others came before it.
 */
export function tellRefusedHosts(
  violations: Pick<SandboxViolationStore, 'getTotalCount' | 'getViolationsForCommand' | 'subscribe'>,
  id: string,
  { at, onRefused }: Partial<Pick<PlacedStart, 'at' | 'onRefused'>>,
): () => void {
  if (onRefused === undefined) return () => undefined;
  listing.add(id);
  const times = new Map<string, number>();
  let seen = violations.getTotalCount();
  const isTold = (host: string, before: number): boolean =>
    before < mostTimes && (before > 0 || times.size < mostHosts || host === at?.watched?.toLowerCase());
  const isOfAnother = (violation: SandboxViolationEvent): boolean =>
    [...listing].some((other) => other !== id && violations.getViolationsForCommand(other).includes(violation));
  const stop = violations.subscribe((all) => {
    const last = all.at(-1);
    if (last === undefined || violations.getTotalCount() === seen) return;
    seen = violations.getTotalCount();
    for (const { what } of isOfAnother(last) ? [] : refusedHost(last.line)) {
      const host = bareHost(what);
      const before = times.get(host) ?? 0;
      if (!isTold(host, before)) continue;
      times.set(host, before + 1);
      onRefused(host);
    }
  });
  return () => {
    listing.delete(id);
    stop();
  };
}

function bareHost(what: string): string {
  return what.replace(/:\d+$/u, '').replace(/\.+$/u, '').toLowerCase();
}

const listing = new Set<string>();

const longestHost = 255 + ':65535'.length;

function refusedHost(line: string): readonly SandboxRefusal[] {
  const [, what, why = ''] = /network-outbound (\S+)(?: \((.*)\))?/u.exec(line) ?? [];
  if (what === undefined) return [];
  const host = what.slice(0, longestHost);
  if (why.startsWith('resolved to ')) return [{ kind: 'host', what: host, advice: 'none', leads: true }];
  return [{ kind: 'host', what: host, advice: maySuggest(host) ? 'declare' : 'none' }];
}

async function refusedReads(result: ProgramResult, settings: HelperSettings): Promise<readonly SandboxRefusal[]> {
  const { denied } = settings;
  const said = result.kind === 'exited' && result.code !== 0 ? result.errorOutput : '';
  const named = [...said.matchAll(/\/[^\s'"`:;,()[\]<>|*?]+/gu)].map(([text]) => path.normalize(text));
  const closed = [...new Set(named)].filter(
    (place) => denied.some((folder) => isInside(folder, place) && place !== folder) && !ofAttempts.test(place),
  );
  const there = await Promise.all(
    closed.slice(0, 50).map(async (what): Promise<readonly SandboxRefusal[]> => {
      const real = await realpath(what).catch(() => undefined);
      if (real === undefined) return [];
      const stays = staysClosed(what, settings) || staysClosed(real, settings);
      return [{ kind: 'read', what, advice: stays ? 'none' : 'declare' }];
    }),
  );
  return there.flat();
}
