import type { Stage } from '../../engine/journal/runEvents.js';
import type { RoleSpend, RunSummary, StageSpend } from '../../engine/journal/runSummary.js';
import type { Verdict } from '../../gate/verdict/verdict.js';
import { english } from '../../wording/translate.js';
import { groupedNotes } from '../../wording/noteText.js';
import { figureLines, verdictReport } from '../../wording/verdictReport.js';
import type { EditWorth } from '../../ports/proposal.js';
import { readEvents } from '../runs/runJournal.js';
import type { OpenSkill } from '../openSkill.js';
import { curveOf, type CurvePoint } from './reportCurve.js';
import { heatOf, type HeatMap } from './reportHeat.js';
import type { SkillOverview } from './overview.js';

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
> {
  /** The verdict as everyone shows it: its numbers in lines, what would settle it, what makes it doubtful. */
  readonly shown: {
    readonly lines: readonly string[];
    readonly cure: string | null;
    readonly warnings: readonly string[];
  };
  /** Held-out scores over the steps; step 0 is the skill as it was. */
  readonly curve: readonly CurvePoint[];
  readonly heat: HeatMap;
  readonly roles: readonly ({ readonly role: string } & RoleSpend)[];
  readonly stages: readonly ({ readonly stage: Stage } & StageSpend)[];
  readonly edits: readonly ReportEdit[];
  readonly history: readonly HistoryPoint[];
}

export interface ReportEdit {
  readonly id: string;
  readonly op: string;
  /** What it writes; of a deletion what it takes away. */
  readonly text: string;
  readonly rationale: string;
  readonly worth: EditWorth;
  readonly decision: 'open' | 'accepted' | 'rejected' | 'edited';
}

/** One certified run of the skill, oldest first. */
export interface HistoryPoint {
  readonly at: number;
  readonly before: number;
  readonly after: number;
  readonly verdict: Verdict['kind'];
  readonly adopted: boolean;
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
  const { runId, purpose, startedAt, endedAt, workedMs, outcome, reason, models, tasks, verdict, sealed } = run;
  return {
    skillName: run.skillName,
    runId,
    purpose,
    startedAt,
    endedAt,
    workedMs,
    outcome,
    reason,
    models,
    tasks,
    verdict,
    sealed,
    shown: shownOf(run),
    curve: curveOf(run, events),
    heat: heatOf(events),
    roles: Object.entries(run.spend).map(([role, spend]) => ({ role, ...spend })),
    stages: stagesOf(run),
    edits: editsOf(run, overview),
    history: historyOf(overview),
    notes: groupedNotes(run.notes),
  };
}

function shownOf({ verdict, sealed }: RunSummary): ReportData['shown'] {
  if (verdict === undefined) return { lines: [], cure: null, warnings: [] };
  const report = verdictReport(verdict, sealed);
  return { lines: figureLines(report, english), cure: report.cure, warnings: report.warnings };
}

function stagesOf({ stages }: RunSummary): ReportData['stages'] {
  const order: readonly Stage[] = [
    'baseline',
    'rollout',
    'reflect',
    'aggregate',
    'select',
    'update',
    'evaluate',
    'attribute',
    'certify',
    'sealed',
  ];
  return order.flatMap((stage) => {
    const spend = stages[stage];
    return spend === undefined ? [] : [{ stage, ...spend }];
  });
}

/** Edits are known while the proposal of the run waits; afterwards the history tells what became of them. */
function editsOf({ proposalId }: RunSummary, { pending }: SkillOverview): readonly ReportEdit[] {
  if (pending === undefined || pending.proposal.id !== proposalId) return [];
  return pending.proposal.documents.flatMap(({ edits }) =>
    edits.map(({ id, edit, worth }) => ({
      id,
      op: edit.op,
      text: 'content' in edit ? edit.content : edit.anchor,
      rationale: edit.rationale,
      worth,
      decision: pending.decisions[id]?.kind ?? 'open',
    })),
  );
}

function historyOf({ runs, history }: SkillOverview): readonly HistoryPoint[] {
  const adopted = new Set(history.flatMap(({ proposalId, action }) => (action === 'adopt' ? [proposalId] : [])));
  return runs
    .flatMap(({ startedAt, verdict, proposalId }) => {
      const figures = verdict !== undefined && 'figures' in verdict ? verdict.figures : undefined;
      if (verdict === undefined || figures === undefined) return [];
      const taken = proposalId !== undefined && adopted.has(proposalId);
      return [{ at: startedAt, before: figures.before, after: figures.after, verdict: verdict.kind, adopted: taken }];
    })
    .toReversed();
}
