import type { Proposal } from '../ports/proposal.js';
import type { SplitTasks } from '../tasks/task.js';
import type { Attributed } from './certify/attribute.js';
import { asSkill } from './candidate.js';
import { noProposalReason, type NoProposal } from './noProposal.js';
import { makeProposal, type EditToPropose } from './makeProposal.js';
import { certifyBest } from './certify/certifyBest.js';
import type { PatchEdit } from './patch.js';
import { leftOutOf, rejectedEdits } from './rejectedEdits.js';
import type { RejectedEdit, RunContext } from './runContext.js';
import { scoreSealed } from './certify/sealed.js';
import { train } from './train.js';
import { claimFor } from './certify/certify.js';
import type { HeldOutScores } from './stages/heldOutScores.js';
import { judgeCandidate, type VerdictEvidence } from './certify/verdictOf.js';

/** The skill that a run is about. */
export interface RunSubject {
  readonly skillKey: string;
  readonly skillName: string;
  /** As the proposal names it: relative to the root where there is one. */
  readonly skillPath: string;
  readonly skill: string;
  readonly memory: string | undefined;
  readonly tasks: SplitTasks;
  readonly models: Proposal['models'];
}

/** What a run leaves: a proposal, or the reason why there is none; and what should not be proposed again. */
export type RunResult =
  | { readonly kind: 'proposed'; readonly proposal: Proposal; readonly rejected: readonly RejectedEdit[] }
  | { readonly kind: 'nothing'; readonly nothing: NoProposal; readonly rejected: readonly RejectedEdit[] };

/** A run: train, see what each edit is worth, certify the ones kept, and propose. Changes no file. */
export async function optimizeSkill(context: RunContext, subject: RunSubject, signal: AbortSignal): Promise<RunResult> {
  const watched = watchRun(context);
  const { memory, tasks } = subject;
  const slot = asSkill(memory);
  const trained = await train(watched.context, { text: subject.skill, slot, tasks }, signal);
  if (trained.best.hash === trained.original.hash) {
    const nothing = noProposalReason(trained, watched.lost, watched.attempts());
    return { kind: 'nothing', nothing, rejected: rejectedEdits(trained, { dropped: [], failed: [] }) };
  }
  const { original, best, heldOut } = trained;
  const { attributed, judged } = await certifyBest(
    context,
    { original, best, slot, memory, scores: heldOut, training: tasks.training, heldOut: tasks.heldOut },
    signal,
  );
  const texts = { before: slot(original), after: slot(attributed.kept) };
  const sealed = await scoreSealed(context, tasks.sealed, texts, signal);
  const proposal = makeProposal(context, {
    subject,
    documents: [
      {
        kind: 'skill',
        path: subject.skillPath,
        base: original,
        candidate: attributed.kept,
        edits: proposedEdits(attributed),
      },
    ],
    leftOut: leftOutOf(trained),
    judged,
    sealed,
  });
  context.record({ kind: 'verdict', verdict: proposal.verdict, proposalId: proposal.id });
  const failed = proposal.verdict.kind === 'rejected' ? attributed.kept.edits : [];
  return { kind: 'proposed', proposal, rejected: rejectedEdits(trained, { dropped: attributed.dropped, failed }) };
}

/** The edits of a document as the person sees them, numbered after a letter that tells the documents apart. */
export function proposedEdits({ kept, worths }: Attributed, letter: 'E' | 'M' = 'E'): readonly EditToPropose[] {
  const nameOf = (edit: PatchEdit): string => `${letter}${kept.edits.indexOf(edit) + 1}`;
  return kept.edits.map((each) => {
    const worth = worths.get(each);
    const group = worth?.group.filter((other) => kept.edits.includes(other)).map(nameOf) ?? [];
    return {
      id: nameOf(each),
      edit: each.edit,
      worth:
        worth === undefined
          ? { kind: 'not-measured-singly' }
          : { kind: 'measured', effect: worth.effect, interval: worth.interval, group },
      source: each.source,
      lessonsFrom: each.tasks,
      support: each.support,
    };
  });
}
