import { unmeasured } from '../../wording/verdicts.js';
import type { Verdict } from '../../gate/verdict/verdict.js';
import type { Proposal } from '../../ports/proposal.js';
import type { HeldOutTask } from '../../tasks/task.js';
import type { TextPair } from '../candidate.js';
import {
  type ConsolidateSubject,
  type ConsolidationRun,
  lastCheck,
  pairOf,
  type ConsolidationResult,
  type DocumentResults,
  evolveMemory,
  evolveSkill,
  type DocumentResult,
} from './evolve.js';
import { variantsOf } from './trainingTasks.js';
import { withoutLeaks } from '../leakedTasks.js';
import { makeProposal, proposedEdits } from '../makeProposal.js';
import { changedDocuments } from '../package/changedDocuments.js';
import { mostTelling, notShown, noProposalReason, whatWasTried } from '../noProposal.js';
import { watchRun } from '../watchRun.js';
import type { RunResult } from '../optimizeSkill.js';
import { leftOutOf, rejectedEdits } from '../rejectedEdits.js';
import type { RunContext } from '../runContext.js';
import type { RejectedEdit } from '../stages/history.js';
import { uselessOf } from '../certify/attribute.js';
import { countForAttribution } from '../certify/attributionBudget.js';
import { scoreSealed } from '../certify/sealed.js';
import type { VerdictEvidence } from '../certify/verdictOf.js';
import type { RunOptions } from '../runOptions.js';

/**
 * One gated epoch: the skill is trained on every training task, then the memory file under the new skill, and the pair
 * of them is held against the original at the end. What that check rejects is not staged, neither part. Changes no file.
 */
export async function consolidate(
  context: RunContext,
  subject: ConsolidateSubject,
  signal: AbortSignal,
): Promise<RunResult> {
  const { tasks, allLeaked } = withoutLeaks(context, subject.tasks, subject.leaks);
  const { heldOut } = tasks;
  const run = consolidationRun(context, { ...subject, tasks });
  const watched = watchRun(run.context);
  const working = { ...run, context: watched.context };
  const skill = context.options.consolidate.skill ? await evolveSkill(working, subject, signal) : undefined;
  const memory = context.options.consolidate.memory ? await evolveMemory(working, subject, skill, signal) : undefined;
  const stages = [skill, memory].filter((stage) => stage !== undefined);
  if (!stages.some(isChanged)) {
    const reasons = stages.map(({ trained }) =>
      noProposalReason(trained, watched.lost, watched.attempts(), context.rejected),
    );
    const nothing = { ...mostTelling(reasons), ...whatWasTried(stages.map(({ trained }) => trained)) };
    return { kind: 'nothing', nothing, rejected: rejectedIn(stages, { heldOut }) };
  }
  const unproven = allLeaked && context.options.gate.rule !== 'off';
  const end: ConsolidationResult = unproven
    ? { skill, memory, judged: { verdict: unmeasured('leaked'), comparisons: [], answers: {} } }
    : await lastCheck(run, subject, { skill, memory }, signal);
  const kept = [end.skill, end.memory].filter((stage) => stage !== undefined);
  if (end.judged.verdict.kind === 'rejected') {
    context.record({ kind: 'verdict', verdict: end.judged.verdict, proposalId: undefined });
    const tried = whatWasTried(kept.map(({ trained }) => trained));
    const nothing = { ...notShown(end.judged.verdict.reason), ...tried };
    return { kind: 'nothing', nothing, rejected: rejectedIn(kept, { heldOut, failed: end.judged.verdict }) };
  }
  const sealed = await sealedScores(run.context, subject, pairOf(subject, end), signal);
  const proposal = propose(run.context, subject, { ...end, ...run, sealed });
  context.record({ kind: 'verdict', verdict: proposal.verdict, proposalId: proposal.id });
  return { kind: 'proposed', proposal, rejected: rejectedIn(kept, { heldOut }) };
}

