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
  /** Called for every event that is kept. */
  readonly heard?: ((event: AgentEvent) => void) | undefined;
  /** Called once, where the program need not go on. */
  readonly stop: () => void;
}

const mostWords = 100_000; // of error output; its beginning says what is wrong
// A parsed event takes many times what it took as text: a few bytes a hundred.
const mostEvents = 50_000;
const mostKept = 16 * 1024 * 1024; // letters of them
const stepLetters = 256; // counted anew every so many

/** No answer needs that many, and nobody reads them. */
export const toldTooMuch: AgentStop = { kind: 'failed', said: 'it wrote more than is read', error: 'malformed' };

export function agentTranscript(
  kind: Pick<AgentKind, 'stops' | 'piece'>,
  { most, beat, heard, stop }: TranscriptWatch,
): AgentTranscript {
  const events: AgentEvent[] = [];
  let words = '';
  let text = '';
  let counted = 0;
  let kept = 0;
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
  const note = (line: string): void => {
    if (words.length < mostWords) words += `${line.slice(0, mostWords - words.length)}\n`;
  };
  const keep = (event: AgentEvent, letters: number): void => {
    kept += letters;
    if (events.length >= mostEvents || kept > mostKept) return end(toldTooMuch);
    events.push(event);
    heard?.(event);
  };
  return {
    take: (line) => {
      if (stopped !== undefined) return; // nothing counts that it says after it was stopped
      beat();
      const event = eventOf(line);
      const why = kind.stops?.(event ?? line, { events, words, written: text });
      if (why !== undefined) endFor(why);
      if (event === undefined) return note(line);
      const piece = kind.piece?.(event);
      if (piece === undefined) keep(event, line.length);
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
