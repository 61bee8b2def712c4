import * as z from 'zod';
import type { KnownAttempts } from '../../gate/power/knownAttempts.js';
import type { Verdict } from '../../gate/verdict/verdict.js';
import type { RunEvent, RunOutcome, RunPurpose, Stage } from './runEvents.js';
import type { TypeFigures } from '../../wording/taskWords.js';
import type { SkillUse } from '../../wording/programs/skillUse.js';
import type { WorkerCalls } from '../../wording/programs/workerCalls.js';
import type { FrontRow } from './frontEvents.js';
import { withCancelled } from './spend/withCancelled.js';
import type { StepAction, UpstreamAction } from './upstreamWords.js';

/** What was used of a model, for one role or one stage. Cached replies cost nothing and are counted apart. */
export interface RoleSpend {
  readonly calls: number;
  readonly cachedCalls: number;
  readonly failedCalls: number;
  /** Those whose answer nobody wanted any more, as where a person stopped the run; missing where there were none. */
  readonly cancelledCalls?: number;
  readonly tokens: number;
  readonly usd: number | undefined;
  readonly exact: boolean;
}

/** What one stage took, over all steps and all times that the run was resumed. */
export interface StageSpend extends RoleSpend {
  readonly ms: number;
}

type StepEndEvent = Extract<RunEvent, { kind: 'step-ended' }>;

/** A step as views show it. */
export interface StepSummary extends Pick<
  StepEndEvent,
  | 'step'
  | 'epoch'
  | 'trainingScore'
  | 'candidateScore'
  | 'currentScore'
  | 'bestScore'
  | 'originalScore'
  | 'scoredOn'
  | 'reason'
> {
  /** In the words of the paper's trainer, for other tools. */
  readonly action: UpstreamAction;
  /** In ours, which tell a tie and an edit without a place from a rejection. */
  readonly decision: StepAction;
  /** Where candidates are chosen on training tasks: what the step's own came to there, and the one that the rule named then. */
  readonly onTraining?: { readonly candidate: FrontScore; readonly chosen: FrontScore } | undefined;
}

type FrontScore = Pick<FrontRow, 'score' | 'tasks'> | undefined;

/** What the end of an epoch showed: training tasks under its first skill and its last, and what the slow update came to. */
export interface EpochSummary extends Pick<
  Extract<RunEvent, { kind: 'epoch-compared' }>,
  'epoch' | 'improved' | 'regressed' | 'persistentFail' | 'stableSuccess'
> {
  readonly slowUpdate?: Pick<Extract<RunEvent, { kind: 'slow-update' }>, 'action' | 'reason' | 'before' | 'after'>;
}

/** The stored fold of a run's journal: all that views read. Holds no answer and no prompt. */
export interface RunSummary {
  readonly runId: string;
  readonly purpose: RunPurpose;
  readonly skillKey: string;
  readonly skillName: string;
  readonly skillPath: string;
  readonly startedAt: number;
  /** When the last event happened. */
  readonly updatedAt: number;
  readonly endedAt: number | undefined;
  /** How long it was at work, without the time between a cut and its resumption. */
  readonly workedMs: number;
  readonly resumed: number;
  readonly outcome: RunOutcome | 'running';
  readonly reason: string;
  readonly verdict: Verdict | undefined;
  readonly proposalId: string | undefined;
  readonly models: Extract<RunEvent, { kind: 'run-started' }>['models'] | undefined;
  readonly tasks: Extract<RunEvent, { kind: 'run-started' }>['tasks'] | undefined;
  readonly steps: readonly StepSummary[];
  /** Epochs that ended with a comparison; missing in runs without one. */
  readonly epochs?: readonly EpochSummary[] | undefined;
  /** The candidates that training left, where the run chose by more than the score; missing in other runs. */
  readonly front?:
    | { readonly rows: readonly FrontRow[]; readonly choiceHash: string; readonly candidate?: FrontRow | undefined }
    | undefined;
  readonly spend: Readonly<Record<'target' | 'optimizer' | 'judge', RoleSpend>>;
  readonly stages: Readonly<Partial<Record<Stage, StageSpend>>>;
  /** Where the run stands: the stage, and how much of what it planned is done. */
  readonly progress:
    | { readonly stage: Stage; readonly step: number; readonly done: number; readonly planned: number }
    | undefined;
  readonly invalidAttempts: number;
  /** Why the last of them has no result; missing where all have one. */
  readonly lastInvalid?: string | undefined;
  /** In how many attempts agents used the skill that they were offered; missing where none was. */
  readonly skillUse?: SkillUse | undefined;
  /** What attempts of agents took, stored ones counted as when they were made; missing where none worked. */
  readonly agentWork?: { readonly attempts: number; readonly tokens: number } | undefined;
  /** How held-out tasks came out, under the text that it began with and under those that it certified; missing in old runs. */
  readonly known?: KnownAttempts | undefined;
  readonly sealed: { readonly before: number; readonly after: number; readonly n: number } | undefined;
  readonly notes: readonly string[];
  /** Who made calls, where the run used a queue; missing in others. */
  readonly workers?: readonly WorkerCalls[] | undefined;
  /** By type of task, told at the end of a run whose tasks are of several; missing in others. */
  readonly byType?: readonly TypeFigures[] | undefined;
}

