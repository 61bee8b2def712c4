import * as z from 'zod';
import type { Verdict } from '../gate/verdict.js';
import type { RunEvent, RunOutcome, RunPurpose, Stage, StepAction } from './runEvents.js';

/** What was used of a model, for one role. Cached replies cost nothing and are counted apart. */
export interface RoleSpend {
  readonly calls: number;
  readonly cachedCalls: number;
  readonly failedCalls: number;
  readonly tokens: number;
  readonly usd: number | undefined;
  readonly exact: boolean;
}

export interface StepSummary {
  readonly step: number;
  readonly epoch: number;
  readonly action: StepAction;
  readonly trainingScore: number | undefined;
  readonly candidateScore: number | undefined;
  readonly bestScore: number | undefined;
  readonly reason: string;
}

/** The stored fold of a run's journal: all that views read. Holds no answer and no prompt. */
export interface RunSummary {
  readonly runId: string;
  readonly purpose: RunPurpose;
  readonly skillKey: string;
  readonly skillName: string;
  readonly skillPath: string;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly outcome: RunOutcome | 'running';
  readonly reason: string;
  readonly verdict: Verdict | undefined;
  readonly proposalId: string | undefined;
  readonly models:
    | { readonly target: string; readonly optimizer: string; readonly judge: string; readonly simulated: boolean }
    | undefined;
  readonly tasks:
    | { readonly training: number; readonly heldOut: number; readonly sealed: number; readonly setAside: number }
    | undefined;
  readonly steps: readonly StepSummary[];
  readonly spend: Readonly<Record<'target' | 'optimizer' | 'judge', RoleSpend>>;
  /** Where the run stands: the stage, and how much of what it planned is done. */
  readonly progress:
    | { readonly stage: Stage; readonly step: number; readonly done: number; readonly planned: number }
    | undefined;
  readonly invalidAttempts: number;
  readonly sealed: { readonly before: number; readonly after: number; readonly n: number } | undefined;
  readonly notes: readonly string[];
}

const noSpend: RoleSpend = { calls: 0, cachedCalls: 0, failedCalls: 0, tokens: 0, usd: 0, exact: true };

/** A run of which nothing is known yet. */
export function emptySummary(runId: string, startedAt: number): RunSummary {
  return {
    runId,
    purpose: 'optimize',
    skillKey: '',
    skillName: '',
    skillPath: '',
    startedAt,
    endedAt: undefined,
    outcome: 'running',
    reason: '',
    verdict: undefined,
    proposalId: undefined,
    models: undefined,
    tasks: undefined,
    steps: [],
    spend: { target: noSpend, optimizer: noSpend, judge: noSpend },
    progress: undefined,
    invalidAttempts: 0,
    sealed: undefined,
    notes: [],
  };
}

/** The summary after one more event. */
export function foldEvent(summary: RunSummary, event: RunEvent, at: number): RunSummary {
  switch (event.kind) {
    case 'run-started': {
      const { purpose, skillKey, skillName, skillPath, models, tasks } = event;
      return { ...summary, purpose, skillKey, skillName, skillPath, models, tasks };
    }
    case 'stage':
      return { ...summary, progress: { stage: event.stage, step: event.step, done: 0, planned: event.planned } };
    case 'attempt':
      return {
        ...summary,
        progress: advanced(summary.progress, event),
        invalidAttempts: summary.invalidAttempts + (event.outcome.kind === 'invalid' ? 1 : 0),
      };
    case 'call':
      return { ...summary, spend: { ...summary.spend, [event.role]: spent(summary.spend[event.role], event) } };
    case 'step-ended': {
      const { step, epoch, action, trainingScore, candidateScore, bestScore, reason } = event;
      return {
        ...summary,
        steps: [...summary.steps, { step, epoch, action, trainingScore, candidateScore, bestScore, reason }],
      };
    }
    case 'sealed':
      return { ...summary, sealed: { before: event.before, after: event.after, n: event.n } };
    case 'verdict':
      return { ...summary, verdict: event.verdict, proposalId: event.proposalId };
    case 'note':
      return { ...summary, notes: [...summary.notes, event.text] };
    case 'run-ended':
      return { ...summary, outcome: event.outcome, reason: event.reason, endedAt: at, progress: undefined };
    case 'patches':
    case 'merged':
    case 'selected':
      return withFallbacks(summary, event);
    case 'applied':
    case 'worths':
    case 'certification':
      return summary;
  }
}

/** The whole spend of a run. */
export function totalSpend({ spend }: RunSummary): RoleSpend {
  return Object.values(spend).reduce((sum, role) => ({
    calls: sum.calls + role.calls,
    cachedCalls: sum.cachedCalls + role.cachedCalls,
    failedCalls: sum.failedCalls + role.failedCalls,
    tokens: sum.tokens + role.tokens,
    usd: sum.usd === undefined || role.usd === undefined ? undefined : sum.usd + role.usd,
    exact: sum.exact && role.exact,
  }));
}

function advanced(
  progress: RunSummary['progress'],
  event: Extract<RunEvent, { kind: 'attempt' }>,
): RunSummary['progress'] {
  return progress?.stage === event.stage ? { ...progress, done: progress.done + 1 } : progress;
}

function spent(role: RoleSpend, event: Extract<RunEvent, { kind: 'call' }>): RoleSpend {
  if (event.cached) return { ...role, cachedCalls: role.cachedCalls + 1 };
  return {
    calls: role.calls + 1,
    cachedCalls: role.cachedCalls,
    failedCalls: role.failedCalls + (event.error === undefined ? 0 : 1),
    tokens: role.tokens + event.tokens,
    usd: role.usd === undefined || event.usd === undefined ? undefined : role.usd + event.usd,
    exact: role.exact && event.exact,
  };
}

function withFallbacks(
  summary: RunSummary,
  event: Extract<RunEvent, { kind: 'patches' | 'merged' | 'selected' }>,
): RunSummary {
  const said = event.kind === 'patches' ? event.lost : event.fallback === undefined ? [] : [event.fallback];
  return said.length === 0
    ? summary
    : { ...summary, notes: [...summary.notes, ...said.map((text) => `Step ${event.step}: ${text}`)] };
}

/** Summaries are sealed by storage; reading one back checks only that it is of the form we wrote. */
export const RunSummarySchema: z.ZodType<RunSummary> = z.custom<RunSummary>(
  (value) =>
    z
      .object({ runId: z.string(), outcome: z.string(), steps: z.array(z.unknown()), spend: z.object({}) })
      .safeParse(value).success,
);
