import path from 'node:path';
import { folderOfCursorProject } from '../../harvest/readers/cursorAgent.js';
import { typedGeminiSessions } from '../../harvest/readers/geminiCli.js';
import { folderOfVscodeWorkspace } from '../../harvest/readers/vscodeChat.js';
import type { Session, SessionPlace } from '../../harvest/session.js';
import { readQuietly } from './quietFile.js';
import type { SessionFile } from './sessionFiles.js';

/** What the place of a session file tells, by its name and by the files that its program keeps beside it. */
export async function placeOfSession({ source, path: file, modified }: SessionFile): Promise<SessionPlace> {
  const id = path.basename(file).replace(/\.jsonl?$/u, '');
  const written = modified;
  switch (source) {
    case 'claude-code':
      return { id, written, isSubAgent: id.startsWith('agent-') };
    case 'copilot-cli':
      return { id: path.basename(path.dirname(file)), written };
    case 'gemini-cli':
      return { written, folder: lineOf(await readQuietly(path.join(above(file, 2), '.project_root'), shortest)) };
    case 'vscode-chat':
      return { id, written, folder: folderOfVscodeWorkspace(await beside(file, 2, 'workspace.json')) };
    case 'cursor-agent':
      return { id, written, folder: folderOfCursorProject(await beside(file, 3, '.workspace-trusted')) };
    case 'codex':
    case 'opencode':
    case 'pi':
      return { written };
  }
}

const shortest = 64 * 1024;

function above(file: string, folders: number): string {
  return folders === 0 ? file : above(path.dirname(file), folders - 1);
}

async function beside(file: string, folders: number, name: string): Promise<string> {
  return (await readQuietly(path.join(above(file, folders), name), shortest)) ?? '';
}

function lineOf(text: string | undefined): string | undefined {
  return text?.trim() || undefined;
}

const longestLogs = 16 * 1024 * 1024;

/** Gemini lists what was typed beside its sessions: whatever is not in that list a script asked. */
export async function withAuthor(session: Session, { source, path: file }: SessionFile): Promise<Session> {
  if (source !== 'gemini-cli') return session;
  const logs = await readQuietly(path.join(above(file, 2), 'logs.json'), longestLogs);
  const by = logs !== undefined && typedGeminiSessions(logs).has(session.id) ? 'person' : 'program';
  return { ...session, exchanges: session.exchanges.map((exchange) => ({ ...exchange, by })) };
}
