import type { TargetInput } from '../../engine/candidate.js';
import { judgePair, pairCandidate, type VerdictEvidence } from '../../engine/certify/verdictOf.js';
import { withEvidence } from '../../engine/makeProposal.js';
import { notCertifiedRow } from '../../engine/rejectedEdits.js';
import type { RunOptions } from '../../engine/runOptions.js';
import { scoreSealed } from '../../engine/certify/sealed.js';
import { HeldOutScores } from '../../engine/stages/heldOutScores.js';
import { learnedLeaks, withoutLeaks } from '../../engine/leakedTasks.js';
import { UserError } from '../../errors.js';
import { filesProposed } from '../../engine/package/changedDocuments.js';
import type { Proposal } from '../../ports/proposal.js';
import { noteDecisions, readDecisions, removeDecisions } from '../../storage/proposals/decisions.js';
import type { Edit } from '../../skill/edits/edit.js';
import { proposalFile, writeProposal } from '../../storage/proposals/proposals.js';
import { rejectedEditsOf } from '../../storage/proposals/rejectedEdits.js';
import { conditionsOf, isWaiting } from './certificationStore.js';
import { textNow } from '../proposals/documentFiles.js';
import { candidateOf, waitingProposal } from '../proposals/chooseCandidate.js';
import { endRun, toEnd, type OptimizeResult } from './optimize.js';
import type { HeldOutTask } from '../../tasks/task.js';
import { findMemoryFile } from './memoryFile.js';
import type { OpenSkill } from '../openSkill.js';
import { failRun, withSkillRun, type SkillRun } from './skillRun.js';
import { editUnits } from '../proposals/chosenPart.js';
import type { RunStart } from './runStart.js';

/**
 * Goes on with the certification of the pending proposal where it was cut off, or begins the one that it could not have;
 * a finished one is never re-opened. Judged as the proposal was begun: same rule, metric, seed and models. With `candidate`
 * another candidate of the run is certified: it takes the place of the one proposed where it is accepted, and is a row of
 * the table with its verdict where not.
 */
export async function resumeCertification(
  given: RunStart,
  signal: AbortSignal,
  candidate?: string,
): Promise<OptimizeResult> {
  const waiting = await openProposal(given.skill, candidate);
  const start: RunStart = { ...given, purpose: 'measure', options: asBegun(given.options, waiting) };
  return withSkillRun(start, signal, async (run) => {
    const ending = toEnd(start, run);
    try {
      const before = await openProposal(start.skill, candidate);
      refuseChanged(before, waiting, run);
      const certified = await decided(start, run, before);
      await run.settled();
      const proposal = await replace(start, certified, candidate, run.signal);
      run.journal.record({ kind: 'verdict', verdict: certified.verdict, proposalId: proposal.id });
      const summary = await endRun(ending, { outcome: 'proposed', reason: certified.verdict.reason }, certified);
      const file = proposalFile(start.skill.store);
      const units = proposal.documents.flatMap(editUnits);
      return { runId: run.journal.runId, summary, proposal, proposalFile: file, units, noProposal: undefined };
    } catch (error) {
      return failRun(run, error);
    }
  });
}

/**
 * Where the gate was off there is nothing to go on with; then it is measured by the rule of now. Another candidate of a run
 * is measured as the one that the run named.
 */
export function asBegun(
  options: RunOptions,
  { settings, verdict }: Pick<Proposal, 'settings' | 'verdict'>,
): RunOptions {
  const { rule, metric, seed } = settings;
  const isCandidate = verdict.kind === 'unmeasured' && verdict.cause === 'not-certified';
  const begun = (verdict.kind === 'inconclusive' || isCandidate) && rule !== 'off';
  return {
    ...options,
    train: { ...options.train, seed },
    gate: begun ? { ...options.gate, rule, metric } : options.gate,
  };
}

async function decided(start: RunStart, run: SkillRun, before: Proposal): Promise<Proposal> {
  const { context, signal } = run;
  const { split, leaks } = start.tasks.result;
  const { tasks, allLeaked } = withoutLeaks(context, split, [...leaks, ...learnedLeaks(split.heldOut, before)]);
  const { heldOut, sealed } = tasks;
  const pair = await pairOf(start, run, { proposal: before, heldOut });
  const scores = new HeldOutScores(context, heldOut, () => pair.after);
  const chosen = { onTraining: before.candidates?.proposed.outcome, rule: before.candidates?.rule };
  const judged = await judgePair(
    context,
    { pair, filesBefore: filesProposed(before, 'baseText'), heldOut, allLeaked, scores, ...chosen },
    signal,
  );
  // Sealed tasks are scored once: again only where the cap had left them out.
  const seen = before.sealed ?? (await scoreSealed(context, sealed, pair, signal));
  return withEvidence(before, judgedSoFar(before, judged), seen);
}

/** A refusal before the first pass brings no evidence; what the proposal showed already stays beneath it. */
function judgedSoFar(before: Proposal, judged: VerdictEvidence): VerdictEvidence {
  const nothingNew = judged.comparisons.length === 0 && before.comparisons.length > 0;
  return nothingNew ? { ...judged, comparisons: before.comparisons, answers: before.answers } : judged;
}

