import type { ModelReply } from './languageModel.js';

/** Longer texts (answers, patches) that journals name by hash. */
export interface TextStore {
  /** Stores the text and gives the hash it is found by. */
  put(text: string): Promise<string>;
  get(hash: string): Promise<string | undefined>;
}

/** Replies that were paid for, kept by the hash of their request. Never holds a failed or empty one. */
export interface ReplyStore {
  get(key: string): Promise<ModelReply | undefined>;
  /** Durable when it resolves: a reply is stored before it is used. */
  put(key: string, reply: ModelReply): Promise<void>;
}