/** The run with one epoch and one step over all training tasks, made more by variants and by what is recalled. */
function consolidationRun(context: RunContext, { tasks, recalled }: ConsolidateSubject): ConsolidationRun {
  const variants = variantsOf(tasks.training, context.options.consolidate.variants);
  const training = [...tasks.training, ...variants.map(({ task }) => task), ...recalled];
  const { options } = context;
  const all = { ...tasks, training };
  const train = { ...options.train, epochs: 1, batchSize: Math.max(1, training.length) };
  return {
    ...countForAttribution({ ...context, options: { ...options, train } }, all),
    tasks: all,
    synthetic: new Map(variants.map(({ task, madeFrom }) => [task.id, madeFrom])),
  };
}

function isChanged({ trained, attributed }: DocumentResult): boolean {
  return attributed.kept.hash !== trained.original.hash;
}

/** Scored before and after, and shown. Where no task is held out it must not look like the proof that is missing. */
async function sealedScores(
  context: RunContext,
  { tasks }: ConsolidateSubject,
  pair: TextPair,
  signal: AbortSignal,
): Promise<Proposal['sealed']> {
  const standsAlone = context.options.gate.rule !== 'off' && tasks.heldOut.length === 0;
  return standsAlone ? undefined : scoreSealed(context, tasks.sealed, pair, signal);
}

function propose(
  context: RunContext,
  subject: ConsolidateSubject,
  parts: DocumentResults & {
    readonly judged: VerdictEvidence;
    readonly sealed: Proposal['sealed'];
  } & Pick<ConsolidationRun, 'synthetic' | 'tasks'>,
): Proposal {
  const documentsOf = (kind: 'skill' | 'memory', path: string, stage: DocumentResult | undefined) => {
    if (stage === undefined || !isChanged(stage)) return [];
    const edits = proposedEdits(stage.attributed, kind === 'skill' ? 'E' : 'M').map((edit) => ({
      ...edit,
      lessonsFrom: [...new Set(edit.lessonsFrom.map((id) => parts.synthetic.get(id) ?? id))],
    }));
    const texts = { path, base: stage.trained.original, candidate: stage.attributed.kept };
    return kind === 'skill' ? changedDocuments(texts, edits) : [{ kind, ...texts, edits }];
  };
  return makeProposal(context, {
    subject,
    documents: [
      ...documentsOf('skill', subject.skillPath, parts.skill),
      ...documentsOf('memory', subject.memoryFile?.path ?? '', parts.memory),
    ],
    leftOut: [parts.skill, parts.memory].flatMap((stage) => (stage === undefined ? [] : leftOutOf(stage.trained))),
    judged: parts.judged,
    sealed: parts.sealed,
    training: parts.tasks.training,
    attributed: [parts.skill, parts.memory].flatMap((stage) => (stage === undefined ? [] : [stage.attributed])),
  });
}

/** `failed`: the verdict on what was kept, where it was rejected. */
function rejectedIn(
  stages: readonly DocumentResult[],
  { heldOut, failed }: { readonly heldOut: readonly HeldOutTask[]; readonly failed?: Verdict },
): readonly RejectedEdit[] {
  return stages.flatMap(({ trained, attributed }) =>
    rejectedEdits(trained, {
      dropped: uselessOf(attributed),
      failed: failed === undefined ? [] : attributed.kept.edits,
      verdict: failed,
      heldOut,
    }),
  );
}

/** What a consolidation did, in the words of SkillOpt-Sleep, so that other tools can read it. */
export type ConsolidateAction = 'accept_new_best' | 'reject' | 'reject_unverified' | 'greedy_applied' | 'greedy_noop';

/**
 * Its word for our result. It knows two outcomes of a gate: what is undecided counts as rejected there, and so does
 * what could not be verified at all, which it lists as suggestions.
 */
export function consolidateAction(result: RunResult, { gate }: Pick<RunOptions, 'gate'>): ConsolidateAction {
  if (gate.rule === 'off') return result.kind === 'proposed' ? 'greedy_applied' : 'greedy_noop';
  if (result.kind === 'nothing') return 'reject';
  switch (result.proposal.verdict.kind) {
    case 'accepted':
      return 'accept_new_best';
    case 'unmeasured':
      return 'reject_unverified';
    case 'rejected':
    case 'inconclusive':
      return 'reject';
  }
}
