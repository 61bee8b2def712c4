import type { Proposal } from '../ports/proposal.js';
import type { PackageFiles } from '../skill/package/packageFile.js';
import type { SplitLeak } from '../tasks/split/splitTasks.js';
import type { SplitTasks, HeldOutTask, TrainingTask } from '../tasks/task.js';
import { withoutLeaks } from './leakedTasks.js';
import { type AttributionResult, attribute, attributeAfterAll, uselessOf } from './certify/attribute.js';
import { countForAttribution, type AttributionBudget } from './certify/attributionBudget.js';
import { asSkill, type Candidate, type DocumentSlot } from './candidate.js';
import { noProposalReason, type NoProposal } from './noProposal.js';
import { watchRun } from './watchRun.js';
import { proposedCandidates } from './front/proposedCandidates.js';
import { makeProposal, proposedEdits } from './makeProposal.js';
import { changedDocuments } from './package/changedDocuments.js';
import { leftOutOf, rejectedEdits } from './rejectedEdits.js';
import type { RunContext } from './runContext.js';
import type { RejectedEdit } from './stages/history.js';
import { askingAhead } from './askAhead.js';
import { scoreSealed, sealedJobs } from './certify/sealed.js';
import { train, type TrainingResult } from './train.js';
import { claimFor, type ClaimInput } from './certify/certify.js';
import type { HeldOutScores } from './stages/heldOutScores.js';
import { judgeCandidate, type VerdictEvidence } from './certify/verdictOf.js';

/** The skill that a run is about. */
export interface RunSubject {
  readonly skillKey: string;
  readonly skillName: string;
  /** As the proposal names it: relative to the root where there is one. */
  readonly skillPath: string;
  readonly skill: string;
  /** The documents beside SKILL.md that may be edited; undefined where there are none. */
  readonly files?: PackageFiles | undefined;
  readonly memory: string | undefined;
  readonly tasks: SplitTasks;
  /** Tasks that training has seen, as the split reports them. */
  readonly leaks: readonly SplitLeak[];
  readonly models: Proposal['models'];
}

/** What a run leaves: a proposal, or the reason why there is none; and what should not be proposed again. */
export type RunResult = (
  | { readonly kind: 'proposed'; readonly proposal: Proposal }
  | { readonly kind: 'nothing'; readonly nothing: NoProposal }
) & {
  readonly rejected: readonly RejectedEdit[];
  /** The optimizer's notes as the run leaves them. */
  readonly metaSkill?: string | undefined;
};

/** A run: train, see what each edit is worth, certify the ones kept, and propose. Changes no file. */
export async function optimizeSkill(run: RunContext, subject: RunSubject, signal: AbortSignal): Promise<RunResult> {
  const { memory } = subject;
  const { tasks, allLeaked } = withoutLeaks(run, subject.tasks, subject.leaks);
  const { context, budget } = countForAttribution(run, tasks);
  const watched = watchRun(context);
  const slot = asSkill(memory);
  const trained = await train(watched.context, { text: subject.skill, files: subject.files, slot, tasks }, signal);
  if (trained.best.hash === trained.original.hash) {
    const nothing = noProposalReason(trained, watched.lost, watched.attempts(), context.rejected);
    return { kind: 'nothing', nothing, ...leftBy(trained, { dropped: [], failed: [], heldOut: tasks.heldOut }) };
  }
  const { original, best, heldOut } = trained;
  const found = {
    original,
    best,
    slot,
    memory,
    budget,
    allLeaked,
    scores: heldOut,
    onTraining: trained.front?.outcome(best),
    rule: context.options.choice.rule,
    training: tasks.training,
    heldOut: tasks.heldOut,
  };
  const { attributed, judged } = await askingAhead(
    context,
    () => certifyBest(context, found, signal),
    () => sealedJobs(context, tasks.sealed, { before: slot(original), after: slot(best) }),
    signal,
  );
  const texts = { before: slot(original), after: slot(attributed.kept) };
  const sealed = await scoreSealed(context, tasks.sealed, texts, signal);
  const proposal = makeProposal(context, {
    subject,
    documents: documentsOf(subject.skillPath, original, { attributed, always: trained.front !== undefined }),
    leftOut: leftOutOf(trained),
    judged,
    sealed,
    training: tasks.training,
    candidates: candidatesOf(context, trained, attributed.kept),
    attributed: [attributed],
  });
  context.record({ kind: 'verdict', verdict: proposal.verdict, proposalId: proposal.id });
  const { verdict } = proposal;
  const failed = verdict.kind === 'rejected' ? attributed.kept.edits : [];
  const notKept = { dropped: uselessOf(attributed), failed, verdict, heldOut: tasks.heldOut };
  return { kind: 'proposed', proposal, ...leftBy(trained, notKept) };
}

