import { totalSpend, type RunSummary } from '../engine/journal/runSummary.js';
import type { Stage } from '../engine/journal/runEvents.js';
import type { Terminal } from './terminal.js';

type StageWords = Readonly<Record<Stage, string>>;

const usualWords: StageWords = {
  baseline: 'held-out tasks under the skill as it is',
  rollout: 'training tasks',
  reflect: 'reflecting on what failed',
  aggregate: 'merging proposed edits',
  select: 'choosing edits',
  update: 'applying edits',
  evaluate: 'held-out tasks under the candidate',
  attribute: 'measuring what each edit is worth',
  certify: 'measuring on fresh attempts, round',
  sealed: 'sealed tasks',
};

/** One line that says where a run stands and what it has used. */
export function progressText(summary: RunSummary, words = usualWords): string {
  const { progress } = summary;
  if (progress === undefined) return '';
  const pass = progress.stage === 'certify' ? ` ${progress.step}` : '';
  const count = progress.planned > 0 ? ` ${progress.done} of ${progress.planned}` : '';
  const spend = totalSpend(summary);
  const money = spend.usd === undefined || spend.usd === 0 ? '' : ` · ${spend.usd.toFixed(2)} USD`;
  const failed = spend.failedCalls === 0 ? '' : ` (${spend.failedCalls} failed)`;
  return `${words[progress.stage]}${pass}${count} · ${spend.calls} calls${failed} · ${spend.tokens} tokens${money}`;
}

/** A live line on a terminal; one line a stage elsewhere. `own` are words for stages that mean something else here. */
export function createProgress(
  terminal: Terminal,
  own: Partial<StageWords> = {},
): {
  readonly show: (summary: RunSummary) => void;
  readonly clear: () => void;
} {
  let last = '';
  return {
    show(summary) {
      const text = progressText(summary, { ...usualWords, ...own });
      if (text === '') return;
      const stage = `${summary.progress?.stage}:${summary.progress?.step}`;
      if (terminal.live) terminal.line(text);
      else if (stage !== last) terminal.err(`${text.split(' · ')[0] ?? text}\n`);
      last = stage;
    },
    clear() {
      if (terminal.live) terminal.line('');
    },
  };
}
