import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { ModelReply } from '../../ports/languageModel.js';
import { durableWrite, temporaryNameFor } from '../files/durableWrite.js';
import { sha256 } from '../../hash.js';
import type { ReplyStore } from '../../ports/stores.js';
import { writeInto } from '../files/insideFolder.js';
import { readBounded, seal, type SealedFormat, type Sealing, unseal } from '../files/sealedFile.js';
import type { UserStore } from '../state/store.js';

/** A version before this one stored what a server said, whatever it was; the answer beside it is paid for. */
const tokens = z.number().nonnegative().catch(0);
const usage = z.object({ inputTokens: tokens, outputTokens: tokens, exact: z.boolean() });

const replyFormat: SealedFormat<Omit<ModelReply, 'cached'>> = {
  format: 'whetstone-reply',
  version: 1,
  schema: z.object({
    text: z.string(),
    finish: z.enum(['stop', 'length', 'tool-calls']),
    toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).readonly(),
    usage,
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
      return reading?.kind === 'verified' ? { ...reading.body, cached: true } : undefined;
    },
    put: async (key, reply) => {
      if (reply.text === '' && reply.toolCalls.length === 0) throw new TypeError('An empty reply is never stored.');
      const file = fileOf(store, key);
      const { text, finish, toolCalls } = reply;
      const sealed = seal(sealing(store, key), { text, finish, toolCalls, usage: usage.parse(reply.usage) });
      if (replacedAtOnce(file, sealed)) return;
      await writeInto(store.folder, file, () => durableWrite(file, sealed, { mode: 0o600, survives: 'process' }));
    },
  };
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

/** Everything in it may be deleted at any time: it costs money, not truth. */
export function repliesFolder(store: Pick<UserStore, 'folder'>): string {
  return path.join(store.folder, 'replies');
}

function sealing(store: UserStore, key: string): Sealing<Omit<ModelReply, 'cached'>> {
  return { key: store.key, format: replyFormat, about: `request ${key}` };
}

/** Hashed once more: a key may be any text and must not become a path. */
function fileOf(store: UserStore, key: string): string {
  return path.join(repliesFolder(store), `${sha256(key)}.json`);
}
