import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import * as z from 'zod';
import { messageOf, UserError } from '../errors.js';
import { FailedCall } from '../models/wrappers/failedCall.js';
import { parseJson } from '../parseJson.js';
import type { AgentWork, WorkTree } from '../ports/agentWork.js';
import { refuseUnlawful, treeOf } from '../storage/programs/workplace/workTree.js';
import type { Envelopes } from './envelope.js';
import { mostFolderBytes, type QueuedWork } from './job.js';
import { keyOf } from './redis.js';

/**
 * Folders that agents work in travel by themselves, encrypted, under the address of their content: a fixture that a
 * hundred attempts start from lies on the queue once, for as long as a job may need it.
 */
export interface BlobParts {
  readonly redis: Redis;
  readonly envelopes: Envelopes;
}

/** A folder that would be written elsewhere than in its place, or is too much: whoever laid it down means no good. */
export class HostileArchive extends Error {}

/** As it travels: the bytes of its files are written in base64. */
const mostBytes = (mostFolderBytes * 4) / 3;

/** Lays the folders of an agent's work on the queue, and gives the work with their addresses; nothing for other calls. */
export async function sendWork(
  work: AgentWork | undefined,
  parts: BlobParts & { readonly expiresAt: number },
): Promise<QueuedWork | undefined> {
  if (work === undefined) return undefined;
  const { fixture, skill, mode, limits, canaries, judges } = work;
  return {
    fixture: await sendTree(fixture, parts),
    ...(skill === undefined ? {} : { skill: { name: skill.name, files: await sendTree(skill.files, parts) } }),
    mode,
    limits,
    ...(canaries === undefined ? {} : { canaries }),
    ...(judges.length === 0 ? {} : { returns: true }),
  };
}

interface LayingParts extends BlobParts {
  /** Until when the job that names it may run. */
  readonly expiresAt: number;
  /** Set for what one attempt left: an address that no other folder has, so that it may be let go once it was read. */
  readonly isAlone?: true;
}

/** Lays a folder down, unless it lies there already for long enough, and gives its address. */
export async function sendTree(tree: WorkTree, parts: LayingParts): Promise<string> {
  const ours = laidAt(parts.redis);
  for (;;) {
    const known = ours.get(tree);
    if (known === undefined) {
      const laying = layDown(tree, parts);
      ours.set(tree, laying);
      laying.catch(() => ours.delete(tree)); // whoever asks next tries anew
      return (await laying).address;
    }
    const { address, sealedUntil } = await known;
    if (sealedUntil >= parts.expiresAt && (await prolong(address, parts))) return address;
    if (ours.get(tree) === known) ours.delete(tree);
  }
}

interface Laid {
  readonly address: string;
  /** What is sealed opens for nobody any more after that, however long it lies there. */
  readonly sealedUntil: number;
}

/**
 * Folders that lie on a queue, or are just laid there; a folder is the same object in all attempts of a run, and its first
 * attempts come at the same time.
 */
function laidAt(redis: Redis): WeakMap<WorkTree, Promise<Laid>> {
  const known = laid.get(redis) ?? new WeakMap<WorkTree, Promise<Laid>>();
  laid.set(redis, known);
  return known;
}

const laid = new WeakMap<Redis, WeakMap<WorkTree, Promise<Laid>>>();

async function layDown(tree: WorkTree, { redis, envelopes, expiresAt, isAlone }: LayingParts): Promise<Laid> {
  const packed = pack(tree, isAlone === true ? randomBytes(16).toString('hex') : undefined);
  if (packed.length > mostBytes) {
    const what = `A folder of a task has more than about ${mostFolderBytes / 1024 / 1024} MB of files, which is too much for the queue.`;
    const cure = 'Make it smaller, or run it without --queue.';
    throw new FailedCall('context-length', what, { charged: false, sent: false, cure });
  }
  const address = envelopes.addressOf(packed);
  const sealedUntil = expiresAt + keptLongerMs;
  // Of no run: the next one starts from the same folder.
  const label = { kind: 'blob', id: address, runId: '', expiresAt: sealedUntil } as const;
  const keptMs = Math.max(keptFor(expiresAt), await redis.pttl(keyOf.blob(address)));
  await redis.set(keyOf.blob(address), envelopes.seal(label, packed), 'PX', keptMs);
  return { address, sealedUntil };
}

