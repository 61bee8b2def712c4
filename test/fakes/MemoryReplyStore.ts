import type { KeptReply, ReplyStore } from '../../src/ports/stores.js';

export class MemoryReplyStore implements ReplyStore {
  readonly replies = new Map<string, KeptReply>();

  async get(key: string): Promise<KeptReply | undefined> {
    const reply = this.replies.get(key);
    return reply === undefined ? undefined : { ...reply, cached: true };
  }

  async put(key: string, reply: KeptReply): Promise<void> {
    if (reply.text === '' && reply.toolCalls.length === 0 && reply.work === undefined)
      throw new TypeError('An empty reply is never stored.');
    this.replies.set(key, reply);
  }
}