interface Pair {
  readonly before: TargetInput;
  readonly after: TargetInput;
}

/** The two pairs of texts, beside the memory file where the certification that waits was begun beside it. */
async function pairOf(
  start: RunStart,
  run: SkillRun,
  { proposal, heldOut }: { readonly proposal: Proposal; readonly heldOut: readonly HeldOutTask[] },
): Promise<Pair> {
  const texts = proposedTexts(start.skill, proposal);
  if (texts.before.memory !== undefined || !start.options.consolidate.memory) return texts;
  const memory = (await findMemoryFile(start.skill.places))?.text;
  const beside: Pair = { before: { ...texts.before, memory }, after: { ...texts.after, memory } };
  const subject = {
    originalHash: pairCandidate(beside.before).hash,
    candidateHash: pairCandidate(beside.after).hash,
    heldOut: heldOut.map((task) => task.contentHash),
  };
  const waits = await isWaiting(start.skill.store, subject, conditionsOf(run.models, start.options));
  return waits ? beside : texts;
}

/** Both texts of each document; the skill as it is where it has no part in the proposal. */
export function proposedTexts({ text }: OpenSkill, { documents }: Proposal): Pair {
  const files = filesProposed({ documents }, 'candidateText');
  const beside = Object.keys(files).length === 0 ? {} : { files };
  const skill = documents.find(({ kind }) => kind === 'skill');
  const memory = documents.find(({ kind }) => kind === 'memory');
  return {
    before: { skill: skill?.baseText ?? text, memory: memory?.baseText },
    after: { skill: skill?.candidateText ?? text, memory: memory?.candidateText, ...beside },
  };
}

/** The proposal, or one of its candidates, that can still be certified; a finished or stale one is refused. */
export async function openProposal(skill: OpenSkill, candidate: string | undefined): Promise<Proposal> {
  const waiting = await waitingProposal(skill);
  const proposal = candidate === undefined ? waiting : candidateOf(waiting, candidate);
  if (isFinished(proposal.verdict.kind)) {
    throw new UserError(
      'proposal-not-adoptable',
      'This measurement is finished and is never opened again.',
      proposal.verdict.kind === 'rejected'
        ? 'Optimize the skill again for a new one: with new held-out tasks the same edits may be tried again.'
        : 'Optimize the skill again for a new one.',
    );
  }
  for (const document of proposal.documents.filter(({ kind }) => kind !== 'memory')) {
    if ((await textNow(skill, document)) === document.baseText) continue;
    throw new UserError(
      'proposal-stale',
      'The skill has changed since this proposal was made.',
      'Measure what you accepted in the review, or optimize the skill again.',
    );
  }
  return proposal;
}

/** A measurement that came to its end is never opened again. */
export function isFinished(kind: Proposal['verdict']['kind'] | undefined): boolean {
  return kind === 'accepted' || kind === 'rejected';
}

function refuseChanged(before: Proposal, waiting: Proposal, { names }: SkillRun): void {
  if (before.id !== waiting.id) {
    throw new UserError('proposal-stale', 'Another proposal waits for this skill by now.', 'Look at it first.');
  }
  const role = (['target', 'judge'] as const).find((each) => before.models[each] !== names[each]);
  if (role === undefined) return;
  throw new UserError(
    'run-not-resumable',
    `This proposal was measured with ${before.models[role]} as ${role}, not with ${names[role]}.`,
    'Choose that model, or optimize the skill again.',
  );
}

/**
 * The same edits with more evidence: what the person decided on them stays decided. Another candidate is staged where it is
 * accepted; otherwise what was proposed stays so.
 */
async function replace(
  { skill, tasks }: RunStart,
  certified: Proposal,
  candidate: string | undefined,
  signal: AbortSignal,
): Promise<Proposal> {
  const before = await waitingProposal(skill);
  const isTaken = candidate === undefined || certified.verdict.kind === 'accepted';
  const proposal = isTaken ? certified : candidateOf(certified, before.candidates?.proposed.id ?? '');
  const isSame = proposal.documents.every(
    (document, at) => document.candidateHash === before.documents[at]?.candidateHash,
  );
  const decisions = isSame ? await readDecisions(skill.store, before.id) : {};
  if (!isSame) await removeDecisions(skill.store);
  await writeProposal(skill.store, proposal);
  if (Object.keys(decisions).length > 0) await noteDecisions(skill.store, proposal.id, decisions, signal);
  if (certified.verdict.kind !== 'rejected') return proposal;
  const stays = isTaken ? new Set<string>() : new Set(editsIn(proposal).map((edit) => JSON.stringify(edit)));
  const failed = editsIn(certified).filter((edit) => !stays.has(JSON.stringify(edit)));
  await rejectedEditsOf(skill.store).add(
    failed.map((edit) => notCertifiedRow(edit, certified.verdict, tasks.result.split.heldOut)),
    signal,
  );
  return proposal;
}

function editsIn({ documents }: Proposal): readonly Edit[] {
  return documents.flatMap(({ edits }) => edits.map(({ edit }) => edit));
}