/** What is laid down once may be taken up by later jobs, which expire later. */
const keptLongerMs = 24 * 60 * 60_000;

function keptFor(expiresAt: number): number {
  return Math.max(1_000, expiresAt - Date.now());
}

/** Keeps a folder for a job, and no shorter than for those that named it before; false where it does not lie there. */
async function prolong(address: string, { redis, expiresAt }: LayingParts): Promise<boolean> {
  return (await redis.eval(prolonging, 1, keyOf.blob(address), keptFor(expiresAt))) === 1;
}

const prolonging = `
  local left = redis.call('PTTL', KEYS[1])
  if left == -2 then return 0 end
  if left < tonumber(ARGV[1]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return 1`;

/** Keeps a folder of one attempt, which was read, only for as long as whoever read it may take to be killed and resumed. */
export async function letGo(tree: WorkTree, { redis }: Pick<BlobParts, 'redis'>, keptMs: number): Promise<void> {
  const known = await laidAt(redis).get(tree);
  if (known !== undefined) await redis.pexpire(keyOf.blob(known.address), keptMs);
}

/** The work as the agent's adapter takes it. Throws where a folder is not there, or is not what its address says. */
export async function fetchWork(work: QueuedWork, parts: BlobParts): Promise<AgentWork> {
  const { fixture, skill, mode, limits, canaries, returns } = work;
  return {
    fixture: await fetchTree(fixture, parts),
    skill: skill === undefined ? undefined : { name: skill.name, files: await fetchTree(skill.files, parts) },
    mode,
    limits,
    judges: [],
    canaries,
    returns,
  };
}

/** Throws a {@link HostileArchive} where what lies there is no folder that may be written. */
export async function fetchTree(address: string, { redis, envelopes }: BlobParts): Promise<WorkTree> {
  if ((await redis.strlen(keyOf.blob(address))) > mostSealed)
    throw new HostileArchive('A folder of the job is too large.');
  const sealed = await redis.get(keyOf.blob(address));
  const opened = envelopes.open(sealed, { kind: 'blob', id: address, now: Date.now() });
  if (opened.kind === 'refused' || envelopes.addressOf(opened.content) !== address)
    throw new UserError('environment-refused', 'A folder of the job is not on the queue.', 'Run it again.');
  const tree = unpack(opened.content);
  laidAt(redis).set(tree, Promise.resolve({ address, sealedUntil: opened.label.expiresAt }));
  return tree;
}

/** In characters: an envelope writes three bytes as four. */
const mostSealed = Math.ceil((mostBytes * 4) / 3) + 4_096;

const Tree = z.object({
  entries: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('file'), path: z.string(), bytes: z.string(), executable: z.boolean() }),
      z.object({ kind: z.literal('link'), path: z.string(), to: z.string() }),
    ]),
  ),
});

/** `apart` makes it another content than that of any other folder. */
function pack({ entries }: WorkTree, apart: string | undefined): Buffer {
  const plain = entries.map((entry) =>
    entry.kind === 'file' ? { ...entry, bytes: Buffer.from(entry.bytes).toString('base64') } : entry,
  );
  return Buffer.from(JSON.stringify({ entries: plain, apart }));
}

/** Its hash is worked out anew: what a folder says of itself counts for nothing. */
function unpack(packed: Buffer): WorkTree {
  const read = Tree.safeParse(parseJson(packed.toString('utf8')));
  if (!read.success) throw new HostileArchive('What lies there is no folder.');
  const entries = read.data.entries.map((entry) =>
    entry.kind === 'file' ? { ...entry, bytes: new Uint8Array(Buffer.from(entry.bytes, 'base64')) } : entry,
  );
  try {
    refuseUnlawful(entries);
  } catch (error) {
    throw new HostileArchive(messageOf(error));
  }
  return treeOf(entries);
}
