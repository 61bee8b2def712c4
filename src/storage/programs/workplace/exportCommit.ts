import path from 'node:path';
import { UserError } from '../../../errors.js';
import { mayRun } from '../../../mayRun.js';
import type { WorkTree } from '../../../ports/agentWork.js';
import { foldersOfPath, searchedFolders } from '../../../searchedFolders.js';
import { runProcess } from '../runProcess.js';
import { leftOut } from '../throwAwayCopy.js';
import { foreignPlace, type MayRead } from './foreignPlace.js';
import { refuseDoubled, withoutLinksOut } from './insideTree.js';
import { refuseTooLarge, takeEntries, treeOf } from './workTree.js';

/** A commit of a repository of the person's. */
export interface CommitToExport {
  /** A folder of it. */
  readonly repository: string;
  /** All 40 digits. */
  readonly commit: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folders of the workspace: no git of theirs is started. */
  readonly workspace: readonly string[];
  /** Whether it may be handed out, by where it and what it borrows from really lie. */
  readonly mayRead: MayRead;
}

/**
 * The files of a commit, without history. git only reads out what it stored, by commands that run no hook and no filter
 * and write nothing; it is told of no settings but the repository's own, and fetches nothing that is missing.
 */
export async function exportCommit(asked: CommitToExport, signal: AbortSignal): Promise<WorkTree> {
  const { repository, commit } = asked;
  if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u.test(commit))
    throw refused(`“${commit}” is no whole name of a commit.`, 'Write all of its 40 digits: git rev-parse HEAD');
  const git = await findGit(asked);
  const read = async (words: readonly string[], input = ''): Promise<Buffer> => {
    const { code, output, errors } = await outputOf({ git, words: ['-C', repository, ...words], input }, signal);
    if (code === 0) return output;
    const why = errors.trim().split('\n').at(-1) ?? '';
    throw refused(
      `The commit ${commit} of ${repository} could not be read: ${why}`,
      'Name a commit that is there: git log',
    );
  };
  const own = (await read(['rev-parse', '--absolute-git-dir'])).toString('utf8').replace(/\n$/u, '');
  const foreign = await foreignPlace(own, asked.mayRead);
  // A task file that came with a clone must not hand another repository of this machine to an agent.
  if (foreign !== undefined)
    throw new UserError(
      'environment-refused',
      `The repository ${repository} is kept at ${foreign}, which lies outside of the workspace.`,
      'Name a repository in the workspace, or the one that the skill lies in.',
    );
  const listed = listedFiles(await read(['ls-tree', '-r', '-l', '-z', '--full-tree', commit]));
  const bytes = listed.reduce((sum, { size }) => sum + size, 0);
  refuseTooLarge(commit, { files: listed.length, bytes });
  const contents = await read(['cat-file', '--batch'], listed.map(({ id }) => `${id}\n`).join(''));
  return treeFrom(listed, contents, commit);
}

/** The commit that a folder's repository stands at; undefined where there is none, or no git to ask. */
export async function currentCommit(
  asked: Omit<CommitToExport, 'commit' | 'mayRead'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const git = await findGit(asked).catch(() => undefined);
  if (git === undefined) return undefined;
  const words = ['-C', asked.repository, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  const { code, output } = await outputOf({ git, words, input: '' }, signal);
  return code === 0 ? output.toString('latin1').trim() : undefined;
}

/** What git says of a commit. */
export type KnownCommit =
  | ({ readonly kind: 'known' } & Pick<CommitToExport, 'repository' | 'commit'>)
  /** It is not there, or more than one begins so. */
  | { readonly kind: 'gone' }
  /** git is not there, could not be started, or was ended before it answered: that says nothing of the commit. */
  | { readonly kind: 'not-asked' };

/**
 * The commit that begins with these digits in a folder's repository, and where that lies. A branch or a tag of that name
 * is none: whoever made it could let it mean any commit.
 */
export async function knownCommit(asked: Omit<CommitToExport, 'mayRead'>, signal: AbortSignal): Promise<KnownCommit> {
  if (!/^[0-9a-f]{7,64}$/u.test(asked.commit)) return { kind: 'gone' };
  const git = await findGit(asked).catch(() => undefined);
  if (git === undefined) return { kind: 'not-asked' };
  const ask = (words: readonly string[]): Promise<GitOutput> =>
    outputOf({ git, words: ['-C', asked.repository, ...words], input: '' }, signal);
  const found = await ask(['rev-parse', '--verify', '--quiet', `${asked.commit}^{commit}`]);
  if (!found.isAnswer) return { kind: 'not-asked' };
  const commit = lineOf(found);
  if (found.code !== 0 || !commit.startsWith(asked.commit)) return { kind: 'gone' };
  const top = await ask(['rev-parse', '--show-toplevel']);
  if (!top.isAnswer) return { kind: 'not-asked' };
  return top.code === 0 ? { kind: 'known', repository: lineOf(top), commit } : { kind: 'gone' };
}

function lineOf({ output }: GitOutput): string {
  return output.toString('utf8').replace(/\n$/u, '');
}

function refused(what: string, cure: string): UserError {
  return new UserError('tasks-malformed', what, cure);
}

async function findGit({ environment, workspace }: Omit<CommitToExport, 'commit' | 'mayRead'>): Promise<string> {
  for (const folder of await searchedFolders(foldersOfPath(environment), workspace)) {
    const place = path.join(folder, process.platform === 'win32' ? 'git.exe' : 'git');
    if (await mayRun(place)) return place;
  }
  throw refused('There is no git on this machine to read a commit with.', 'Install git, or name a folder instead.');
}

const lastOfItsOwn = 128; // codes of git; above it a signal ended the process
const timeLimitMs = 120_000;
const outputLimitBytes = 160 * 1024 * 1024; // names and sizes of the files beside their bytes

const settings = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'protocol.allow=never', 'safe.directory=*'];

