import * as vscode from 'vscode';
import type { RunSummary } from '../../engine/runSummary.js';
import { messageOf, UserError } from '../../errors.js';
import { pollMs, type Decision } from '../../schedule/dueDecision.js';
import { nextNight } from '../../schedule/nextDue.js';
import type { StopName } from '../../schedule/preconditions.js';
import type { ScheduleSettings } from '../../schedule/scheduleSettings.js';
import type { NightlyStatus } from '../../schedule/statusText.js';
import type { NightLook, NightResult, NightWatcher } from '../../workshop/nightly.js';
import type { Workshop } from '../../workshop/workshop.js';
import { neverAborted } from '../cancellation.js';
import type { Overviews } from '../overviews.js';
import type { SkillCounts } from '../skillCounts.js';
import type { SkillCatalog } from '../skillCatalog.js';
import type { WorkshopSource } from '../workbench.js';
import { nightLines, nightSentence, spendWords } from './nightWords.js';
import { machineZone, nightRequest, openFolders, readSchedule } from './nightlySettings.js';

export interface NightlyParts {
  readonly workshop: WorkshopSource;
  readonly catalog: SkillCatalog;
  readonly overviews: Overviews;
  readonly log: Pick<vscode.LogOutputChannel, 'info' | 'warn' | 'show'>;
  readonly now: () => number;
  /** Makes sure that a model is chosen; rejects where the person chose none. */
  readonly ensureModel: () => Promise<void>;
}

/** What keeps nights from running until the person mends it; everything else mends itself. */
const brokenBy: readonly StopName[] = ['untrusted', 'no-consent', 'no-key', 'cap-reached'];

interface Running {
  readonly controller: AbortController;
  skill: string;
  done: number;
  total: number;
}

/** Looks at the wall clock once a minute and runs a night when one is due. A night stages; it opens nothing. */
export class NightlyController implements vscode.Disposable {
  readonly #parts: NightlyParts;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #disposables: vscode.Disposable[];
  #running: Running | undefined;
  #broken: { readonly why: string; readonly cure: string; readonly stop?: StopName } | undefined;
  #missed: number | undefined;
  #last: NightResult | undefined;
  #lastWords: string | undefined;
  #spent: string | undefined;
  #pending = 0;
  #unmeasured: readonly string[] = [];
  /** Looks at what could be broken are costly; they are taken when something changed. */
  #lookCloser = true;

