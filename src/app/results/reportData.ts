import { candidateHashOf } from '../../engine/package/changedDocuments.js';
import { stagesInOrder, type Stage } from '../../engine/journal/runEvents.js';
import {
  cutOffStage,
  spentInNoStage,
  type RoleSpend,
  type RunSummary,
  type StageSpend,
} from '../../engine/journal/runSummary.js';
import type { Proposal } from '../../ports/proposal.js';
import type { Verdict } from '../../gate/verdict/verdict.js';
import { takeOutProposal } from '../../storage/proposals/proposals.js';
import type { CandidateFacts } from '../../wording/candidateText.js';
import { settledReport } from '../../wording/powerSentence.js';
import { english } from '../../wording/translate.js';
import { workerNotes } from '../../wording/programs/workerCalls.js';
import { groupedNotes } from '../../wording/noteText.js';
import { figureLines, headOf, verdictReport, type HeadName, type HeadOfVerdict } from '../../wording/verdictReport.js';
import { powerOfRun } from '../runs/certifications/heldOutPower.js';
import { readEvents } from '../runs/runJournal.js';
import type { OpenSkill } from '../openSkill.js';
import { curveOf, type CurvePoint } from './reportCurve.js';
import { adoptedParts, reportedEdits, type InSkill, type ReportEdit } from './reportEdits.js';
import { heatOf, type HeatMap } from './reportHeat.js';
import type { SkillOverview } from './overview.js';
import { shownModels } from '../../wording/programs/shownModel.js';

/** Everything that the training report draws. Holds no answer and no prompt, so that it can be shared. */
export interface ReportData extends Pick<
  RunSummary,
  | 'skillName'
  | 'runId'
  | 'purpose'
  | 'startedAt'
  | 'endedAt'
  | 'workedMs'
  | 'outcome'
  | 'reason'
  | 'models'
  | 'tasks'
  | 'verdict'
  | 'sealed'
  | 'notes'
  | 'byType'
> {
  /** The verdict as everyone shows it: its numbers in lines, what would settle it, what makes it doubtful. */
  readonly shown: {
    /** What it is called, or how a run without one ended. */
    readonly head: HeadName | RunSummary['outcome'];
    readonly lines: readonly string[];
    readonly cure: string | null;
    readonly warnings: readonly string[];
  };
  /** The held-out tasks that cannot decide, and what they cost, in sentences. */
  readonly settled: readonly string[];
  /** Held-out scores over the steps; step 0 is the skill as it was. */
  readonly curve: readonly CurvePoint[];
  readonly heat: HeatMap;
  readonly roles: readonly ({ readonly role: string } & RoleSpend)[];
  readonly stages: readonly ({ readonly stage: Stage | typeof cutOffStage } & StageSpend)[];
  readonly edits: readonly ReportEdit[];
  /** As it stands now; only where the run chose by more than the score and its proposal is kept. */
  readonly candidates?: CandidateFacts | undefined;
  /** How much of the run's proposal is in the skill: the verdict is about all of it. */
  readonly inSkill: InSkill;
  readonly history: readonly HistoryPoint[];
}

/** One certified run of the skill, oldest first. */
export interface HistoryPoint {
  readonly at: number;
  readonly before: number;
  readonly after: number;
  readonly verdict: HeadName;
  /** All or part of it, and not undone again. */
  readonly adopted: boolean;
  readonly partly: boolean;
}

/** Gathers the report of one run (the newest one that trained, where none is named). */
export async function reportDataOf(
  skill: OpenSkill,
  overview: SkillOverview,
  wanted: string | undefined,
): Promise<ReportData | undefined> {
  const trained = overview.runs.filter(({ purpose }) => purpose !== 'evaluate' && purpose !== 'measure');
  const run = wanted === undefined ? trained[0] : overview.runs.find(({ runId }) => runId === wanted);
  if (run === undefined) return undefined;
  const events = await readEvents(skill.store, run.runId);
  const inSkillOf = await adoptedParts(skill.store);
  const { runId, purpose, startedAt, endedAt, workedMs, outcome, models, tasks } = run;
  const other = inPlaceOf(run, overview.pending);
  const { verdict, sealed } = other ?? run;
  const proposalId = other?.id ?? run.proposalId;
  return {
    skillName: run.skillName,
    runId,
    purpose,
    startedAt,
    endedAt,
    workedMs,
    outcome,
    reason: other?.verdict.reason ?? run.reason,
    models: models === undefined ? undefined : shownModels(models),
    tasks,
    verdict,
    sealed,
    shown: shownOf({ verdict, sealed, models, outcome }),
    settled: settledReport(powerOfRun(overview.runs, run), english),
    curve: curveOf(run, events),
    heat: heatOf(events),
    roles: Object.entries(run.spend).map(([role, spend]) => ({ role, ...spend })),
    stages: stagesOf(run),
    edits: await reportedEdits(skill.store, proposalId, overview.pending),
    candidates: candidatesOf(await keptProposal(skill, proposalId, overview.pending)),
    inSkill: inSkillOf(proposalId),
    history: historyOf(overview, inSkillOf),
    byType: run.byType,
    notes: [...frontNotes(other, run), ...groupedNotes(run.notes), ...workerNotes(run)],
  };
}