interface GitOutput {
  /** False where it could not be started, or something ended it before it was done. */
  readonly isAnswer: boolean;
  readonly code: number;
  readonly output: Buffer;
  readonly errors: string;
}

async function outputOf(
  { git, words, input }: { readonly git: string; readonly words: readonly string[]; readonly input: string },
  signal: AbortSignal,
): Promise<GitOutput> {
  const chunks = { output: [] as Buffer[], error: [] as Buffer[] };
  const result = await runProcess(
    {
      command: git,
      arguments: [...settings.flatMap((setting) => ['-c', setting]), '--no-pager', ...words],
      cwd: '/',
      env: {
        ...(process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {}),
        LC_ALL: 'C',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_NO_LAZY_FETCH: '1',
        GIT_ALLOW_PROTOCOL: 'none',
        GIT_NO_REPLACE_OBJECTS: '1',
        GIT_OPTIONAL_LOCKS: '0',
        GIT_TERMINAL_PROMPT: '0',
      },
      input,
      timeLimitMs,
      outputLimitBytes,
      onData: (chunk, from) => chunks[from].push(chunk),
    },
    signal,
  );
  const errors = result.kind === 'not-started' ? result.reason : Buffer.concat(chunks.error).toString('utf8');
  const code = result.kind === 'exited' ? result.code : -1;
  return { isAnswer: code >= 0 && code <= lastOfItsOwn, code, output: Buffer.concat(chunks.output), errors };
}

interface ListedFile {
  readonly mode: string;
  readonly id: string;
  readonly size: number;
  readonly path: string;
}

/** Without repositories in it: those are other commits. */
function listedFiles(output: Buffer): readonly ListedFile[] {
  const lines = output.toString('utf8').split('\0');
  return lines.flatMap((line) => {
    const [, mode = '', kind, id = '', size = '0', name = ''] =
      /^(\d+) (\w+) ([0-9a-f]+)\s+(\d+|-)\t(.*)$/su.exec(line) ?? [];
    if (name.includes('\uFFFD'))
      throw refused(`The name ${name} is no UTF-8.`, 'Name a commit in which it has another.');
    const isLeftOut = name.split('/').some((part) => leftOut.has(part.toLowerCase()));
    return kind !== 'blob' || isLeftOut ? [] : [{ mode, id, size: Number(size), path: name }];
  });
}

/** `cat-file` gives each as a line with its size, its bytes and a line break, in the order in which they were asked for. */
function treeFrom(listed: readonly ListedFile[], contents: Buffer, commit: string): WorkTree {
  const taken = takeEntries(commit);
  let at = 0;
  for (const { mode, id, size, path: name } of listed) {
    const head = contents.subarray(at, contents.indexOf(10, at)).toString('latin1');
    if (head !== `${id} blob ${size}`)
      throw refused(`The commit ${commit} is not whole here: ${name} is missing.`, 'Fetch it whole: git fetch');
    at += head.length + 1;
    const bytes = Buffer.from(contents.subarray(at, at + size));
    at += size + 1;
    if (mode === '120000') taken.take({ kind: 'link', path: name, to: bytes.toString('utf8') });
    else taken.take({ kind: 'file', path: name, bytes, executable: mode === '100755' });
  }
  refuseDoubled(taken.entries);
  return treeOf(withoutLinksOut(taken.entries));
}
