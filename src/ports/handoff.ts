import type { ModelRequest } from './languageModel.js';

/** What became of a prompt that somebody else is to answer. */
export type HandoffAnswer = { readonly kind: 'answered'; readonly text: string } | { readonly kind: 'waiting' };

/** What is asked, and who is to answer, as the person named them. */
export interface HandoffQuestion {
  readonly request: ModelRequest;
  readonly answeredBy: string;
}

/** Where the prompts of one run wait for their answers. */
export interface HandoffPrompts {
  /** The answer, where a complete one lies there. Otherwise the prompt waits for one, once however often it is asked. */
  ask(asked: HandoffQuestion, signal: AbortSignal): Promise<HandoffAnswer>;
}
