import * as vscode from 'vscode';
import type { RunSummary } from '../../engine/runSummary.js';
import { messageOf } from '../../errors.js';
import { pollMs, type Decision } from '../../schedule/dueDecision.js';
import { nextNight } from '../../schedule/nextDue.js';
import type { Stop } from '../../schedule/preconditions.js';
import { parseScheduleSettings, type ScheduleSettings } from '../../schedule/scheduleSettings.js';
import type { NightlyStatus } from '../../schedule/statusText.js';
import type { NightResult, Workshop } from '../../workshop/workshop.js';
import type { Overviews } from '../overviews.js';
import { runRequestFor } from '../run/optimizeCommand.js';
import { readSettings } from '../settings.js';
import type { SkillCatalog } from '../skillCatalog.js';
import type { WorkshopSource } from '../workbench.js';

export interface NightlyParts {
  readonly workshop: WorkshopSource;
  readonly catalog: SkillCatalog;
  readonly overviews: Overviews;
  readonly now: () => number;
}

/** Looks at the wall clock once a minute and runs a night when one is due. A night stages; it opens and edits nothing. */
export class NightlyController implements vscode.Disposable {
  readonly #parts: NightlyParts;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #disposables: vscode.Disposable[];
  #running: { readonly controller: AbortController; skill: string; done: number; readonly total: number } | undefined;
  #broken: { readonly why: string; readonly cure: string } | undefined;
  #missed: number | undefined;
  #lastResult: string | undefined;
  #pending = 0;

  constructor(parts: NightlyParts) {
    this.#parts = parts;
    const timer = setInterval(() => void this.poll(), pollMs);
    this.#disposables = [
      this.#changed,
      { dispose: () => clearInterval(timer) },
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('whetstone.nightly')) void this.poll();
      }),
    ];
  }

  status(): NightlyStatus {
    if (this.#running !== undefined)
      return { kind: 'running', skill: this.#running.skill, done: this.#running.done, total: this.#running.total };
    if (this.#broken !== undefined) return { kind: 'broken', ...this.#broken };
    const settings = this.settings();
    if (settings === undefined || !settings.enabled) return { kind: 'off' };
    const next = nextNight(settings, this.#parts.now(), [])?.due;
    if (this.#missed !== undefined) return { kind: 'missed', due: this.#missed };
    return this.#pending > 0 ? { kind: 'proposals', count: this.#pending, next } : { kind: 'on', next };
  }

  get lastResult(): string | undefined {
    return this.#lastResult;
  }

  /** The schedule as set; undefined, with the reason kept, where it cannot be read. */
  settings(): ScheduleSettings | undefined {
    const all = readSettings();
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const raw = {
      enabled: all['whetstone.nightly.enabled'],
      at: all['whetstone.nightly.time'],
      catchUp: all['whetstone.nightly.catchUp'],
      excluded: [...all['whetstone.nightly.exclude']],
      onBattery: all['whetstone.nightly.skipOnBattery'] ? 'skip' : 'run',
    };
    try {
      return parseScheduleSettings(raw, zone);
    } catch (error) {
      this.#broken = { why: messageOf(error), cure: vscode.l10n.t('Correct the schedule in the settings.') };
      return undefined;
    }
  }

  countPending(count: number): void {
    this.#pending = count;
    this.#changed.fire();
  }

  /** One look at the clock. */
  async poll(): Promise<void> {
    this.#broken = undefined;
    const settings = this.settings();
    if (settings?.enabled === true && this.#running === undefined) {
      try {
        const workshop = await this.#parts.workshop();
        const schedule = await workshop.schedule(workspacePlace());
        await this.#act(await schedule.decide(settings, this.#stops(), new AbortController().signal));
      } catch (error) {
        this.#broken = { why: messageOf(error), cure: '' };
      }
    }
    this.#changed.fire();
  }

  /** Runs a night now, because the person said so. */
  async runNow(): Promise<NightResult | undefined> {
    return this.#night(await this.#parts.workshop(), true);
  }

  /** The person's answer about a night that was slept through. */
  async answerMissed(answer: 'run' | 'skip'): Promise<void> {
    const settings = this.settings();
    if (settings === undefined) return;
    const workshop = await this.#parts.workshop();
    const schedule = await workshop.schedule(workspacePlace());
    await this.#act(await schedule.answer(settings, answer, new AbortController().signal));
  }

  cancel(): void {
    this.#running?.controller.abort(new Error('cancelled'));
  }

  dispose(): void {
    this.cancel();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #stops(): readonly Stop[] {
    return vscode.workspace.isTrusted
      ? []
      : [
          {
            name: 'untrusted',
            sentence: vscode.l10n.t('The workspace is not trusted.'),
            cure: vscode.l10n.t('Trust the workspace.'),
          },
        ];
  }

  async #act(decision: Decision): Promise<void> {
    this.#missed = decision.kind === 'ask' ? decision.missed.due : undefined;
    if (decision.kind === 'run') await this.#night(await this.#parts.workshop(), false);
    if (decision.kind === 'skip') this.#lastResult = decision.sentence;
    if (decision.kind === 'wait') this.#missed = decision.missed?.due;
  }

  async #night(workshop: Workshop, force: boolean): Promise<NightResult | undefined> {
    if (this.#running !== undefined) return undefined;
    const excluded = new Set(readSettings()['whetstone.nightly.exclude']);
    const found = await this.#parts.catalog.skills();
    const skills = found.filter((skill) => !excluded.has(skill.name)).map((skill) => skill.realPath);
    const running = { controller: new AbortController(), skill: '', done: 0, total: skills.length };
    this.#running = running;
    this.#changed.fire();
    try {
      const { skillPath: _path, purpose: _purpose, ...request } = runRequestFor(skills[0] ?? '');
      const watch = (skillPath: string, _event: unknown, summary: RunSummary): void => {
        if (running.skill !== summary.skillName) running.done = Math.max(0, skills.indexOf(skillPath));
        running.skill = summary.skillName;
        this.#parts.overviews.showRun(skillPath, summary.endedAt === undefined ? summary : undefined);
        this.#changed.fire();
      };
      const result = await workshop.night({ ...request, skills, force }, watch, running.controller.signal);
      this.#lastResult = nightSentence(result);
      return result;
    } catch (error) {
      if (running.controller.signal.aborted) this.#lastResult = vscode.l10n.t('Cancelled.');
      else this.#broken = { why: messageOf(error), cure: '' };
      return undefined;
    } finally {
      this.#running = undefined;
      this.#parts.overviews.refresh();
      this.#changed.fire();
    }
  }
}

/** Names the workspace that a schedule belongs to: every window on the same folders shares it. */
export function workspacePlace(): string {
  return (vscode.workspace.workspaceFolders ?? [])
    .map((folder) => folder.uri.fsPath)
    .sort()
    .join('\n');
}

function nightSentence({ skills }: NightResult): string {
  const proposed = skills.filter((skill) => skill.outcome === 'proposed').length;
  const failed = skills.filter((skill) => skill.outcome === 'failed');
  const [first] = failed;
  if (first !== undefined) return vscode.l10n.t('{0} failed: {1}', first.name, first.reason);
  return vscode.l10n.t('{0} of {1} skills have new proposals.', proposed, skills.length);
}
