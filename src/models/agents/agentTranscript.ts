import { parseJson } from '../../parseJson.js';
import { guessTokens } from '../tokens.js';
import type { AgentEvent, AgentKind, AgentSoFar, AgentStop } from './agentKind.js';

/** What a program has said so far, and why it was stopped, where it was. */
export interface AgentTranscript {
  readonly take: (line: string) => void;
  readonly said: () => AgentSoFar;
  readonly stopped: () => AgentStop | undefined;
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
  let stopped: AgentStop | undefined;
  const end = (why: AgentStop): void => {
    stopped ??= why;
    stop();
  };
  const endFor = (why: AgentStop): void => {
    if (why.kind === 'cut' || why.graceMs === undefined) end(why);
    else setTimeout(end, why.graceMs, why).unref();
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
      if (stopped !== undefined) return; // nothing counts that it says after it was stopped
      const why = kind.stops?.(event ?? line, { events, words, written: text });
      if (why !== undefined) endFor(why);
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
