import type { ModelMessage, ToolCall, ToolDeclaration } from './languageModel.js';

/** What a model that the editor offers is asked. */
export interface EditorQuestion {
  /** Without a system role: editors know none. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDeclaration[];
  /** Wishes that the model's provider may know: `max_tokens`, `temperature`. */
  readonly wishes: Readonly<Record<string, number>>;
}

/** A piece of an answer, as it comes. */
export type EditorPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly call: ToolCall };

/** A model that the editor offers to its extensions, whoever brings it. */
export interface EditorChat {
  /** Who brings it, such as `copilot`. */
  readonly vendor: string;
  readonly id: string;
  readonly name: string;
  /** Whether the person lets us ask it; undefined where they have not been asked, which the first question does. */
  readonly isAllowed: () => boolean | undefined;
  /** The answer, part by part. Throws a `ModelError`; stops asking once the signal is aborted. */
  ask(question: EditorQuestion, signal: AbortSignal): AsyncIterable<EditorPart>;
  countTokens(text: string): Promise<number>;
}

/** Every model that the editor offers right now. */
export type EditorChats = () => Promise<readonly EditorChat[]>;
