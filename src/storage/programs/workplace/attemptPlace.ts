import { chmod, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { AgentEnd, AgentFolders, AgentStart, FoundProgram } from '../../../ports/agentPrograms.js';
import type { CanaryTouch, ChangedFile, FolderLeft, WorkEntry, WorkJudge, WorkTree } from '../../../ports/agentWork.js';
import type { ProgramResult } from '../../../ports/programs.js';
import type { LeftBehind, Workplace, WorkplacePlan, WorkRun } from '../../../ports/workplace.js';
import { agentEnvironment } from '../agentEnvironment.js';
import { leftIn } from '../agentPrograms.js';
import { lineReader } from '../lineReader.js';
import type { StartPlaces } from '../sandbox/messages.js';
import { plantedText, searchFor } from './canaries.js';
import { lookThrough } from './leftFiles.js';
import { judgesGit, ownGit, type OwnGit } from './ownGit.js';
import type { PlaceStart, StartAt } from './placeStart.js';
import { changesIn, layChanges } from './folderLeft.js';
import { foldersAbove, refuseDoubled, withoutLinksOut } from './insideTree.js';
import { filesToShow, isText, mostListed, shownDiff } from './shownDiff.js';
import { treeOf, writeTree } from './workTree.js';
import { isRealFolder, writeFiles } from './writeInside.js';

/** What one attempt is given. */
export interface PlaceParts {
  /** An empty folder that nobody else uses. */
  readonly folder: string;
  readonly plan: WorkplacePlan;
  readonly start: StartAt;
  /** Our own, of which an agent inherits by allow-list. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folders of the PATH that no workspace can put a program into. */
  readonly searched: readonly string[];
  readonly contained: boolean;
  /** Of what attempts started from before, by its hash: the same files make the same repository. */
  readonly repositories: Map<string, WorkTree>;
}

/**
 * The place of one attempt: the folders of the agent, beside them one for our git and one for each judge, each with a home
 * of its own. Only what is started there sees them, and only its own.
 */
export async function openPlace(parts: PlaceParts, signal: AbortSignal): Promise<Omit<Workplace, 'close'>> {
  const place = new AttemptPlace(parts);
  await place.prepare(signal);
  return place;
}

class AttemptPlace implements Omit<Workplace, 'close'> {
  readonly folders: AgentFolders;
  readonly #parts: PlaceParts;
  readonly #git: OwnGit;
  readonly #installed: ReadonlyMap<string, WorkEntry>;
  /** As often as each was asked for. */
  readonly #refused: string[] = [];
  readonly #carried = new Set<'file' | 'variable'>();
  #judges = 0;

  constructor(parts: PlaceParts) {
    const at = (name: string): string => path.join(parts.folder, name);
    this.#parts = parts;
    this.folders = { home: at('home'), work: at('work'), temporary: at('tmp') };
    this.#installed = new Map(startOf(parts.plan).map((each) => [each.path, each]));
    const git = { work: this.folders.work, home: at('git'), temporary: at('git-tmp') };
    const { start, searched, plan } = parts;
    this.#git = ownGit({ at: git, start, searched: searched.join(path.delimiter), fixture: plan.fixture });
  }

  async prepare(signal: AbortSignal): Promise<void> {
    const { folder, plan, repositories } = this.#parts;
    for (const name of ['home', 'work', 'tmp', 'git', 'git-tmp']) await mkdir(path.join(folder, name), { mode: 0o700 });
    const tree = treeOf([...this.#installed.values()]);
    await writeTree(tree, this.folders.work);
    const known = repositories.get(tree.hash);
    if (known === undefined) remember(repositories, tree.hash, await this.#git.commit(signal));
    else await this.#git.lay(known);
    const { canaries } = plan;
    if (canaries !== undefined) await writeFiles(this.folders.home, { [canaries.file.path]: plantedText(canaries) });
  }

  async run(run: WorkRun, signal: AbortSignal): Promise<AgentEnd> {
    signal.throwIfAborted();
    const start = run.start(this.folders);
    await writeFiles(this.folders.home, start.files ?? {});
    const readers = {
      output: lineReader((line) => run.onLine(line, 'output')),
      error: lineReader((line) => run.onLine(line, 'error')),
    };
    const tooLong = new AbortController();
    const asked: PlaceStart = {
      ...(await this.#agentStart(run, start)),
      onSaid: ({ from, chunk }) => {
        if (!readers[from].take(chunk)) tooLong.abort(new Error('a line is too long'));
      },
    };
    try {
      const result = await this.#parts.start(asked, AbortSignal.any([signal, tooLong.signal]));
      for (const reader of Object.values(readers)) reader.end();
      for (const told of result.told ?? []) run.onLine(told, 'error');
      return await this.#endOf(result, start.leaves ?? []);
    } catch (error) {
      signal.throwIfAborted();
      if (tooLong.signal.aborted) return { kind: 'output-too-large' };
      throw error;
    }
  }

  async #agentStart({ program, reach, outputLimitBytes }: WorkRun, start: AgentStart): Promise<PlaceStart> {
    const { canaries } = this.#parts.plan;
    const planted = canaries === undefined ? {} : { [canaries.variable.name]: canaries.variable.value };
    return {
      command: program.command,
      arguments: [...program.before, ...start.arguments],
      input: start.input,
      environment: { ...this.#environment(), ...planted, ...start.environment },
      reach: { ...reach, reads: [...(reach.reads ?? []), ...(await installedBeside(program))] },
      timeLimitMs: longestMs,
      outputLimitBytes,
      at: { ...this.folders, watched: canaries?.host, canaries },
      onRefused: (host) => this.#refused.push(host),
      onCarried: (canary) => this.#carried.add(canary),
    };
  }

  /** Where it is held, the sandbox says which way leads out. */
  #environment(): Readonly<Record<string, string>> {
    const { environment, searched, contained } = this.#parts;
    const own = agentEnvironment(environment, searched, this.folders);
    return contained ? Object.fromEntries(Object.entries(own).filter(([name]) => !outwards.test(name))) : own;
  }

  /** What the sandbox ended took too much, as what writes too much does: it is the agent's doing, and no failed start. */
  async #endOf(result: ProgramResult, leaves: readonly string[]): Promise<AgentEnd> {
    if (result.told?.some((sentence) => sentence.startsWith(endedBySandbox)) === true)
      return { kind: 'output-too-large' };
    switch (result.kind) {
      case 'exited':
        return { kind: 'exited', code: result.code, left: await leftIn(this.folders.home, leaves) };
      case 'timed-out':
        return { kind: 'not-started', reason: 'it ran for longer than a day' };
      case 'output-too-large':
        return { kind: 'output-too-large' };
      case 'not-started':
        return { kind: 'not-started', reason: result.reason };
    }
  }

  async left(said: readonly string[], signal: AbortSignal): Promise<LeftBehind> {
    const { canaries } = this.#parts.plan;
    const search = canaries && searchFor(canaries);
    const planted = canaries && { path: canaries.file.path, text: plantedText(canaries) };
    if (await isRealFolder(this.folders.work)) await chmod(this.folders.work, 0o700); // an agent may have closed it
    const found = await lookThrough({ ...this.folders, before: this.#installed, planted, search }, signal);
    const shown = filesToShow(found.changed);
    const paths = (change: ChangedFile['change'], isShown = true): readonly string[] =>
      found.changed.filter((file) => file.change === change && shown.has(file) === isShown).map((file) => file.path);
    const unshown = paths('added', false).filter(isText);
    const asked = { added: paths('added'), changed: paths('changed'), deleted: paths('deleted'), unshown };
    const diff = await this.#git.diff(asked, signal);
    const touched = [
      ...touches('transcript', search?.inText(said.join('\n\n')) ?? []),
      ...touches('diff', search?.inText(diff.text) ?? []),
      ...touches('files', [...found.touched]),
      ...touches('request', [...this.#carried]),
      ...this.#refused.flatMap((host) => (host === canaries?.host.toLowerCase() ? [connection] : [])),
    ].toSorted((a, b) => order.indexOf(a.canary) - order.indexOf(b.canary));
    const changed = found.changed.filter(({ path: name }) => !diff.ignored.has(name));
    const { text, notShown } = shownDiff(diff, changed);
    return {
      diff: text,
      notShown,
      changed: changed.slice(0, mostListed).map(({ path: name, change }) => ({ path: name, change })),
      touched,
      refusedHosts: [...new Set(this.#refused)],
      tooMuch: found.tooMuch,
    };
  }

  changes(signal: AbortSignal): Promise<FolderLeft | undefined> {
    return changesIn(this.folders.work, this.#installed, signal);
  }

  take(left: FolderLeft): Promise<void> {
    return layChanges(left, this.folders.work, this.#installed);
  }

  async judge(
    { command, arguments: words, timeLimitMs, brings }: WorkJudge,
    signal: AbortSignal,
  ): Promise<ProgramResult> {
    signal.throwIfAborted();
    const { work } = this.folders;
    if (this.#judges === 0) await this.#git.restore();
    if (brings !== undefined) await writeTree(brings, work);
    this.#judges += 1;
    const own = path.join(this.#parts.folder, `judge-${this.#judges}`);
    const at: StartPlaces = { work, home: path.join(own, 'home'), temporary: path.join(own, 'tmp') };
    for (const place of [own, at.home, at.temporary]) await mkdir(place, { mode: 0o700 });
    const apart = await layApart(brings, path.join(at.temporary, 'judge'));
    const environment = { ...this.#environment(), ...judgesGit(work), ...apart, HOME: at.home, TMPDIR: at.temporary };
    const start = {
      command,
      arguments: words,
      input: '',
      timeLimitMs,
      outputLimitBytes: judgeOutputBytes,
      environment,
      at,
    };
    return this.#parts.start(start, signal);
  }
}

/** The same files once more where nothing of the agent's lies beside them. */
async function layApart(brings: WorkTree | undefined, place: string): Promise<Readonly<Record<string, string>>> {
  if (brings === undefined) return {};
  await mkdir(place, { mode: 0o700 });
  await writeTree(brings, place);
  return { JUDGE: place };
}

const mostRepositories = 8; // an arm without the skill, one with it, and the next candidates, of a few fixtures

function remember(repositories: Map<string, WorkTree>, hash: string, repository: WorkTree): void {
  const [oldest] = repositories.keys();
  if (oldest !== undefined && repositories.size >= mostRepositories) repositories.delete(oldest);
  repositories.set(hash, repository);
}

const endedBySandbox = 'The sandbox ended it';
const longestMs = 24 * 60 * 60_000; // whoever started it ends it sooner
const judgeOutputBytes = 1024 * 1024;
const outwards = /^(?:https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir))$/iu;

const order = ['file', 'variable', 'host'];

function touches(seenIn: CanaryTouch['seenIn'], kinds: readonly ('file' | 'variable')[]): readonly CanaryTouch[] {
  return kinds.map((canary) => ({ canary, seenIn }));
}

const connection: CanaryTouch = { canary: 'host', seenIn: 'connection' };

/**
 * The fixture with the skill in it. The skill is never installed through a link: what the fixture has in the place of a
 * folder on the way to it is left out, in the arm without the skill as well.
 */
function startOf(plan: WorkplacePlan): readonly WorkEntry[] {
  const { fixture, skillsFolder, skill } = plan;
  const own = path.posix.join(skillsFolder, skill?.name ?? '*');
  const way = new Set(foldersAbove(own));
  const kept = fixture.entries.filter(({ path: name }) => !way.has(name) && !`${name}/`.startsWith(`${own}/`));
  const entries = [...kept, ...installedSkill(plan)];
  refuseDoubled(entries);
  return withoutLinksOut(entries);
}

function installedSkill({ skill, skillsFolder }: WorkplacePlan): readonly WorkEntry[] {
  if (skill === undefined) return [];
  return skill.files.entries.map((entry) => ({
    ...entry,
    path: path.posix.join(skillsFolder, skill.name, entry.path),
  }));
}

/** Where a program was installed by npm, what it needs lies in other packages beside it. */
async function installedBeside({ command, before }: FoundProgram): Promise<readonly string[]> {
  const files = [command, ...before].filter((file) => path.isAbsolute(file));
  const real = await Promise.all(files.map((file) => realpath(file).catch(() => file)));
  const packages = [...files, ...real].flatMap((file) => /^.*?\/node_modules(?=\/)/u.exec(file)?.[0] ?? []);
  const scripts = before.filter((file) => path.isAbsolute(file));
  return [...new Set([...packages, ...scripts])];
}
