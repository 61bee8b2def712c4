import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../../errors.js';
import type { WorkTree } from '../../../ports/agentWork.js';
import type { ProgramResult } from '../../../ports/programs.js';
import { readPlainFile } from '../readPlainFile.js';
import type { StartPlaces } from '../sandbox/messages.js';
import { foldersAbove } from './insideTree.js';
import type { PlaceStart, StartAt } from './placeStart.js';
import { treeOf, treeOfFolder, writeTree } from './workTree.js';
import { isRealFolder } from './writeInside.js';

/**
 * git in a work folder: one commit of ours before the agent, the difference after it. An agent can write hooks and settings
 * of the repository that it works in, so that whoever runs git there runs what the agent likes; ours has a copy of the
 * repository that the agent never saw, and is held as the agent was, without network.
 */
export interface OwnGit {
  /** Makes the repository of the work folder, with all that lies there in one commit; gives it as files. */
  commit(signal: AbortSignal): Promise<WorkTree>;
  /** Lays down the repository of the same files that was made before, without a start of git. */
  lay(repository: WorkTree): Promise<void>;
  /** Puts that repository, as it was, in place of whatever the agent left where git looks for one. */
  restore(): Promise<void>;
  /** The difference to that commit, of these paths; those that the fixture's own rules ignore are left out, and told. */
  diff(paths: DiffPaths, signal: AbortSignal): Promise<GitDiff>;
}

export interface GitDiff {
  readonly text: string;
  /** Whether git came to its end; else the text says why not. */
  readonly isWhole: boolean;
  /** Paths whose lines are in the text: what git takes for binary is not. */
  readonly shown: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
}

interface DiffPaths {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  /** Added ones that are not shown, and may be ignored all the same. */
  readonly unshown: readonly string[];
}

/** Where it is started: `home` is a folder of ours, and holds our copy of the repository. */
interface GitPlaces {
  readonly at: StartPlaces;
  readonly start: StartAt;
  /** The PATH. */
  readonly searched: string;
  /** What the work starts from: its rules about ignored files hold, not those that the agent writes. */
  readonly fixture: WorkTree;
}

const timeLimitMs = 120_000;
const outputLimitBytes = 16 * 1024 * 1024;

export function ownGit({ at, start, searched, fixture }: GitPlaces): OwnGit {
  const inShell = (script: string): PlaceStart => ({
    command: '/bin/sh',
    arguments: ['-c', script],
    input: '',
    timeLimitMs,
    outputLimitBytes,
    environment: { ...environment, PATH: searched },
    at,
  });
  const place = (name: string): string => path.join(at.home, name);
  let made: WorkTree | undefined;
  return {
    async commit(signal) {
      const result = await start(inShell(committing), signal);
      if (result.kind !== 'exited' || result.code !== 0) throw notMade('The first commit', result);
      made = await treeOfFolder(place('base.git'), signal);
      return made;
    },
    async restore() {
      if (made === undefined) throw new Error('There is no repository to put back.');
      if (!(await isRealFolder(at.work))) return;
      await setAside(fixture, at.work, place('aside'));
      await mkdir(path.join(at.work, '.git'));
      await writeTree(made, path.join(at.work, '.git'));
    },
    async lay(repository) {
      made = repository;
      for (const folder of [place('base.git'), path.join(at.work, '.git')]) {
        await mkdir(folder);
        await writeTree(repository, folder);
      }
    },
    async diff({ added, changed, deleted, unshown }, signal) {
      const rules = fixture.entries.filter(
        ({ kind, path: name }) => kind === 'file' && path.posix.basename(name) === '.gitignore', // git follows no link to one
      );
      await mkdir(place('rules'), { recursive: true });
      await writeTree(treeOf(rules), place('rules'));
      await writeFile(place('new'), listed([...added, ...unshown]));
      await writeFile(place('there'), listed([...added, ...changed]));
      await writeFile(place('gone'), listed(deleted));
      const result = await start(inShell(comparing), signal);
      if (result.kind === 'not-started') throw notMade('The difference', result);
      return toldOf(result, (name) => readPlainFile(place(name), outputLimitBytes));
    },
  };
}

/** Whatever the agent did to the end that there is no difference, it is judged all the same. */
async function toldOf(result: ProgramResult, read: (name: string) => Promise<string | undefined>): Promise<GitDiff> {
  const listOf = async (name: string): Promise<readonly string[]> =>
    ((await read(name)) ?? '').split('\0').filter(Boolean);
  const isWhole = result.kind === 'exited' && result.code === 0;
  const text = isWhole ? result.output : `${notMade('The difference', result).message}\n`;
  const counts = isWhole ? await listOf('counts') : [];
  const shown = counts.flatMap((line) => /^\d+\t\d+\t(.*)$/su.exec(line)?.[1] ?? []);
  return { text, isWhole, shown: new Set(shown), ignored: new Set(await listOf('ignored')) };
}

