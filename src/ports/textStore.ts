/** Longer texts (answers, patches) that journals name by hash. */
export interface TextStore {
  /** Stores the text and gives the hash it is found by. */
  put(text: string): Promise<string>;
  get(hash: string): Promise<string | undefined>;
}
