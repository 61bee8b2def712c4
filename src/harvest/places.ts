import path from 'node:path';
import type { HarvestSource } from './session.js';

/** Whose sessions they are. */
export interface HarvestPerson {
  readonly platform: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Where a source keeps sessions, whether or not it is there. */
export interface HarvestPlace {
  readonly source: HarvestSource;
  readonly folder: string;
  /** Names beneath the folder, a folder each but the last; a star stands for any signs of one name. */
  readonly files: readonly string[];
  readonly form: 'lines' | 'object' | 'database';
}

export function placesOf(person: HarvestPerson): readonly HarvestPlace[] {
  const own = person.platform === 'win32' ? path.win32 : path.posix;
  const join = (...names: readonly string[]): string => own.join(...names);
  const named = (variable: string): string | undefined => person.environment[variable] || undefined;
  const at = (...names: readonly string[]): string => join(person.home, ...names);
  const codex = named('CODEX_HOME') ?? at('.codex');
  const gemini = join(named('GEMINI_CLI_HOME') ?? person.home, '.gemini', 'tmp');
  const pi =
    named('PI_CODING_AGENT_SESSION_DIR') ?? join(named('PI_CODING_AGENT_DIR') ?? at('.pi', 'agent'), 'sessions');
  const claude = join(named('CLAUDE_CONFIG_DIR') ?? at('.claude'), 'projects');
  const copilot = join(named('COPILOT_HOME') ?? at('.copilot'), 'session-state');
  return [
    { source: 'claude-code', folder: claude, files: ['*', '*.jsonl'], form: 'lines' },
    { source: 'codex', folder: join(codex, 'sessions'), files: ['*', '*', '*', 'rollout-*.jsonl'], form: 'lines' },
    { source: 'codex', folder: join(codex, 'archived_sessions'), files: ['rollout-*.jsonl'], form: 'lines' },
    { source: 'copilot-cli', folder: copilot, files: ['*', 'events.jsonl'], form: 'lines' },
    { source: 'gemini-cli', folder: gemini, files: ['*', 'chats', 'session-*.jsonl'], form: 'lines' },
    { source: 'gemini-cli', folder: gemini, files: ['*', 'chats', 'session-*.json'], form: 'object' },
    opencodePlace(person),
    ...vscodeFolders(person).flatMap((user) => vscodePlaces(user, join)),
    {
      source: 'cursor-agent',
      folder: at('.cursor', 'projects'),
      files: ['*', 'agent-transcripts', '*', '*.jsonl'],
      form: 'lines',
    },
    { source: 'pi', folder: pi, files: ['*', '*.jsonl'], form: 'lines' },
  ];
}

/** It keeps to the same folders on every system. */
function opencodePlace({ platform, home, environment }: HarvestPerson): HarvestPlace {
  const own = platform === 'win32' ? path.win32 : path.posix;
  const data = own.join(environment['XDG_DATA_HOME'] || own.join(home, '.local', 'share'), 'opencode');
  const database = own.resolve('/', data, environment['OPENCODE_DB'] || 'opencode.db');
  return { source: 'opencode', folder: own.dirname(database), files: [own.basename(database)], form: 'database' };
}

/** The folders of a person's settings: stable, Insiders, and a portable one, which has its place in the environment. */
export function vscodeFolders({ platform, home, environment }: HarvestPerson): readonly string[] {
  const own = platform === 'win32' ? path.win32 : path.posix;
  const portable = environment['VSCODE_PORTABLE'];
  const settings =
    platform === 'win32'
      ? environment['APPDATA'] || own.join(home, 'AppData', 'Roaming')
      : platform === 'darwin'
        ? own.join(home, 'Library', 'Application Support')
        : environment['XDG_CONFIG_HOME'] || own.join(home, '.config');
  return [
    ...['Code', 'Code - Insiders'].map((name) => own.join(settings, name, 'User')),
    ...(portable ? [own.join(portable, 'user-data', 'User')] : []),
  ];
}

function vscodePlaces(user: string, join: (...names: readonly string[]) => string): readonly HarvestPlace[] {
  const [source, workspaces] = ['vscode-chat' as const, join(user, 'workspaceStorage')];
  const windows = join(user, 'globalStorage', 'emptyWindowChatSessions');
  return [
    { source, folder: workspaces, files: ['*', 'chatSessions', '*.jsonl'], form: 'lines' },
    { source, folder: workspaces, files: ['*', 'chatSessions', '*.json'], form: 'object' },
    { source, folder: windows, files: ['*.jsonl'], form: 'lines' },
    { source, folder: windows, files: ['*.json'], form: 'object' },
  ];
}

/** Where the agents look for skills that a person has for all folders; each skill is a folder there. */
export function skillFoldersOf(person: HarvestPerson): readonly string[] {
  const own = person.platform === 'win32' ? path.win32 : path.posix;
  const named = (variable: string, ...usual: readonly string[]): string =>
    person.environment[variable] || own.join(person.home, ...usual);
  return [
    named('CLAUDE_CONFIG_DIR', '.claude'),
    own.join(person.home, '.agents'),
    named('CODEX_HOME', '.codex'),
    named('COPILOT_HOME', '.copilot'),
    own.join(named('GEMINI_CLI_HOME'), '.gemini'),
    own.join(named('XDG_CONFIG_HOME', '.config'), 'opencode'),
    own.join(person.home, '.cursor'),
    named('PI_CODING_AGENT_DIR', '.pi', 'agent'),
  ].map((folder) => own.join(folder, 'skills'));
}
