import type { ModelReply, ModelRequest } from './languageModel.js';

/** What an environment asks the target. */
export interface TargetQuestion extends Pick<ModelRequest, 'messages' | 'tools' | 'replySchema' | 'temperature'> {
  /** Never more than the person gives to an answer. */
  readonly maxOutputTokens?: number;
}

/** An answer, or why there is none: beyond what one attempt may ask, longer than may be read, or no answer came. */
export type TargetSaid =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  | { readonly kind: 'refused'; readonly why: 'over-cap' | 'too-long' | 'no-answer'; readonly message: string };

/** The target of a run, for one attempt. */
export interface TargetClient {
  /** The name of the model. */
  readonly model: string;
  ask(question: TargetQuestion, signal: AbortSignal): Promise<TargetSaid>;
}

/** An address of this machine that clients of the target are reached at, and the token of each. */
export interface TargetServer {
  readonly url: string;
  /** In the order of the clients. */
  readonly tokens: readonly string[];
  /** From then on no token is worth anything. */
  close(): Promise<void>;
}

export interface TargetServers {
  open(clients: readonly TargetClient[]): Promise<TargetServer>;
}
