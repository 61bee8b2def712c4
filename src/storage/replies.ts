import path from 'node:path';
import * as z from 'zod';
import type { ModelReply } from '../ports/languageModel.js';
import type { ReplyStore } from '../ports/replyStore.js';
import { hashOf } from './hash.js';
import { writeInto } from './insideFolder.js';
import { readBounded, type SealedFormat, type Sealing, unseal, writeSealed } from './sealedFile.js';
import type { UserStore } from './store.js';

const tokens = z.number().nonnegative();

const replyFormat: SealedFormat<Omit<ModelReply, 'cached'>> = {
  format: 'whetstone-reply',
  version: 1,
  schema: z.object({
    text: z.string(),
    finish: z.enum(['stop', 'length', 'tool-calls']),
    toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).readonly(),
    usage: z.object({ inputTokens: tokens, outputTokens: tokens, exact: z.boolean() }),
  }),
};

/**
 * Replies in user state, each sealed to its key: one that somebody else wrote, or that was filed under another request,
 * is never used, and asking again costs less than believing it. A kill loses none; a power cut may lose the last few.
 */
export function openReplies(store: UserStore): ReplyStore {
  return {
    get: async (key) => {
      const text = await readBounded(fileOf(store, key));
      const reading = text === undefined ? undefined : unseal(sealing(store, key), text);
      return reading?.kind === 'verified' ? { ...reading.body, cached: true } : undefined;
    },
    put: async (key, reply) => {
      if (reply.text === '' && reply.toolCalls.length === 0) throw new TypeError('An empty reply is never stored.');
      const file = fileOf(store, key);
      const { text, finish, toolCalls, usage } = reply;
      await writeInto(store.folder, file, () =>
        writeSealed(sealing(store, key), file, { text, finish, toolCalls, usage }, { survives: 'process' }),
      );
    },
  };
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
  const name = hashOf(key);
  return path.join(repliesFolder(store), name.slice(0, 2), `${name}.json`);
}
