import type { Redis } from 'ioredis';
import * as z from 'zod';
import { UserError } from '../errors.js';
import { parseJson } from '../parseJson.js';
import type { AgentWork, WorkTree } from '../ports/agentWork.js';
import type { Envelopes } from './envelope.js';
import type { QueuedWork } from './job.js';
import { keyOf } from './redis.js';

/**
 * Folders that agents work in travel by themselves, encrypted, under the address of their content: a fixture that a
 * hundred attempts start from lies on the queue once, for as long as a job may need it.
 */
interface BlobParts {
  readonly redis: Redis;
  readonly envelopes: Envelopes;
}

const mostBytes = 32 * 1024 * 1024;

/** Lays the folders of an agent's work on the queue, and gives the work with their addresses; nothing for other calls. */
export async function sendWork(
  work: AgentWork | undefined,
  parts: BlobParts & { readonly runId: string; readonly expiresAt: number },
): Promise<QueuedWork | undefined> {
  if (work === undefined) return undefined;
  const { fixture, skill, mode, limits, canaries } = work;
  return {
    fixture: await sendTree(fixture, parts),
    ...(skill === undefined ? {} : { skill: { name: skill.name, files: await sendTree(skill.files, parts) } }),
    mode,
    limits,
    ...(canaries === undefined ? {} : { canaries }),
  };
}

async function sendTree(
  tree: WorkTree,
  { redis, envelopes, expiresAt }: BlobParts & { readonly expiresAt: number },
): Promise<string> {
  const known = sent.get(tree);
  const keptMs = Math.max(1_000, expiresAt - Date.now());
  if (known !== undefined && (await redis.pexpire(keyOf.blob(known), keptMs)) === 1) return known;
  const packed = pack(tree);
  if (packed.length > mostBytes) {
    throw new UserError(
      'environment-refused',
      `A folder that agents start from has more than ${mostBytes / 1024 / 1024} MB, which is too much for the queue.`,
      'Make it smaller, or run it without --queue.',
    );
  }
  const address = envelopes.addressOf(packed);
  // Of no run: the next one starts from the same folder.
  const label = { kind: 'blob', id: address, runId: '', expiresAt: expiresAt + keptLongerMs } as const;
  await redis.set(keyOf.blob(address), envelopes.seal(label, packed), 'PX', keptMs);
  sent.set(tree, address);
  return address;
}

/** Addresses of folders that were laid down from here; a folder is the same object in all attempts of a run. */
const sent = new WeakMap<WorkTree, string>();

/** What is laid down once may be taken up by later jobs, which expire later. */
const keptLongerMs = 24 * 60 * 60_000;

/** The work as the agent's adapter takes it. Throws where a folder is not there, or is not what its address says. */
export async function fetchWork(work: QueuedWork, parts: BlobParts): Promise<AgentWork> {
  const { fixture, skill, mode, limits, canaries } = work;
  return {
    fixture: await fetchTree(fixture, parts),
    skill: skill === undefined ? undefined : { name: skill.name, files: await fetchTree(skill.files, parts) },
    mode,
    limits,
    judges: [],
    canaries,
  };
}

async function fetchTree(address: string, { redis, envelopes }: BlobParts): Promise<WorkTree> {
  const sealed = await redis.get(keyOf.blob(address));
  const opened = envelopes.open(sealed, { kind: 'blob', id: address, now: Date.now() });
  if (opened.kind === 'refused' || envelopes.addressOf(opened.content) !== address)
    throw new UserError('environment-refused', 'A folder of the job is not on the queue.', 'Run it again.');
  return unpack(opened.content);
}

const Tree = z.object({
  hash: z.string(),
  entries: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('file'), path: z.string(), bytes: z.string(), executable: z.boolean() }),
      z.object({ kind: z.literal('link'), path: z.string(), to: z.string() }),
    ]),
  ),
});

function pack({ hash, entries }: WorkTree): Buffer {
  const plain = entries.map((entry) =>
    entry.kind === 'file' ? { ...entry, bytes: Buffer.from(entry.bytes).toString('base64') } : entry,
  );
  return Buffer.from(JSON.stringify({ hash, entries: plain }));
}

function unpack(packed: Buffer): WorkTree {
  const { hash, entries } = Tree.parse(parseJson(packed.toString('utf8')));
  return {
    hash,
    entries: entries.map((entry) =>
      entry.kind === 'file' ? { ...entry, bytes: new Uint8Array(Buffer.from(entry.bytes, 'base64')) } : entry,
    ),
  };
}
