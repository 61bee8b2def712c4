import { parseJson } from '../../parseJson.js';
import { guessTokens } from '../tokens.js';
import type { AgentEvent, AgentFailure, AgentKind, AgentSaid } from './agentKind.js';

/** What a program has said so far, and why it was stopped, where it was. */
export interface AgentTranscript {
  readonly take: (line: string) => void;
  readonly said: () => Pick<AgentSaid, 'events' | 'words' | 'written'>;
  readonly stopped: () => { readonly kind: 'cut'; readonly text: string } | AgentFailure | undefined;
}

export interface TranscriptWatch {
  /** Tokens that the answer may have. */
  readonly most: number;
  /** Called for every line. */
  readonly beat: () => void;
  /** Called once, where the program need not go on. */
  readonly stop: () => void;
}

const mostWords = 100_000; // of error output; its beginning says what is wrong
const stepLetters = 256; // counted anew every so many

export function agentTranscript(kind: AgentKind, { most, beat, stop }: TranscriptWatch): AgentTranscript {
  const events: AgentEvent[] = [];
  let words = '';
  let text = '';
  let counted = 0;
  let stopped: ReturnType<AgentTranscript['stopped']>;
  const end = (why: NonNullable<typeof stopped>): void => {
    stopped ??= why;
    stop();
  };
  const grow = (piece: string): void => {
    text += piece;
    if (text.length < counted + stepLetters) return;
    counted = text.length;
    if (guessTokens(text) > most) end({ kind: 'cut', text });
  };
  return {
    take: (line) => {
      beat();
      const event = eventOf(line);
      const gaveUp = kind.gaveUp?.(event ?? line, words);
      if (gaveUp !== undefined) return end(gaveUp);
      if (event === undefined) return void (words = (words + line + '\n').slice(0, mostWords));
      const piece = kind.piece?.(event);
      if (piece === undefined) events.push(event);
      else grow(piece);
    },
    said: () => ({ events, words, written: text }),
    stopped: () => stopped,
  };
}

function eventOf(line: string): AgentEvent | undefined {
  if (!line.startsWith('{')) return undefined;
  const value = parseJson(line);
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
}