/** The one that waits, or the one that was put away last. */
async function keptProposal(
  { store }: OpenSkill,
  proposalId: string | undefined,
  pending: SkillOverview['pending'],
): Promise<Proposal | undefined> {
  if (proposalId === undefined) return undefined;
  return pending?.proposal.id === proposalId ? pending.proposal : takeOutProposal(store, proposalId);
}

/** The figures alone: the texts of skills that nobody decided on are no part of a report. */
function candidatesOf(proposal: Proposal | undefined): CandidateFacts | undefined {
  if (proposal?.candidates === undefined) return undefined;
  const { verdict, candidates } = proposal;
  const others = candidates.others.map(
    ({ candidateHash: _hash, candidateText: _text, files: _files, edits: _edits, dropped: _dropped, ...row }) => {
      const { evidence, ...figures } = row;
      return {
        ...figures,
        ...(evidence === undefined ? {} : { evidence: { verdict: headFacts(evidence.verdict) } }),
      };
    },
  );
  return { verdict: headFacts(verdict), candidates: { ...candidates, others } };
}

/** What the word of a verdict is made of. */
function headFacts(verdict: Verdict): HeadOfVerdict {
  const { kind, reason } = verdict;
  const figures = 'figures' in verdict ? verdict.figures : undefined;
  if (figures === undefined) return { kind, reason };
  return { kind, reason, figures: { difference: figures.difference, interval: figures.interval } };
}

/** The proposal that waits, where another candidate of this run was put in front since. */
function inPlaceOf({ proposalId, front }: RunSummary, pending: SkillOverview['pending']): Proposal | undefined {
  if (pending?.own !== true || pending.proposal.id === proposalId) return undefined;
  const { proposal } = pending;
  const named = new Set(front?.rows.map(({ hash }) => hash));
  const isOfRun = named.has(candidateHashOf(proposal, ''));
  return proposal.candidates !== undefined && isOfRun ? proposal : undefined;
}

/** The one that the run named may be back in front, under another id of its proposal. */
function frontNotes(other: Proposal | undefined, { front }: RunSummary): readonly string[] {
  const named = front?.candidate?.hash ?? front?.choiceHash;
  if (other === undefined || candidateHashOf(other, '') === named) return [];
  return [`${other.candidates?.proposed.id ?? ''} is proposed now, in place of the candidate that the run named.`];
}

function shownOf({
  verdict,
  sealed,
  models,
  outcome,
}: Pick<RunSummary, 'verdict' | 'sealed' | 'models' | 'outcome'>): ReportData['shown'] {
  if (verdict === undefined) return { head: outcome, lines: [], cure: null, warnings: [] };
  const report = verdictReport(verdict, sealed, models);
  return { head: headOf(verdict), lines: figureLines(report, english), cure: report.cure, warnings: report.warnings };
}

function stagesOf(run: RunSummary): ReportData['stages'] {
  const stages = stagesInOrder.flatMap((stage) => {
    const spend = run.stages[stage];
    return spend === undefined ? [] : [{ stage, ...spend }];
  });
  const cut = spentInNoStage(run);
  return cut === undefined ? stages : [...stages, { stage: cutOffStage, ...cut }];
}

function historyOf(
  { runs }: SkillOverview,
  inSkillOf: (proposalId: string | undefined) => InSkill,
): readonly HistoryPoint[] {
  return runs
    .flatMap(({ startedAt, verdict, proposalId }) => {
      const figures = verdict !== undefined && 'figures' in verdict ? verdict.figures : undefined;
      if (verdict === undefined || figures === undefined) return [];
      const { before, after } = figures;
      const inSkill = inSkillOf(proposalId);
      const fate = { adopted: inSkill !== 'none', partly: inSkill === 'part' };
      return [{ at: startedAt, before, after, verdict: headOf(verdict), ...fate }];
    })
    .toReversed();
}
