import * as vscode from 'vscode';
import type { RunSummary } from '../../engine/journal/runSummary.js';
import { followShare, type RunShare } from '../../engine/journal/runShare.js';
import type { RunEvent } from '../../engine/journal/runEvents.js';
import { messageOf, UserError } from '../../errors.js';
import { lookInMs, missedIn } from '../../schedule/dueDecision.js';
import { nextNight } from '../../schedule/nextDue.js';
import { lastingStop, type StopName } from '../../schedule/preconditions.js';
import type { ScheduleSettings } from '../../schedule/scheduleSettings.js';
import type { NightlyStatus } from '../../wording/statusText.js';
import type { NightLook, NightUseCases } from '../../app/nights/nights.js';
import type { NightResult } from '../../app/nights/nightResult.js';
import type { NightWatcher } from '../../app/nights/night.js';
import { neverAborted } from '../cancellation.js';
import type { SkillCounts } from '../tree/registerTrees.js';
import { ClockWatch } from '../../schedule/clockWatch.js';
import { readNews, tellFailed, type NightlyParts, type NightNews } from './nightNews.js';
import { NightlyConsent } from './nightlyConsent.js';
import { nightRequest } from './nightlySettings.js';
import { nightLines } from './nightWords.js';
import { retold } from '../../wording/translate.js';
import { showInformation } from '../shown/messages.js';

interface Running {
  readonly controller: AbortController;
  /** Follows the skill that is trained now. */
  follow: ReturnType<typeof followShare>;
  share: RunShare | undefined;
  skill: string;
  done: number;
  total: number;
}

/** A look at the clock in hand: what watches the night that it may start, and how it ends. */
interface Look {
  readonly watcher: NightWatcher;
  readonly signal: AbortSignal;
  readonly end: () => void;
}

/** Looks at the wall clock once a minute and runs a night when one is due. A night stages; it opens nothing. */
export class NightlyController implements vscode.Disposable {
  readonly #parts: NightlyParts;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #watch: ClockWatch;
  /** What the workspace says about nights, held to what the person agreed to. */
  readonly consent: NightlyConsent;
  readonly #disposables: vscode.Disposable[];
  #running: Running | undefined;
  #broken: { readonly why: string; readonly cure: string; readonly stop?: StopName } | undefined;
  #missed: number | undefined;
  #news: NightNews = { last: undefined, lastWords: undefined, spent: undefined, pending: 0 };
  #unmeasured: readonly string[] = [];
  #hasSkills = false;
  /** Looks at what could be broken are costly; they are taken when something changed. */
  #lookCloser = true;

