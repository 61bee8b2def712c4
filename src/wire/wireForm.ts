import type { ModelReply } from '../ports/languageModel.js';
import type { BodyQuestion } from './completionBody.js';

/**
 * How one family of clients asks a model and is answered: what a body asks for, an answer in one piece or as the events of
 * a stream, and a refusal.
 */
export interface WireForm {
  /** What is wrong with the body, as text, where it cannot be read. */
  read(body: unknown): WireQuestion | string;
  whole(model: string, reply: ModelReply): object;
  /** The whole stream, its closing event included. */
  events(model: string, reply: ModelReply, withUsage: boolean): readonly WireEvent[];
  refusal(refusal: Refusal): object;
}

/** Why a request is not answered. Each form has its own words for it; these are OpenAI's. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
  readonly retryAfterSeconds?: number;
  /** What Google's form says beside the message. */
  readonly details?: readonly object[];
}

export interface WireQuestion {
  readonly model: string;
  readonly question: BodyQuestion;
  readonly maxOutputTokens: number | undefined;
  readonly temperature: number | undefined;
  /** Which sample is wanted, where the client can say so. */
  readonly seed: number | undefined;
  readonly stream: boolean;
  readonly withUsage: boolean;
}

/** One event of a stream; `name` where clients of the form look at it. */
export interface WireEvent {
  readonly name?: string | undefined;
  readonly data: string;
}

const pieceCharacters = 48;

/** A text in the pieces that a stream sends it in; no character is torn. */
export function piecesOf(text: string): readonly string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${pieceCharacters}}`, 'gu')) ?? [];
}
