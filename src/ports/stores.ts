import type { ModelReply } from './languageModel.js';

/** Longer texts (answers, patches) that journals name by hash. */
export interface TextStore {
  /** Stores the text and gives the hash it is found by. */
  put(text: string): Promise<string>;
  get(hash: string): Promise<string | undefined>;
}

/** Replies that were paid for, kept by the hash of their request. Never holds a failed or empty one. */
export interface ReplyStore {
  get(key: string): Promise<KeptReply | undefined>;
  /** Durable when it resolves: a reply is stored before it is used. */
  put(key: string, reply: KeptReply): Promise<void>;
}

/** A reply as it is kept. */
export interface KeptReply extends ModelReply {
  /** What its placeholders stand for, where the model wrote secrets of its own; never stored in clear. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
}