  constructor(parts: NightlyParts) {
    this.#parts = parts;
    this.consent = new NightlyConsent(parts, () => this.poll());
    this.#watch = new ClockWatch(
      () => this.#lookOnce(),
      () => lookInMs(parts.now(), this.#nextOne()),
    );
    const lookCloser = (): void => {
      this.#lookCloser = true;
      void this.poll();
    };
    this.#disposables = [
      this.#changed,
      this.#watch,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('whetstone')) lookCloser();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(lookCloser),
      parts.onDidChangeKeys(lookCloser),
    ];
    void this.poll();
  }

  status(): NightlyStatus {
    if (this.#running !== undefined) {
      const { skill, done, total, share } = this.#running;
      return { kind: 'running', skill, done, total, ...(share === undefined ? {} : { share }) };
    }
    const read = this.consent.schedule();
    if (read.kind === 'broken') return read;
    if (!read.schedule.enabled) return { kind: 'off' };
    if (this.#broken !== undefined) return { kind: 'broken', why: this.#broken.why, cure: this.#broken.cure };
    if (this.#missed !== undefined) return { kind: 'missed', due: this.#missed };
    return { kind: 'on', next: this.next(read.schedule) };
  }

  next(schedule: ScheduleSettings): number | undefined {
    return nextNight(schedule, this.#parts.now(), [])?.due;
  }

  /** What nights did so far, whoever ran them. */
  get news(): NightNews {
    return this.#news;
  }

  /** What stops every night, where something known does. */
  get stoppedBy(): StopName | undefined {
    return this.#broken?.stop;
  }

  get parts(): NightlyParts {
    return this.#parts;
  }

  /** Names of skills that hold part of a proposal, which nobody measured. */
  get unmeasured(): readonly string[] {
    return this.#unmeasured;
  }

  /** Whether there is anything here that nights could train. */
  get hasSkills(): boolean {
    return this.#hasSkills;
  }

  noteSkills({ skills, pending, unmeasured }: SkillCounts): void {
    this.#hasSkills = skills > 0;
    this.#news = { ...this.#news, pending };
    this.#unmeasured = unmeasured;
    this.#changed.fire();
  }

  /** Looks at the clock now, and at what may be broken where something changed. */
  async poll(): Promise<void> {
    this.#changed.fire();
    await this.#watch.look();
  }

  /** Does nothing, and loads nothing, while nights are off. */
  async #lookOnce(): Promise<void> {
    await this.consent.read().catch((error: unknown) => this.#parts.log.warn(messageOf(error)));
    this.#hasSkills ||= await this.#parts.catalog.hasAny();
    const read = this.consent.schedule();
    if (read.kind === 'read' && read.schedule.enabled && this.#running === undefined) {
      const look = this.#begin();
      try {
        const useCases = await this.#parts.useCases();
        const request = await this.#request(read.schedule);
        // Deciding is writing down; what keeps an untrusted window from it is looked for below.
        if (vscode.workspace.isTrusted) this.#act(await useCases.tick(request, look.watcher, look.signal));
        if (this.#lookCloser || this.#broken !== undefined) await this.#lookForTrouble(useCases, read.schedule);
      } catch (error) {
        this.#fail(error, look.signal);
      } finally {
        look.end();
      }
      await this.refresh().catch((error: unknown) => this.#parts.log.warn(messageOf(error)));
    }
    this.#changed.fire();
  }

  #nextOne(): number | undefined {
    const read = this.consent.schedule();
    return read.kind === 'read' && read.schedule.enabled ? this.next(read.schedule) : undefined;
  }

  /** Reads what others may have changed. */
  async refresh(): Promise<void> {
    this.#news = await readNews(this.#parts);
    this.#changed.fire();
  }

  /** Runs a night now, because the person said so: they see the model in the menu. Undefined where none ran. */
  async runNow(): Promise<NightResult | undefined> {
    const read = this.consent.schedule();
    if (this.#running !== undefined || read.kind === 'broken') return undefined;
    const look = this.#begin();
    try {
      const useCases = await this.#parts.useCases();
      const request = { ...(await this.#request(read.schedule)), force: true, startedBy: 'person' as const };
      const result = await useCases.night({ ...request, consent: 'given' }, look.watcher, look.signal);
      this.#end(result);
      return result;
    } catch (error) {
      this.#fail(error, look.signal);
      return undefined;
    } finally {
      look.end();
      await this.refresh();
    }
  }

  /** The person's answer about a night that was slept through. */
  async answerMissed(answer: 'run' | 'skip'): Promise<void> {
    const read = this.consent.schedule();
    if (this.#running !== undefined || read.kind === 'broken') return;
    const look = this.#begin();
    try {
      const useCases = await this.#parts.useCases();
      const request = { ...(await this.#request(read.schedule)), answer };
      this.#act(await useCases.answerMissed(request, look.watcher, look.signal));
    } catch (error) {
      this.#fail(error, look.signal);
    } finally {
      look.end();
    }
    await this.refresh();
  }

  /** Writes the last night into the log and shows it. */
  showLast(): void {
    const { last } = this.#news;
    for (const line of last === undefined ? [] : nightLines(last)) this.#parts.log.info(line);
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
  #begin(): Look {
    const controller = new AbortController();
    const watcher: NightWatcher = {
      began: (skills) => {
        const fresh = { follow: followShare(), share: undefined };
        this.#running = { controller, skill: '', done: 0, total: skills.length, ...fresh };
        this.#changed.fire();
      },
      observe: (skillPath, event, summary) => this.#show(skillPath, event, summary),
    };
    const end = (): void => {
      if (this.#running?.controller === controller) this.#running = undefined;
      this.#changed.fire();
    };
    return { watcher, signal: controller.signal, end };
  }

  #show(skillPath: string, event: RunEvent, summary: RunSummary): void {
    const running = this.#running;
    if (running === undefined) return;
    const share = running.follow(event, summary.updatedAt);
    const ended = summary.endedAt !== undefined;
    const next = ended ? { done: running.done + 1, follow: followShare(), share: undefined } : { share };
    Object.assign(running, { skill: summary.skillName, total: Math.max(running.total, running.done + 1), ...next });
    this.#parts.overviews.showRun(skillPath, ended ? undefined : { summary, share, ofNight: true });
    this.#changed.fire();
  }

  #act({ decision, result }: NightLook): void {
    this.#missed = missedIn(decision);
    if (decision.kind === 'ask') void this.#ask(decision.sentence);
    if (decision.kind === 'skip') {
      this.#parts.log.warn(`${decision.sentence} ${decision.cure}`.trim());
      this.#lookCloser = true;
    }
    if (result === undefined) return;
    this.#end(result);
    void tellFailed(result, this.#parts.log);
  }

  /** Asked once, in the window that found out; until it is answered the status bar asks on. */
  async #ask(sentence: string): Promise<void> {
    const [run, skip] = [vscode.l10n.t('Run Now'), vscode.l10n.t('Skip')];
    const picked = await showInformation(`Whetstone: ${retold(sentence)}`, run, skip);
    if (picked !== undefined) await this.answerMissed(picked === run ? 'run' : 'skip');
  }

  #end(result: NightResult): void {
    for (const line of nightLines(result)) this.#parts.log.info(line);
    this.#lookCloser = true;
    this.#parts.overviews.refresh();
  }

  #fail(error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) this.#broken = { why: messageOf(error), cure: error instanceof UserError ? error.cure : '' };
    this.#parts.overviews.refresh();
  }

  /** What would stop the next night is told now, not at night. */
  async #lookForTrouble(useCases: NightUseCases, schedule: ScheduleSettings): Promise<void> {
    this.#lookCloser = false;
    const request = await this.#request(schedule);
    const { stops, raised } = await useCases.planNight(request, neverAborted());
    void this.consent.askAboutOptions(raised, request.skills);
    const stop = lastingStop(stops);
    this.#broken = stop === undefined ? undefined : { why: stop.sentence, cure: stop.cure, stop: stop.name };
  }
}