export const noSpend: RoleSpend = { calls: 0, cachedCalls: 0, failedCalls: 0, tokens: 0, usd: 0, exact: true };

/** A run of which nothing is known yet. */
export function emptySummary(runId: string, startedAt: number): RunSummary {
  return {
    runId,
    purpose: 'optimize',
    skillKey: '',
    skillName: '',
    skillPath: '',
    startedAt,
    updatedAt: startedAt,
    endedAt: undefined,
    workedMs: 0,
    resumed: 0,
    outcome: 'running',
    reason: '',
    verdict: undefined,
    proposalId: undefined,
    models: undefined,
    tasks: undefined,
    steps: [],
    spend: { target: noSpend, optimizer: noSpend, judge: noSpend },
    stages: {},
    progress: undefined,
    invalidAttempts: 0,
    sealed: undefined,
    notes: [],
  };
}

/** The whole spend of a run. */
export function totalSpend({ spend }: RunSummary): RoleSpend {
  return Object.values(spend).reduce((sum, role) => ({
    calls: sum.calls + role.calls,
    cachedCalls: sum.cachedCalls + role.cachedCalls,
    failedCalls: sum.failedCalls + role.failedCalls,
    ...withCancelled((sum.cancelledCalls ?? 0) + (role.cancelledCalls ?? 0)),
    tokens: sum.tokens + role.tokens,
    usd: sum.usd === undefined || role.usd === undefined ? undefined : sum.usd + role.usd,
    exact: sum.exact && role.exact,
  }));
}

/** The row of what belongs to no stage. */
export const cutOffStage = 'cut off with the run';

/**
 * What was spent in no stage: calls that were under way when the run was killed, booked at their worst and found in the
 * ledger when it went on. Undefined where there is none; with it the stages add up to the whole.
 */
export function spentInNoStage(summary: RunSummary): StageSpend | undefined {
  const all = totalSpend(summary);
  const stages = Object.values(summary.stages);
  const less = (of: 'calls' | 'cachedCalls' | 'failedCalls' | 'tokens' | 'usd'): number =>
    Math.max(
      0,
      stages.reduce((left, stage) => left - (stage[of] ?? 0), all[of] ?? 0),
    );
  const [calls, tokens] = [less('calls'), less('tokens')];
  if (calls === 0 && tokens === 0) return undefined;
  const usd = all.usd === undefined ? undefined : less('usd');
  const counted = { cachedCalls: less('cachedCalls'), failedCalls: less('failedCalls') };
  return { calls, ...counted, tokens, usd, exact: false, ms: 0 };
}

/** Summaries are sealed by storage; reading one back checks only that it is of the form we wrote. */
export const RunSummarySchema: z.ZodType<RunSummary> = z.custom<RunSummary>(
  (value) =>
    z
      .object({
        runId: z.string(),
        outcome: z.string(),
        steps: z.array(z.unknown()),
        spend: z.object({}),
        stages: z.object({}),
      })
      .safeParse(value).success,
);
