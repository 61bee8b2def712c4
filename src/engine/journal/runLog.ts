import type { RunEvent, Stage } from './runEvents.js';
import type { RunSummary } from './runSummary.js';

/** The two levels that a run writes to: `trace` may name tasks, `info` never says what was asked or answered. */
export interface RunLogSink {
  info(line: string): void;
  trace(line: string): void;
}

interface OpenStage {
  readonly stage: Stage;
  readonly step: number;
  readonly planned: number;
  readonly since: RunSummary;
}

/** One line a stage: what, how many, how long, how much. Nothing that a model or a person wrote. */
export function logRun(log: RunLogSink): (event: RunEvent, summary: RunSummary) => void {
  let open: OpenStage | undefined;
  return (event, summary) => {
    if (event.kind === 'attempt')
      log.trace(`${event.stage} ${event.taskId}, attempt ${event.attempt}: ${event.outcome.kind}`);
    if (event.kind !== 'stage' && event.kind !== 'run-ended') return;
    if (open !== undefined) log.info(stageLine(open, summary));
    open = event.kind === 'stage' ? { ...event, since: summary } : undefined;
    if (event.kind === 'run-ended') log.info(endLine(summary));
  };
}

function stageLine({ stage, step, planned, since }: OpenStage, now: RunSummary): string {
  const [calls, tokens] = [callsOf(now) - callsOf(since), tokensOf(now) - tokensOf(since)];
  const seconds = ((now.updatedAt - since.updatedAt) / 1000).toFixed(1);
  return `${now.skillName}: ${stage}, step ${step}, ${planned} planned, ${calls} calls, ${tokens} tokens, ${seconds} s`;
}

function endLine({ skillName, runId, outcome, verdict, steps, workedMs, ...rest }: RunSummary): string {
  const judged = verdict === undefined ? '' : `, ${verdict.kind}`;
  const seconds = (workedMs / 1000).toFixed(1);
  const failed = Object.values(rest.spend).reduce((sum, role) => sum + role.failedCalls, 0);
  const again = failed === 0 ? '' : `, ${failed} calls that failed and were made again`;
  return `${skillName}: run ${runId} ended: ${outcome}${judged}, ${steps.length} steps, ${tokensOf(rest)} tokens, ${seconds} s${again}`;
}

function tokensOf({ spend }: Pick<RunSummary, 'spend'>): number {
  return Object.values(spend).reduce((sum, role) => sum + role.tokens, 0);
}

function callsOf({ spend }: Pick<RunSummary, 'spend'>): number {
  return Object.values(spend).reduce((sum, role) => sum + role.calls, 0);
}
