import type { Line } from '../lines.js';
import type { HarvestSource, Session, SessionPlace } from '../session.js';
import { readClaudeCode } from './claudeCode.js';
import { readCodex } from './codex.js';
import { readCopilotCli } from './copilotCli.js';
import { readCursorAgent } from './cursorAgent.js';
import { readGeminiCli, readGeminiObject } from './geminiCli.js';
import { opencodeIndexes, opencodeQuery, type OpencodeRow, opencodeTables, readOpencode } from './opencode.js';
import { readPi } from './pi.js';
import { readVscodeChat, readVscodeChatObject } from './vscodeChat.js';

/**
 * How the sessions of a source are read; of some sources older versions wrote another form. Not read, because no public
 * source describes them so far that they could be: Cursor's databases (`state.vscdb` of its windows, `store.db` of its
 * terminal program, parts of which are no text) and its older transcripts in plain text.
 */
export interface SourceReader {
  /** A file of JSON lines is one session. */
  readonly lines?: (lines: AsyncIterable<Line>, place: SessionPlace) => Promise<Session>;
  /** So is a file that is one JSON object. */
  readonly object?: (text: string, place: SessionPlace) => Session;
  /** A database holds all sessions. */
  readonly rows?: {
    readonly query: string;
    /** Those that it asks. */
    readonly tables: readonly string[];
    /** What is made on the copy before it is asked. */
    readonly indexes: string;
    read(rows: AsyncIterable<OpencodeRow>, place: SessionPlace): AsyncIterable<Session>;
  };
}

export const readers: Readonly<Record<HarvestSource, SourceReader>> = {
  'claude-code': { lines: readClaudeCode },
  codex: { lines: readCodex },
  'copilot-cli': { lines: readCopilotCli },
  'gemini-cli': { lines: readGeminiCli, object: readGeminiObject },
  opencode: { rows: { query: opencodeQuery, tables: opencodeTables, indexes: opencodeIndexes, read: readOpencode } },
  'vscode-chat': { lines: readVscodeChat, object: readVscodeChatObject },
  'cursor-agent': { lines: readCursorAgent },
  pi: { lines: readPi },
};
