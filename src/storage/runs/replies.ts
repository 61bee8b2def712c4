import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { durableWrite, temporaryNameFor } from '../files/durableWrite.js';
import { sha256 } from '../../hash.js';
import { parseJson } from '../../parseJson.js';
import { unlessMissing } from '../files/fileErrors.js';
import type { KeptReply, ReplyStore } from '../../ports/stores.js';
import { writeInto } from '../files/insideFolder.js';
import { readBounded, seal, type SealedFormat, type Sealing, unseal } from '../files/sealedFile.js';
import { mapTexts } from '../../mapTexts.js';
import { HiddenSecrets } from '../state/hiddenSecrets.js';
import type { UserStore } from '../state/store.js';
import { WorkLeft } from './workLeft.js';

/** A version before this one stored what a server said, whatever it was; the answer beside it is paid for. */
const tokens = z.number().nonnegative().catch(0);
const usage = z.object({
  inputTokens: tokens,
  outputTokens: tokens,
  exact: z.boolean(),
  /** Missing in replies of earlier versions. */
  ms: z.number().nonnegative().optional().catch(undefined),
});

type StoredReply = Omit<KeptReply, 'cached'>;

const replyFormat: SealedFormat<StoredReply> = {
  format: 'whetstone-reply',
  version: 3,
  schema: z.object({
    text: z.string(),
    finish: z.enum(['stop', 'length', 'tool-calls']),
    toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).readonly(),
    usage,
    secrets: HiddenSecrets,
    /** Since version 2, which is written where there is one; version 3 where a command in it was only told. */
    work: WorkLeft.optional(),
  }),
};

/**
 * Replies in user state, each sealed to its key: one that somebody else wrote, or that was filed under another request,
 * is never used, and asking again costs less than believing it. A kill loses none; a power cut may lose the last few.
 */
export function openReplies(store: UserStore): ReplyStore {
  return {
    get: async (key) => {
      const file = fileOf(store, key);
      if (!existsSync(file)) return undefined; // most are not: a look takes less time than to be called back about it
      const text = await readBounded(file);
      const reading = text === undefined ? undefined : unseal(sealing(store, key), text);
      return reading?.kind === 'verified' ? { ...opened(store, reading.body), cached: true } : undefined;
    },
    put: async (key, reply) => {
      if (reply.text === '' && reply.toolCalls.length === 0 && reply.work === undefined)
        throw new TypeError('An empty reply is never stored.');
      const file = fileOf(store, key);
      const { text, finish, toolCalls, work } = reply;
      const left = work === undefined ? {} : { work };
      const body = { text, finish, toolCalls, usage: usage.parse(reply.usage), ...left, ...hiddenOf(store, reply) };
      const sealed = seal(sealing(store, key, versionOf(work)), body);
      if (replacedAtOnce(file, sealed)) return;
      await writeInto(store.folder, file, () => durableWrite(file, sealed, { mode: 0o600, survives: 'process' }));
    },
  };
}

/** What an earlier version can read stays one that it reads. */
function versionOf(work: KeptReply['work']): number {
  if (work === undefined) return 1;
  return work.events.some((event) => event.kind === 'tool' && event.onlyTold === true) ? 3 : 2;
}

/** What the placeholders of a reply stand for is stored encrypted. */
function hiddenOf({ key }: UserStore, { secrets }: KeptReply): Pick<StoredReply, 'secrets'> {
  if (secrets === undefined) return {};
  return { secrets: mapTexts(secrets, (secret) => key.encrypt(secret)) };
}

function opened({ key }: UserStore, { secrets, ...reply }: StoredReply): StoredReply {
  return secrets === undefined ? reply : { ...reply, secrets: mapTexts(secrets, (text) => key.decrypt(text) ?? '') };
}

/**
 * Without the way through the pool of threads, which costs more than the file: answers come together, and the run waits
 * for the last. False where it could not be done; the long way makes the folder, tries again, or says what is wrong.
 */
function replacedAtOnce(file: string, content: string): boolean {
  const draft = path.join(path.dirname(file), temporaryNameFor(file));
  try {
    writeFileSync(draft, content, { flag: 'wx', mode: 0o600 });
    renameSync(draft, file);
    return true;
  } catch {
    rmSync(draft, { force: true });
    return false;
  }
}

/**
 * Removes the replies that hold a secret in clear, as earlier versions stored them. They cannot be written once more: the
 * request that each answers is known by whoever asks it alone. Asking again costs less than keeping a secret.
 */
export async function dropRepliesWithSecrets(store: UserStore, signal: AbortSignal): Promise<void> {
  const { hide } = store;
  if (hide === undefined) return;
  const names = (await unlessMissing(readdir(repliesFolder(store)))) ?? [];
  for (const name of names) {
    signal.throwIfAborted();
    const file = path.join(repliesFolder(store), name);
    const reply = replyFormat.schema.safeParse(parseJson((await readBounded(file)) ?? ''));
    if (!reply.success) continue;
    const { text, toolCalls, work } = reply.data;
    if (Object.keys(hide({ text, toolCalls, work }).secrets).length > 0) rmSync(file, { force: true });
  }
}

/** Everything in it may be deleted at any time: it costs money, not truth. */
export function repliesFolder(store: Pick<UserStore, 'folder'>): string {
  return path.join(store.folder, 'replies');
}

function sealing(store: UserStore, key: string, version = replyFormat.version): Sealing<StoredReply> {
  return { key: store.key, format: { ...replyFormat, version }, about: `request ${key}` };
}

/** Hashed once more: a key may be any text and must not become a path. */
function fileOf(store: UserStore, key: string): string {
  return path.join(repliesFolder(store), `${sha256(key)}.json`);
}
