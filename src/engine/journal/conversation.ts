import type { TranscriptTurn } from '../../ports/environment.js';
import { shortened, type Clean } from '../stages/shortened.js';

/** One entry of a `conversation.json`, in the words of the paper's trainer. */
export type ConversationEntry =
  | { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }
  | { readonly type: 'tool_call'; readonly cmd: string; readonly obs: string }
  | { readonly step: number; readonly action: string; readonly env_feedback: string; readonly reasoning: string };

/** The call whose observation is what an agent changed in its folder. */
export const changesEntry = 'git diff';

const mostEntryCharacters = 20_000;
const mostCharacters = 100_000; // of one conversation: what is kept is looked through for secrets

/**
 * What was said and done in an attempt, as other tools read it. What the target was told first holds the skill, which lies
 * beside it, and is left out. Long texts lose their middle; of a long conversation the newest entries are kept, and its
 * first entry says how many are missing.
 */
export function conversationOf(transcript: readonly TranscriptTurn[], redact: Clean): readonly ConversationEntry[] {
  const [first] = transcript;
  const told = first?.kind === 'message' && first.role === 'system' ? transcript.slice(1) : transcript;
  const cut = (text: string): string => shortened(text, mostEntryCharacters, redact);
  const entries = told.map((turn, index) => entryOf(turn, index + 1, cut));
  let room = mostCharacters;
  const from = entries.findLastIndex((entry) => (room -= lengthOf(entry)) < 0) + 1;
  if (from === 0) return entries;
  return [{ role: 'system', content: `[the first ${from} entries are left out]` }, ...entries.slice(from)];
}

function entryOf(turn: TranscriptTurn, step: number, cut: Clean): ConversationEntry {
  switch (turn.kind) {
    case 'message':
      return { role: turn.role, content: cut(turn.text) };
    case 'tool':
      return { type: 'tool_call', cmd: cut(callOf(turn)), obs: cut(turn.result) };
    case 'step': {
      const { action, feedback, reasoning = '' } = turn;
      return { step, action: cut(action), env_feedback: cut(feedback), reasoning: cut(reasoning) };
    }
  }
}

/** The tool with its arguments; a command names its tool itself. */
export function callOf({ name, arguments: given }: Extract<TranscriptTurn, { kind: 'tool' }>): string {
  return given.startsWith(name) ? given : `${name} ${given}`;
}

function lengthOf(entry: ConversationEntry): number {
  return JSON.stringify(entry).length;
}
