import { asSkill, originalCandidate } from '../engine/candidate.js';
import { HeldOutScores } from '../engine/heldOutScores.js';
import { judgeCandidate, type Judged } from '../engine/verdictOf.js';
import { messageOf, UserError } from '../errors.js';
import { refillByPerson, openErrorBudget, type ErrorBudget } from '../gate/errorBudget.js';
import type { Proposal } from '../ports/proposal.js';
import { hashText } from '../skill/fingerprint.js';
import { readDecisions, recordDecisions } from '../storage/decisions.js';
import { proposalFile, readProposal, writeProposal } from '../storage/proposals.js';
import { certificationRecord } from './certificationStore.js';
import type { OpenSkill } from './openSkill.js';
import { withSkillRun, type RunStart, type SkillRun } from './skillRun.js';
import type { OptimizeResult } from './workshop.js';

/** Certifies one text of a skill against another on held-out tasks. It counts as a certification like any other. */
export function measureTexts(
  start: RunStart,
  texts: { readonly before: string; readonly after: string },
  signal: AbortSignal,
): Promise<Judged> {
  return withSkillRun({ ...start, purpose: 'measure' }, signal, (run) =>
    written(run, async () => {
      const judged = await judge(start, run, texts);
      run.journal.record({ kind: 'verdict', verdict: judged.verdict, proposalId: undefined });
      return { result: judged, reason: judged.verdict.reason };
    }),
  );
}

/** Goes on with the certification of the pending proposal where a cap cut it off; a finished one is never re-opened. */
export function gatherEvidence(start: RunStart, signal: AbortSignal): Promise<OptimizeResult> {
  return withSkillRun({ ...start, purpose: 'measure' }, signal, (run) =>
    written(run, async () => {
      const before = await openProposal(start.skill);
      const [document] = before.documents;
      if (document === undefined) throw new Error('a proposal has a document');
      const judged = await judge(start, run, { before: document.baseText, after: document.candidateText });
      const proposal = await replaced(start.skill, before, judged, run.signal);
      run.journal.record({ kind: 'verdict', verdict: proposal.verdict, proposalId: proposal.id });
      const { runId } = run.journal;
      const result = { runId, proposal, proposalFile: proposalFile(start.skill.store), nothing: undefined };
      return { result, reason: proposal.verdict.reason };
    }).then((result) => ({ ...result, summary: run.journal.summary() })),
  );
}

/** The person takes the risk that luck adds up upon themselves: a full error budget again, with the reason on record. */
export async function refillErrorBudget(skill: OpenSkill, reason: string, signal: AbortSignal): Promise<ErrorBudget> {
  const at = new Date(skill.store.clock.now()).toISOString();
  const record = await certificationRecord(skill.store).update((before) => {
    const current = before ?? { budget: openErrorBudget([]), begun: [] };
    return { ...current, budget: refillByPerson(current.budget, { at, reason }) };
  }, signal);
  return record.budget;
}

async function judge(
  start: RunStart,
  run: SkillRun,
  texts: { readonly before: string; readonly after: string },
): Promise<Judged> {
  const { heldOut } = start.tasks.result.split;
  return judgeCandidate(
    run.context,
    {
      original: originalCandidate(texts.before),
      candidate: originalCandidate(texts.after),
      heldOut,
      scores: new HeldOutScores(run.context, heldOut, asSkill(undefined)),
      memory: { before: undefined, after: undefined },
    },
    run.signal,
  );
}

async function openProposal(skill: OpenSkill): Promise<Proposal> {
  const reading = await readProposal(skill.store);
  if (reading.kind !== 'verified') {
    throw new UserError('proposal-missing', 'No proposal of yours waits for this skill.', 'Optimize the skill first.');
  }
  const { verdict } = reading.proposal;
  if (verdict.kind === 'accepted' || verdict.kind === 'rejected') {
    throw new UserError(
      'proposal-not-adoptable',
      'This certification is finished and is never re-opened.',
      'Optimize the skill again for a new one.',
    );
  }
  return reading.proposal;
}

async function replaced(skill: OpenSkill, before: Proposal, judged: Judged, signal: AbortSignal): Promise<Proposal> {
  const { id: _id, ...rest } = before;
  const content = { ...rest, verdict: judged.verdict, comparisons: judged.comparisons, answers: judged.answers };
  const proposal: Proposal = { id: hashText(JSON.stringify(content)).slice(0, 16), ...content };
  const decisions = await readDecisions(skill.store, before.id);
  await writeProposal(skill.store, proposal);
  if (Object.keys(decisions).length > 0) await recordDecisions(skill.store, proposal.id, decisions, signal);
  return proposal;
}

/** Ends the journal however the work ends. */
async function written<T>(
  run: SkillRun,
  work: () => Promise<{ readonly result: T; readonly reason: string }>,
): Promise<T> {
  try {
    const { result, reason } = await work();
    await run.journal.end({ kind: 'run-ended', outcome: 'proposed', reason });
    return result;
  } catch (error) {
    const outcome = run.signal.aborted ? 'cancelled' : 'failed';
    await run.journal.end({ kind: 'run-ended', outcome, reason: messageOf(error) });
    throw error;
  }
}
