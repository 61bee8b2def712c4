import { grouped, spentText } from '../../wording/amounts.js';
import { whileQuiet } from '../../whileQuiet.js';
import { totalSpend, type RunSummary } from '../../engine/journal/runSummary.js';
import type { RunEvent, Stage } from '../../engine/journal/runEvents.js';
import { oneLine, type Terminal } from '../terminal.js';
import { followShare, type RunShare } from '../../engine/journal/runShare.js';
import { percent } from '../../wording/amounts.js';
import { shareText } from '../../wording/shareText.js';
import { english } from '../../wording/translate.js';

type StageWords = Readonly<Record<Stage, string>>;

const usualWords: StageWords = {
  baseline: 'held-out tasks under the skill as it is',
  rollout: 'training tasks',
  reflect: 'reflecting on what failed',
  aggregate: 'merging proposed edits',
  select: 'choosing edits',
  update: 'applying edits',
  evaluate: 'held-out tasks under the candidate',
  front: 'training tasks under the candidate',
  'slow-update': 'what the epoch changed, and guidance from it',
  'meta-skill': 'notes of the optimizer',
  attribute: 'measuring what each edit is worth',
  certify: 'measuring on fresh attempts, round',
  sealed: 'sealed tasks',
};

/** Where tasks of every side are scored once, and nothing is learned. */
export const scoring: Partial<StageWords> = { baseline: 'scoring tasks' };

/** One line that says how far a run is, how long the rest may take, where it stands and what it has used. */
export function progressText(summary: RunSummary, share: RunShare, words = usualWords): string {
  const { progress } = summary;
  if (progress === undefined) return '';
  const where = whereText(progress, words);
  const spend = totalSpend(summary);
  const money =
    spend.usd === undefined || spend.usd === 0 ? '' : ` · ${spentText({ ...spend, usd: spend.usd }, english)}`;
  const failed = spend.failedCalls === 0 ? '' : ` (${spend.failedCalls} failed)`;
  const used = `${grouped(spend.calls)} calls${failed} · ${grouped(spend.tokens)} tokens${money}`;
  return [bar(share.share), shareText(share), where, used].join(' · ').replace(' · ', ' ');
}

const barWidth = 20;

/** `██████░░░░░░░░░░░░░░` */
function bar(share: number): string {
  const full = Math.max(1, Math.floor(share * barWidth));
  return '█'.repeat(full) + '░'.repeat(barWidth - full);
}

function whereText({ stage, step }: NonNullable<RunSummary['progress']>, words: StageWords): string {
  return stage === 'certify' ? `${words[stage]} ${step}` : words[stage];
}

/** How a run is shown while it goes on. */
interface RunProgress {
  readonly show: (event: RunEvent, summary: RunSummary) => void;
  /** Says something beside it, which stays. */
  readonly say: (text: string) => void;
  readonly clear: () => void;
}

/**
 * A live line on a terminal; elsewhere one line a stage, and one a minute while it lasts: on a small machine a stage takes
 * many of them. `own` are words for stages that mean something else here; with
 * `named` each line begins with its skill, where several are trained.
 */
