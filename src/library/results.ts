import type { EvaluatedTask, EvaluationResult } from '../app/runs/evaluate.js';
import type { OptimizeResult } from '../app/runs/optimize.js';
import { filesProposed } from '../engine/package/changedDocuments.js';
import { totalSpend, type RoleSpend } from '../engine/journal/runSummary.js';
import type { ProposedEdit } from '../ports/proposal.js';
import { verdictReport } from '../wording/verdictReport.js';
import type { EvaluateResult, LibraryEdit, LibrarySpend, TrainResult } from './library.js';

/** What a run came to, in the words of the library. */
export function trainResult({
  runId,
  summary,
  proposal,
  proposalFile,
  noProposal: nothing,
}: OptimizeResult): TrainResult {
  const documents = proposal?.documents ?? [];
  const skill = documents.find(({ kind }) => kind === 'skill');
  const files = filesProposed({ documents }, 'candidateText');
  const ofPackage = documents.filter(({ kind }) => kind !== 'memory');
  return {
    run: runId,
    skill: summary.skillName,
    verdict: proposal === undefined ? undefined : verdictReport(proposal.verdict, proposal.sealed),
    nothing: nothing === undefined ? undefined : { cause: nothing.cause, reason: nothing.reason },
    text: skill?.candidateText,
    ...(Object.keys(files).length === 0 ? {} : { files }),
    edits: ofPackage.flatMap(({ edits }) => edits.map(editOf)),
    tasks: proposal?.comparisons ?? [],
    sealed: proposal?.sealed,
    proposal: proposalFile,
    spend: spendOf(totalSpend(summary)),
  };
}

function editOf({ id, edit, worth, lessonsFrom, source, environment }: ProposedEdit): LibraryEdit {
  return {
    id,
    op: edit.op,
    ...('file' in edit && edit.file !== undefined ? { file: edit.file } : {}),
    anchor: 'anchor' in edit ? edit.anchor : undefined,
    content: 'content' in edit ? edit.content : '',
    rationale: edit.rationale,
    worth: worth.kind === 'measured' ? worth.effect : undefined,
    source,
    environment,
    lessonsFrom,
  };
}

export function evaluateResult({
  skillName,
  model,
  simulated,
  tasks,
  totals,
  baseline,
  notScored,
  summary,
}: EvaluationResult): EvaluateResult {
  return {
    skill: skillName,
    model,
    simulated,
    tasks: tasks.map(rowOf),
    totals,
    baseline: baseline === undefined ? undefined : { tasks: baseline.tasks.map(rowOf), totals: baseline.totals },
    notScored,
    spend: spendOf(totalSpend(summary)),
  };
}

function rowOf({ id, split, hard, soft, checks, invalid, answer }: EvaluatedTask): EvaluateResult['tasks'][number] {
  const told = checks.map(({ name, pass, reason }) => ({ name, pass, reason }));
  return { id, split, hard, soft, checks: told, invalid, answer };
}

export function spendOf({ calls, cachedCalls, failedCalls, tokens, usd }: RoleSpend): LibrarySpend {
  return { calls, cachedCalls, failedCalls, tokens, usd };
}