function documentsOf(
  path: string,
  base: Candidate,
  { attributed, always }: { readonly attributed: AttributionResult; readonly always: boolean },
): ReturnType<typeof changedDocuments> {
  // What the other candidates of a front are made of is the skill as it was.
  return changedDocuments({ path, base, candidate: attributed.kept, always }, proposedEdits(attributed));
}

function candidatesOf(
  { options }: RunContext,
  { front, original, best }: TrainingResult,
  kept: Candidate,
): Proposal['candidates'] {
  return front && proposedCandidates({ front, choice: options.choice, original, best, kept });
}

/** What a run leaves for later ones. */
function leftBy(trained: TrainingResult, edits: Parameters<typeof rejectedEdits>[1]) {
  return { rejected: rejectedEdits(trained, edits), metaSkill: trained.metaSkill };
}

interface RunsBest {
  readonly original: Candidate;
  readonly best: Candidate;
  readonly slot: DocumentSlot;
  readonly memory: string | undefined;
  readonly budget: AttributionBudget;
  readonly allLeaked: boolean;
  readonly scores: HeldOutScores | undefined;
  readonly onTraining: ClaimInput['onTraining'];
  readonly rule: ClaimInput['rule'];
  readonly training: readonly TrainingTask[];
  readonly heldOut: readonly HeldOutTask[];
}

/** The edits of a run's best that stay, what each is worth as far as it was measured, and the verdict on them. */
interface BestVerdict {
  readonly attributed: AttributionResult;
  readonly judged: VerdictEvidence;
}

/**
 * Drops the edits that do not help and certifies the rest. Where their worth had not been measured (switched off, or a
 * cap), a bundle that was rejected is searched afterwards, and the part worth keeping is certified in its turn: two
 * certifications at most, each paid for.
 */
async function certifyBest(context: RunContext, run: RunsBest, signal: AbortSignal): Promise<BestVerdict> {
  const first = await attribute(context, attributing(run), signal);
  const judged = await judge(context, run, first.kept, signal);
  if (judged.verdict.kind !== 'rejected' || first.worths.size > 0) return { attributed: first, judged };
  const searched = await attributeAfterAll(context, attributing(run), signal);
  if (searched.dropped.length === 0) return { attributed: searched, judged };
  context.record({
    kind: 'note',
    text: `All ${run.best.edits.length} edits together: ${judged.verdict.reason} The ${searched.kept.edits.length} that help were certified by themselves.`,
  });
  return { attributed: searched, judged: await judge(context, run, searched.kept, signal) };
}

/** The rule of choice says nothing of single edits: under any of them one that makes the skill longer has to help. */
function attributing(run: RunsBest): Parameters<typeof attribute>[1] {
  const { original, best, slot, budget, training } = run;
  return { original, best, slot, budget, tasks: training, claim: claimFor(compared(run, best)) };
}

function judge(
  context: RunContext,
  run: RunsBest,
  candidate: Candidate,
  signal: AbortSignal,
): Promise<VerdictEvidence> {
  return judgeCandidate(context, { ...compared(run, candidate), rule: run.rule }, signal);
}

function compared({ best, memory, ...run }: RunsBest, candidate: Candidate) {
  const { original, heldOut, allLeaked, scores, onTraining } = run;
  const beside = { before: memory, after: memory };
  return { original, candidate, heldOut, allLeaked, scores, onTraining, selected: best, memory: beside };
}