export function createProgress(
  terminal: Terminal,
  own: Partial<StageWords> = {},
  { named = false }: { readonly named?: boolean } = {},
): RunProgress {
  const words = { ...usualWords, ...own };
  let last = '';
  let saidAt = 0;
  let wasSilent = false;
  let run = { id: '', follow: followShare() };
  const quiet = whileQuiet();
  /** What is said where nobody watches, if there is anything to say. */
  const plain = (summary: RunSummary, share: RunShare, at: number): string | undefined => {
    const { progress } = summary;
    const stage = `${run.id}:${progress?.stage}:${progress?.step}`;
    const [isNew, isSilent] = [stage !== last, share.silence !== undefined && !wasSilent];
    [last, wasSilent] = [stage, share.silence !== undefined];
    if (progress === undefined || (!isNew && !isSilent && at - saidAt < minute)) return undefined;
    saidAt = at;
    if (isNew) return plainLine(progress, share, words);
    return isSilent ? shareText(share) : minuteLine(summary, share, words);
  };
  const draw = (summary: RunSummary, share: RunShare, at = summary.updatedAt): void => {
    if (summary.progress === undefined) return;
    const skill = named ? `${oneLine(summary.skillName)}: ` : '';
    if (terminal.live) return terminal.line(`${skill}${progressText(summary, share, words)}`);
    const said = plain(summary, share, at);
    if (said !== undefined) terminal.err(`${skill}${said}\n`);
  };
  return {
    show(event, summary) {
      if (summary.runId !== run.id) run = { id: summary.runId, follow: followShare() };
      const { follow } = run;
      draw(summary, follow(event, summary.updatedAt));
      quiet.from((ms) => {
        const share = follow(undefined, summary.updatedAt + ms);
        if (share.silence !== undefined || !terminal.live) draw(summary, share, summary.updatedAt + ms);
      });
    },
    say(text) {
      if (terminal.live) terminal.line('');
      terminal.err(`${text}\n`);
    },
    clear() {
      quiet.stop();
      if (terminal.live) terminal.line('');
    },
  };
}

/**
 * Says that a model is waited for, with the milliseconds since it was asked: a live line on a terminal, elsewhere a line
 * after some seconds and one a minute.
 */
export function waitingLine(terminal: Terminal, about: string): (ms: number) => void {
  let told = -1;
  return (ms) => {
    const seconds = Math.round(ms / 1_000);
    const text = `Waiting for the model, asked about ${about}: ${seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`}`;
    if (terminal.live) return terminal.line(text);
    const minute = Math.floor(seconds / 60);
    if (seconds < 5 || minute === told) return;
    told = minute;
    terminal.err(`${text}\n`);
  };
}

const everyMs = 10_000;

/** Says how far something is: a live line on a terminal, elsewhere a line after some seconds and then now and then. */
export function nowAndThen(terminal: Terminal): (text: string, now: number) => void {
  let told: number | undefined;
  return (text, now) => {
    if (terminal.live) return terminal.line(text);
    told ??= now;
    if (now - told < everyMs) return;
    told = now;
    terminal.err(`${text}\n`);
  };
}

/** Where nobody watches: one line a stage, for a log, such as `training tasks: 8 attempts to make, 12 % done`. */
function plainLine(progress: NonNullable<RunSummary['progress']>, { share }: RunShare, words: StageWords): string {
  const { stage, planned } = progress;
  const unit = planned === 0 ? undefined : plannedIn[stage];
  const count = unit === undefined ? '' : `${planned} ${unit}${planned === 1 ? '' : 's'} to make, `;
  return `${whereText(progress, words)}: ${count}${percent(share)} done`;
}

const minute = 60_000;

/** `held-out tasks under the skill as it is: 12 % · about 40 min left · 9 calls · 8,120 tokens`. */
function minuteLine(summary: RunSummary, share: RunShare, words: StageWords): string {
  const { calls, tokens, failedCalls } = totalSpend(summary);
  const failed = failedCalls === 0 ? '' : ` (${failedCalls} failed)`;
  const where = summary.progress === undefined ? '' : `${whereText(summary.progress, words)}: `;
  return `${where}${shareText(share)} · ${grouped(calls)} calls${failed} · ${grouped(tokens)} tokens`;
}

/** What a stage plans; the end of an epoch plans both, one after the other. */
const plannedIn: Partial<Record<Stage, 'attempt' | 'call'>> = {
  baseline: 'attempt',
  rollout: 'attempt',
  reflect: 'call',
  aggregate: 'call',
  select: 'call',
  update: 'call',
  evaluate: 'attempt',
  front: 'attempt',
  'meta-skill': 'call',
  attribute: 'attempt',
  certify: 'attempt',
  sealed: 'attempt',
};
