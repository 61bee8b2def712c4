import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../../errors.js';
import type { WorkTree } from '../../../ports/agentWork.js';
import type { ProgramResult } from '../../../ports/programs.js';
import { readPlainFile } from '../readPlainFile.js';
import type { StartPlaces } from '../sandbox/messages.js';
import type { PlaceStart, StartAt } from './placeStart.js';
import { treeOf, treeOfFolder, writeTree } from './workTree.js';

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
  /** The difference to that commit, of these paths; those that the fixture's own rules ignore are left out, and told. */
  diff(
    paths: DiffPaths,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly ignored: ReadonlySet<string> }>;
}

interface DiffPaths {
  readonly added: readonly string[];
  readonly others: readonly string[];
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
  return {
    async commit(signal) {
      const result = await start(inShell(committing), signal);
      if (result.kind !== 'exited' || result.code !== 0) throw notMade('The first commit', result);
      return treeOfFolder(place('base.git'), signal);
    },
    async lay(repository) {
      for (const folder of [place('base.git'), path.join(at.work, '.git')]) {
        await mkdir(folder);
        await writeTree(repository, folder);
      }
    },
    async diff({ added, others, unshown }, signal) {
      const rules = fixture.entries.filter(
        ({ kind, path: name }) => kind === 'file' && path.posix.basename(name) === '.gitignore', // git follows no link to one
      );
      await mkdir(place('rules'), { recursive: true });
      await writeTree(treeOf(rules), place('rules'));
      await writeFile(place('new'), listed([...added, ...unshown]));
      await writeFile(place('shown'), listed([...added, ...others]));
      const result = await start(inShell(comparing), signal);
      if (result.kind === 'not-started') throw notMade('The difference', result);
      const isWhole = result.kind === 'exited' && result.code === 0;
      const ignored = (await readPlainFile(place('ignored'), outputLimitBytes)) ?? '';
      // Whatever the agent did to that end, it is judged all the same.
      const text = isWhole ? result.output : `${notMade('The difference', result).message}\n`;
      return { text, ignored: new Set(ignored.split('\0').filter(Boolean)) };
    },
  };
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

/** Of nobody, at no time: equal files make equal commits. */
const environment = {
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
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

const comparing = `set -e
work="$PWD"; export GIT_DIR="$HOME/base.git"
cd "$HOME/rules"
GIT_WORK_TREE="$HOME/rules" git check-ignore --no-index -z --stdin < "$HOME/new" > "$HOME/ignored" || [ $? -eq 1 ]
cd "$work"; export GIT_WORK_TREE="$work"
git update-index -z --add --remove --replace --stdin < "$HOME/shown"
git update-index -z --force-remove --stdin < "$HOME/ignored"
exec git --no-pager diff --cached --no-ext-diff --no-textconv --no-color --no-renames --src-prefix=a/ --dst-prefix=b/ HEAD`;
