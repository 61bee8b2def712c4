import type { ModelReply } from '../../src/ports/languageModel.js';
import type { ReplyStore } from '../../src/ports/stores.js';

export class MemoryReplyStore implements ReplyStore {
  readonly replies = new Map<string, ModelReply>();

  async get(key: string): Promise<ModelReply | undefined> {
    const reply = this.replies.get(key);
    return reply === undefined ? undefined : { ...reply, cached: true };
  }

  async put(key: string, reply: ModelReply): Promise<void> {
    if (reply.text === '' && reply.toolCalls.length === 0) throw new TypeError('An empty reply is never stored.');
    this.replies.set(key, reply);
  }
}