/**
 * Moves away every `.git` in the work folder and in the folders of the fixture: in each of them git would take settings, and
 * programs to run, from what the agent wrote. No link is followed.
 */
async function setAside({ entries }: WorkTree, work: string, aside: string): Promise<void> {
  await mkdir(aside);
  const real = new Set<string>();
  const folders = new Set(['', ...entries.flatMap((entry) => foldersAbove(entry.path))]);
  for (const folder of [...folders].toSorted()) {
    const place = path.join(work, folder);
    const isReached = folder === '' || (real.has('') && foldersAbove(folder).every((above) => real.has(above)));
    if (!isReached || !(await isRealFolder(place))) continue;
    real.add(folder);
    await chmod(place, 0o700);
    const own = path.join(place, '.git');
    if (await isRealFolder(own)) await chmod(own, 0o700); // else it could not be moved
    await rename(own, path.join(aside, String(real.size))).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

function listed(names: readonly string[]): string {
  return names.map((name) => `${name}\0`).join('');
}

function notMade(what: string, result: ProgramResult): Error {
  const said =
    result.kind === 'exited' ? result.errorOutput : result.kind === 'not-started' ? result.reason : result.kind;
  const why = said.trim().split('\n').at(-1) ?? '';
  if (result.kind === 'exited' && result.code === 127)
    return new UserError(
      'environment-refused',
      `An agent’s work is kept by git, which is not there: ${why}`,
      'Install git.',
    );
  return new Error(`${what} of an agent’s work folder could not be made: ${why}`);
}

/** For a judge that asks git: the agent's settings of a repository below the work folder start nothing, nor is one above found. */
export function judgesGit(work: string): Readonly<Record<string, string>> {
  const own = { 'safe.bareRepository': 'explicit', 'core.fsmonitor': 'false' };
  return { GIT_CEILING_DIRECTORIES: path.dirname(work), ...settings(own) };
}

/** Settings that stand above those of any file. */
function settings(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const all = Object.entries(given);
  const each = all.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(all.length), ...Object.fromEntries(each) };
}

/** Of nobody, at no time: equal files make equal commits. */
const environment = {
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  ...settings({ 'core.quotePath': 'false', 'core.protectNTFS': 'false', 'core.protectHFS': 'false' }),
  GIT_AUTHOR_NAME: 'Whetstone',
  GIT_AUTHOR_EMAIL: 'whetstone@localhost',
  GIT_AUTHOR_DATE: '2024-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'Whetstone',
  GIT_COMMITTER_EMAIL: 'whetstone@localhost',
  GIT_COMMITTER_DATE: '2024-01-01T00:00:00Z',
};

/** What tools leave behind by the way, whether or not the fixture says so. */
const byTheWay = ['node_modules/', '__pycache__/', '*.pyc', '.pytest_cache/', '.venv/'];

/** Every byte as it is: no file of the work folder says what is shown, or how. */
const attributes = '* !diff !text !eol !filter !ident !working-tree-encoding !export-ignore';

const config = '[user]\\n\\tname = Agent\\n\\temail = agent@localhost\\n[gc]\\n\\tauto = 0\\n';

const committing = `set -e
git init -q --template= .
echo 'ref: refs/heads/main' > .git/HEAD
printf '${config}' >> .git/config
mkdir -p .git/info
printf '%s\\n' ${byTheWay.map((rule) => `'${rule}'`).join(' ')} > .git/info/exclude
echo '${attributes}' > .git/info/attributes
git add -A -f .
git commit -q --allow-empty --no-verify -m 'Start'
git repack -a -d -q
cp -R .git "$HOME/base.git"`;

/** A name that git refuses keeps no other from being shown; what was replaced by a link is not looked for behind it. */
const comparing = `set -e
work="$PWD"; export GIT_DIR="$HOME/base.git"
cd "$HOME/rules"
GIT_WORK_TREE="$HOME/rules" git check-ignore --no-index -z --stdin < "$HOME/new" > "$HOME/ignored" || [ $? -eq 1 ]
cd "$work"; export GIT_WORK_TREE="$work"
git update-index -z --force-remove --stdin < "$HOME/gone"
git update-index -z --add --remove --replace --stdin < "$HOME/there" ||
  xargs -0 -n 1 git update-index --add --remove --replace -- < "$HOME/there" || true
git update-index -z --force-remove --stdin < "$HOME/ignored"
shown() { git --no-pager diff --cached --no-ext-diff --no-textconv --no-color --no-renames --src-prefix=a/ --dst-prefix=b/ "$@" HEAD; }
shown --numstat -z > "$HOME/counts"
shown`;
