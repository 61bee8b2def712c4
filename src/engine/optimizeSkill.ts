import { ModelError } from '../errors.js';
import type { Proposal, ProposedEdit } from '../ports/proposal.js';
import type { SealedTask, SplitTasks } from '../tasks/task.js';
import { attribute, type Attributed } from './attribute.js';
import { meanOf } from './attempts.js';
import type { Candidate } from './candidate.js';
import { whyNothing, type Nothing } from './nothingProposed.js';
import { makeProposal } from './makeProposal.js';
import { rollOut } from './rollOut.js';
import type { RejectedEdit, RunContext } from './runContext.js';
import { notTaken, train, type Trained } from './train.js';
import { judgeCandidate } from './verdictOf.js';

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
  | { readonly kind: 'nothing'; readonly nothing: Nothing; readonly rejected: readonly RejectedEdit[] };

/** A run: train, see what each edit is worth, certify the ones kept, and propose. Changes no file. */
export async function optimizeSkill(context: RunContext, subject: RunSubject, signal: AbortSignal): Promise<RunResult> {
  const watched = watch(context);
  const trained = await train(watched.context, subject, signal);
  if (trained.best.hash === trained.original.hash) {
    const nothing = whyNothing(trained, watched.lost, watched.attempts());
    return { kind: 'nothing', nothing, rejected: rejectedEdits(trained, []) };
  }
  const attributed = await attribute(context, trained, subject.tasks.training, signal);
  const judged = await judgeCandidate(
    context,
    {
      original: trained.original,
      candidate: attributed.kept,
      heldOut: subject.tasks.heldOut,
      scores: trained.heldOut,
      memory: { before: subject.memory, after: subject.memory },
    },
    signal,
  );
  const sealed = await scoreSealed(context, subject, { before: trained.original, after: attributed.kept }, signal);
  const proposal = makeProposal(context, {
    subject,
    documents: [
      {
        kind: 'skill',
        path: subject.skillPath,
        base: trained.original,
        candidate: attributed.kept,
        edits: proposedEdits(attributed),
      },
    ],
    leftOut: notTaken(trained).leftOut,
    judged,
    sealed,
  });
  context.record({ kind: 'verdict', verdict: proposal.verdict, proposalId: proposal.id });
  return { kind: 'proposed', proposal, rejected: rejectedEdits(trained, attributed.dropped) };
}

/** The sealed tasks, once before and once after. They decide nothing; a cap leaves them out. */
export async function scoreSealed(
  context: RunContext,
  subject: { readonly memory: string | undefined; readonly tasks: { readonly sealed: readonly SealedTask[] } },
  texts: { readonly before: Candidate; readonly after: Candidate },
  signal: AbortSignal,
): Promise<Proposal['sealed']> {
  const tasks = subject.tasks.sealed;
  if (tasks.length === 0) return undefined;
  context.record({ kind: 'stage', stage: 'sealed', step: 0, planned: tasks.length * 2 });
  const scored = async (text: Candidate): Promise<number | undefined> => {
    const family = `sealed:${context.options.train.seed}`;
    const plan = { stage: 'sealed' as const, step: 0, skill: text.text, memory: subject.memory, attempts: [1], family };
    return meanOf(await rollOut(context, tasks, plan, signal), context.options.gate);
  };
  try {
    const before = await scored(texts.before);
    const after = await scored(texts.after);
    if (before === undefined || after === undefined) return undefined;
    context.record({ kind: 'sealed', before, after, n: tasks.length });
    return { before, after, n: tasks.length };
  } catch (error) {
    if (error instanceof ModelError && error.kind === 'cap') return undefined;
    throw error;
  }
}

export function proposedEdits({ kept, worths }: Attributed): readonly ProposedEdit[] {
  return kept.edits.map((each, index) => ({
    id: `E${index + 1}`,
    edit: each.edit,
    worth: worths.get(each) ?? { kind: 'not-measured-singly' },
    source: each.source,
    lessonsFrom: each.tasks,
    support: each.support,
  }));
}

function rejectedEdits(
  trained: Trained,
  dropped: readonly { readonly edit: ProposedEdit['edit'] }[],
): readonly RejectedEdit[] {
  const { edits, leftOut } = notTaken(trained);
  return [
    ...edits.map((each) => row(each.edit, 'held-out tasks did not score higher')),
    ...dropped.map((each) => row(each.edit, 'training tasks did not score higher with it')),
    ...leftOut.map(({ edit, outcome }) => row(edit, outcome.kind === 'applied' ? '' : outcome.detail)),
  ];
}

function row(edit: ProposedEdit['edit'], reason: string): RejectedEdit {
  return {
    op: edit.op,
    anchor: 'anchor' in edit ? edit.anchor : undefined,
    content: 'content' in edit ? edit.content : undefined,
    reason,
  };
}

/** Listens to what the stages report, for the sentence that says why nothing came of them. */
function watch(context: RunContext): {
  readonly context: RunContext;
  readonly lost: readonly string[];
  readonly attempts: () => { readonly attempts: number; readonly invalid: number; readonly last: string | undefined };
} {
  const lost: string[] = [];
  let attempts = 0;
  let invalid = 0;
  let last: string | undefined;
  return {
    lost,
    attempts: () => ({ attempts, invalid, last }),
    context: {
      ...context,
      record: (event) => {
        if (event.kind === 'patches') lost.push(...event.lost);
        if (event.kind === 'attempt') {
          attempts++;
          if (event.outcome.kind === 'invalid') {
            invalid++;
            last = event.outcome.reason;
          }
        }
        context.record(event);
      },
    },
  };
}
