import path from 'node:path';
import { sha256 } from '../../hash.js';
import { folderOfCursorProject } from '../../harvest/readers/cursorAgent.js';
import { geminiProjects, typedGeminiSessions } from '../../harvest/readers/geminiCli.js';
import { foldersOfWorkspaceFile, vscodeWorkspaceOf } from '../../harvest/readers/vscodeWorkspace.js';
import { isShare } from '../../harvest/scope.js';
import type { Session, SessionPlace } from '../../harvest/session.js';
import { readQuietly } from './quietFile.js';
import type { SessionFile } from './sessionFiles.js';

/**
 * What the place of a session file tells, by its name and by the files that its program keeps beside it. `folders`: those
 * that are known, for programs that tell no more of a folder than the hash of its path.
 */
export async function placeOfSession(
  { source, path: file, modified }: SessionFile,
  folders: readonly string[],
): Promise<SessionPlace> {
  const id = path.basename(file).replace(/\.jsonl?$/u, '');
  const written = modified;
  switch (source) {
    case 'claude-code':
      return { id, written, isSubAgent: id.startsWith('agent-') };
    case 'copilot-cli':
      return { id: path.basename(path.dirname(file)), written };
    case 'gemini-cli':
      return { written, ...(await geminiFolder(file, folders)) };
    case 'vscode-chat':
      return { id, written, ...(await vscodeFolder(file)) };
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

/** Of a folder that was used with newer releases too, the list of projects has the path. */
async function geminiFolder(
  file: string,
  folders: readonly string[],
): Promise<Pick<SessionPlace, 'folder' | 'folderOfHash'>> {
  const root = lineOf(await beside(file, 2, '.project_root'));
  if (root !== undefined) return { folder: root };
  const projects = geminiProjects(await beside(file, 4, 'projects.json'));
  const known = [...folders, ...projects.values()];
  return {
    folder: projects.get(path.basename(above(file, 2))),
    folderOfHash: (hash) => known.find((folder) => sha256(folder) === hash),
  };
}

/** A window without a folder has none, and nothing tells what one of several folders was talked about. */
async function vscodeFolder(file: string): Promise<Pick<SessionPlace, 'folder' | 'alsoIn'>> {
  const open = vscodeWorkspaceOf(await beside(file, 2, 'workspace.json'));
  if (open?.kind !== 'file') return { folder: open?.path };
  if (isShare(open.path)) return {}; // to look would be to ask another machine
  const [folder, ...alsoIn] = foldersOfWorkspaceFile((await readQuietly(open.path, shortest)) ?? '', open.path);
  return { folder, alsoIn };
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
