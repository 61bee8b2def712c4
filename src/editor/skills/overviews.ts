import * as vscode from 'vscode';
import type { LiveRun } from '../run/progressMessage.js';
import type { UsageMap } from '../../app/harvest/usageMap.js';
import type { UseCases } from '../../app/useCases.js';
import type { SkillOverview } from '../../app/results/overview.js';
import type { RememberedNights } from '../tree/nightNodes.js';
import { watchSkillFiles } from './watchSkillFiles.js';
import { requestFor, type UseCasesSource } from '../workbench.js';

const pollMs = 2_000;

type Look = ReturnType<UseCases['readMany']>;

/** What views know of each skill: read when first asked, read again when its files change, live while a run goes on. */
export class Overviews implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<string | undefined>();
  /** With the path of the skill that changed, or undefined where any may have. */
  readonly onDidChange = this.#changed.event;
  readonly #useCases: UseCasesSource;
  readonly #known = new Map<string, Promise<SkillOverview>>();
  readonly #running = new Map<string, LiveRun>();
  readonly #disposables: vscode.Disposable[] = [this.#changed];
  #watching = false;
  #look: Promise<Look> | undefined;
  #nights: Promise<RememberedNights> | undefined;
  #usage: Promise<UsageMap | undefined> | undefined;

  constructor(useCases: UseCasesSource) {
    this.#useCases = useCases;
  }

  async of(skillPath: string): Promise<SkillOverview> {
    this.#watch();
    const known = this.#known.get(skillPath) ?? this.#read(skillPath);
    this.#known.set(skillPath, known);
    return known;
  }

  /** What was adopted of a skill that cannot be looked at: its file holds no skill by now. */
  async historyOf(skillPath: string): Promise<SkillOverview['history']> {
    return (await this.#useCases()).history(requestFor(skillPath));
  }

  /** What is remembered of the nights of the open folders, whoever started them. */
  nights(): Promise<RememberedNights> {
    return (this.#nights ??= this.#readNights());
  }

  /** Which skills agents used, as it was last counted for the open folders; undefined where it never was. */
  usage(): Promise<UsageMap | undefined> {
    return (this.#usage ??= this.#readUsage());
  }

  /** The run that works on a skill right now in this window, if one does. */
  running(skillPath: string): LiveRun | undefined {
    return this.#running.get(skillPath);
  }

  /** Whether a run works on any skill. */
  get anyRunning(): boolean {
    return this.#running.size > 0;
  }

  showRun(skillPath: string, run: LiveRun | undefined): void {
    if (run === undefined) this.#running.delete(skillPath);
    else this.#running.set(skillPath, run);
    this.#changed.fire(skillPath);
  }

  /** Forgets what was read of one skill, or of all. */
  refresh(skillPath?: string): void {
    if (skillPath === undefined) this.#known.clear();
    else this.#known.delete(skillPath);
    this.#nights = undefined;
    this.#usage = undefined;
    this.#changed.fire(skillPath);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #read(skillPath: string): Promise<SkillOverview> {
    return (await this.#readMany())(requestFor(skillPath));
  }

  async #readNights(): Promise<RememberedNights> {
    const useCases = await this.#useCases();
    const { workspaceFolders } = requestFor('');
    const [nights, state] = await Promise.all([
      useCases.lastNights(workspaceFolders),
      useCases.scheduleState(workspaceFolders),
    ]);
    return { nights, settled: state?.lastDecision };
  }

  /** It only helps: where it cannot be read, nothing is shown of it. */
  async #readUsage(): Promise<UsageMap | undefined> {
    try {
      return await (await this.#useCases()).lastUsage(requestFor('').workspaceFolders);
    } catch {
      return undefined;
    }
  }

  /** Skills that are asked about in the same turn are looked at together; the next turn looks anew. */
  #readMany(): Promise<Look> {
    if (this.#look === undefined) {
      this.#look = this.#useCases().then((useCases) => useCases.readMany());
      setTimeout(() => {
        this.#look = undefined;
      }, 0);
    }
    return this.#look;
  }

  /** Another window or the command line may stage, adopt or decide: what they write shows here too. */
  #watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    // A path that nobody asked about may be a link to one that somebody did.
    const touched = (skillPath: string | undefined): void =>
      this.refresh(skillPath !== undefined && this.#known.has(skillPath) ? skillPath : undefined);
    this.#disposables.push(watchSkillFiles(touched), this.#poll());
  }

  /**
   * On Linux the watcher misses files that are written into a folder the moment it is made, and never sees beneath
   * folders that were made together: a first run leaves no event. Nor does it see a root above the open folder.
   */
  #poll(): vscode.Disposable {
    const look = async (): Promise<void> => {
      const { anySkill, skills } = await (await this.#useCases()).pollChanges();
      if (anySkill) this.refresh();
      else for (const skillPath of skills) this.refresh(skillPath);
    };
    const timer = setInterval(() => void look().catch(() => undefined), pollMs);
    return { dispose: () => clearInterval(timer) };
  }
}
