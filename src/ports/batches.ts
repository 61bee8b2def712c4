import type { ModelError } from '../errors.js';
import type { ModelReply, ModelRequest, ModelRole } from './languageModel.js';

/**
 * A server that answers many requests of one model as one file: later, and for half the price. Every call throws a
 * `ModelError` where the server did not do it; none of them is repeated by itself.
 */
export interface BatchServer {
  /** A request as a line of the file, with the name by which its answer is found. */
  line(name: string, request: ModelRequest): string;
  /** Gives the id of the file. */
  upload(file: { readonly name: string; readonly text: string }, signal: AbortSignal): Promise<string>;
  /** Begins the batch and gives its id. From here on it costs. */
  create(file: string, signal: AbortSignal): Promise<string>;
  /** What the server knows of a file of that name: whoever was cut off in the middle asks. */
  find(name: string, signal: AbortSignal): Promise<{ readonly file?: string; readonly batch?: string }>;
  look(batch: string, signal: AbortSignal): Promise<BatchState>;
  /** Asks for its end; lines that are done stay done. */
  cancel(batch: string, signal: AbortSignal): Promise<void>;
  /** The lines of a file of answers or errors, by their names. `inputs` says how long each question was. */
  read(
    file: string,
    inputs: (name: string) => CountedInput | undefined,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, LineOutcome>>;
  remove(file: string, signal: AbortSignal): Promise<void>;
}

export interface BatchState {
  /** `running` also while it ends: there is nothing to read yet. */
  readonly status: 'running' | 'completed' | 'failed' | 'expired' | 'cancelled';
  /** Answers and errors, as far as there are any. */
  readonly files: readonly string[];
  /** What the server says is wrong with the batch as a whole. */
  readonly why: string | undefined;
}

/** `untouched`: the batch ended before its turn came, and nothing is charged. */
export type LineOutcome =
  | { readonly kind: 'answered'; readonly reply: ModelReply }
  | { readonly kind: 'failed'; readonly error: ModelError }
  | { readonly kind: 'untouched' };

/** The tokens of a question: fewer no tokenizer makes of it, and about how many it is. */
export interface CountedInput {
  readonly least: number;
  readonly guess: number;
}

/** One call of a batch as it is kept: hashes and counts, never a word of what was said. */
export interface BatchedCall extends CountedInput {
  /** The key of its reply, and the name of its line. */
  readonly key: string;
  readonly role: ModelRole;
  /** Its reservation in the ledger. */
  readonly ticket: string;
  /** The worst case that is reserved. */
  readonly worst: { readonly inputTokens: number; readonly outputTokens: number };
}

/** A batch from before its file is sent until all of it is read: whoever is cut off meanwhile goes on with it. */
export interface KeptBatch {
  /** The name of its file. */
  readonly name: string;
  readonly endpoint: string;
  readonly model: string;
  readonly runId: string;
  readonly begunAt: number;
  /** When it is cancelled if it has not ended. */
  readonly until: number;
  /** As the server names them; missing as long as nobody knows. */
  readonly file?: string | undefined;
  readonly batch?: string | undefined;
  readonly calls: readonly BatchedCall[];
  /** Set once every line is stored and settled: what is still to be removed from the server. */
  readonly readFiles?: readonly string[] | undefined;
}

/** The batches of a skill that have not been read to their end. */
export interface BatchStore {
  all(): Promise<readonly KeptBatch[]>;
  /** Durable when it resolves; one of the same name is replaced. */
  put(batch: KeptBatch): Promise<void>;
  remove(name: string): Promise<void>;
}

/** What happens to batches, as a person is told. */
export type BatchNews =
  | { readonly kind: 'sent'; readonly calls: number; readonly batch: string; readonly until: number }
  | { readonly kind: 'refused'; readonly model: string; readonly why: string }
  | { readonly kind: 'taken-up'; readonly calls: number; readonly begunAt: number }
  | { readonly kind: 'cancelled'; readonly calls: number }
  | { readonly kind: 'left-alone'; readonly calls: number }
  | {
      readonly kind: 'ended';
      readonly answered: number;
      readonly failed: number;
      readonly left: number;
      readonly why: string | undefined;
    };