  constructor(parts: NightlyParts) {
    this.#parts = parts;
    const timer = setInterval(() => void this.poll(), pollMs);
    this.#disposables = [
      this.#changed,
      { dispose: () => clearInterval(timer) },
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('whetstone')) return;
        this.#lookCloser = true;
        void this.poll();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.#lookCloser = true;
        void this.poll();
      }),
    ];
    void this.poll();
  }

  status(): NightlyStatus {
    if (this.#running !== undefined)
      return { kind: 'running', skill: this.#running.skill, done: this.#running.done, total: this.#running.total };
    const read = readSchedule();
    if (read.kind === 'broken') return read;
    const { schedule } = read;
    if (!schedule.enabled) return { kind: 'off' };
    if (this.#broken !== undefined) return { kind: 'broken', why: this.#broken.why, cure: this.#broken.cure };
    const next = this.next(schedule);
    if (this.#missed !== undefined) return { kind: 'missed', due: this.#missed };
    return this.#pending > 0 ? { kind: 'proposals', count: this.#pending, next } : { kind: 'on', next };
  }

  next(schedule: ScheduleSettings): number | undefined {
    return nextNight(schedule, this.#parts.now(), [])?.due;
  }

  /** The last night in a sentence, whoever started it. */
  get lastWords(): string | undefined {
    return this.#lastWords;
  }

  /** What stops every night, where something known does. */
  get stoppedBy(): StopName | undefined {
    return this.#broken?.stop;
  }

  /** What was spent this month, in words. */
  get spent(): string | undefined {
    return this.#spent;
  }

  get parts(): NightlyParts {
    return this.#parts;
  }

  /** Names of skills that hold part of a proposal, which nobody measured. */
  get unmeasured(): readonly string[] {
    return this.#unmeasured;
  }

  noteSkills({ pending, unmeasured }: SkillCounts): void {
    this.#pending = pending;
    this.#unmeasured = unmeasured;
    this.#changed.fire();
  }

  /** One look at the clock. Does nothing, and loads nothing, while nights are off. */
  async poll(): Promise<void> {
    const read = readSchedule();
    if (read.kind === 'read' && read.schedule.enabled && this.#running === undefined) {
      try {
        const workshop = await this.#parts.workshop();
        const request = await this.#request(read.schedule);
        const { watcher, signal } = this.#begin();
        await this.#act(await workshop.lookAtClock(request, watcher, signal));
        if (this.#lookCloser) await this.#lookForTrouble(workshop, read.schedule);
        await this.refresh();
      } catch (error) {
        this.#fail(error);
      }
    }
    this.#changed.fire();
  }

  /** Reads what others may have changed: the last night, the spend, the proposals that wait. */
  async refresh(): Promise<void> {
    const workshop = await this.#parts.workshop();
    const [last] = await workshop.lastNights(openFolders());
    this.#last = last;
    if (last !== undefined) this.#lastWords = nightSentence(last, this.#parts.now(), machineZone());
    this.#spent = spendWords(await workshop.spendThisMonth());
    this.#pending = await this.#countProposals();
    this.#changed.fire();
  }

  /** Runs a night now, because the person said so: they see the model in the menu. */
  async runNow(): Promise<void> {
    const read = readSchedule();
    if (this.#running !== undefined || read.kind === 'broken') return;
    const workshop = await this.#parts.workshop();
    const request = { ...(await this.#request(read.schedule)), force: true, startedBy: 'person' as const };
    const { watcher, signal } = this.#begin();
    try {
      watcher.began(request.skills);
      const result = await workshop.night({ ...request, consent: 'given' }, watcher.observe, signal);
      this.#end(result);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#running = undefined;
      await this.refresh();
    }
  }

  /** The person's answer about a night that was slept through. */
  async answerMissed(answer: 'run' | 'skip'): Promise<void> {
    const read = readSchedule();
    if (read.kind === 'broken') return;
    const workshop = await this.#parts.workshop();
    const request = { ...(await this.#request(read.schedule)), answer };
    try {
      const { watcher, signal } = this.#begin();
      await this.#act(await workshop.answerMissed(request, watcher, signal));
    } catch (error) {
      this.#fail(error);
    }
    await this.refresh();
  }

  /** Writes the last night into the log and shows it. */
  showLast(): void {
    for (const line of this.#last === undefined ? [] : nightLines(this.#last)) this.#parts.log.info(line);
    this.#parts.log.show(true);
  }

  cancel(): void {
    this.#running?.controller.abort(new Error('cancelled'));
  }

  dispose(): void {
    this.cancel();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #request(schedule: ScheduleSettings): Promise<ReturnType<typeof nightRequest>> {
    const found = await this.#parts.catalog.skills();
    return nightRequest(
      found.map((skill) => skill.realPath),
      schedule,
    );
  }

  /** What a look at the clock is given: shows the night, if it starts one, and can stop it. */
  #begin(): { readonly watcher: NightWatcher; readonly signal: AbortSignal } {
    const controller = new AbortController();
    const watcher: NightWatcher = {
      began: (skills) => {
        this.#running = { controller, skill: '', done: 0, total: skills.length };
        this.#changed.fire();
      },
      observe: (skillPath, _event, summary) => this.#show(skillPath, summary),
    };
    return { watcher, signal: controller.signal };
  }

  #show(skillPath: string, summary: RunSummary): void {
    const running = this.#running;
    if (running === undefined) return;
    if (summary.endedAt !== undefined) running.done += 1;
    running.skill = summary.skillName;
    this.#parts.overviews.showRun(skillPath, summary.endedAt === undefined ? summary : undefined);
    this.#changed.fire();
  }

  async #act({ decision, result }: NightLook): Promise<void> {
    this.#running = undefined;
    this.#missed = missedIn(decision);
    if (decision.kind === 'skip') {
      this.#lastWords = decision.sentence;
      this.#parts.log.warn(decision.sentence);
      this.#lookCloser = true;
    }
    if (result !== undefined) this.#end(result);
  }

  #end(result: NightResult): void {
    this.#last = result;
    this.#lastWords = nightSentence(result, this.#parts.now(), machineZone());
    for (const line of nightLines(result)) this.#parts.log.info(line);
    this.#lookCloser = true;
    this.#parts.overviews.refresh();
  }

  #fail(error: unknown): void {
    const stopped = this.#running?.controller.signal.aborted === true;
    this.#running = undefined;
    if (stopped) this.#lastWords = vscode.l10n.t('Stopped. Nothing was changed.');
    else this.#broken = { why: messageOf(error), cure: error instanceof UserError ? error.cure : '' };
    this.#parts.overviews.refresh();
    this.#changed.fire();
  }

  /** What would stop the next night is told now, not at night. */
  async #lookForTrouble(workshop: Workshop, schedule: ScheduleSettings): Promise<void> {
    this.#lookCloser = false;
    this.#broken = undefined;
    const { stops } = await workshop.planNight(await this.#request(schedule), neverAborted());
    const stop = stops.find(({ name }) => brokenBy.includes(name));
    if (stop !== undefined) this.#broken = { why: stop.sentence, cure: stop.cure, stop: stop.name };
  }

  async #countProposals(): Promise<number> {
    const skills = await this.#parts.catalog.skills();
    const waiting = await Promise.all(
      skills.map(async ({ realPath }) => {
        const overview = await this.#parts.overviews.of(realPath).catch(() => undefined);
        return overview?.pending !== undefined && overview.pending.proposal.verdict.kind !== 'rejected';
      }),
    );
    return waiting.filter(Boolean).length;
  }
}

function missedIn(decision: Decision): number | undefined {
  if (decision.kind === 'ask') return decision.missed.due;
  return decision.kind === 'wait' ? decision.missed?.due : undefined;
}
