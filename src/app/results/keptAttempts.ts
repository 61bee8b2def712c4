import { underOriginal } from '../../engine/journal/diagnostics.js';
import type { AttemptEvent } from '../../engine/journal/attemptEvent.js';
import type { KeptWork } from '../../engine/work/keptWork.js';
import type { RunEvent, Stage } from '../../engine/journal/runEvents.js';
import type { RunSummary } from '../../engine/journal/runSummary.js';
import { candidateHashOf } from '../../engine/package/changedDocuments.js';
import { parseJson } from '../../parseJson.js';
import type { Proposal } from '../../ports/proposal.js';
import type { TextStore } from '../../ports/stores.js';
import { KeptWorkText } from '../../storage/runs/workLeft.js';
import { checkOutcome, type ShownCheck } from '../../wording/work/checkResult.js';
import { readEvents } from '../runs/runJournal.js';
import type { OpenSkill } from '../openSkill.js';
import { keptReasons } from './keptReasons.js';

/** An attempt of a run whose answer is still kept, as a person looks at it. */
export interface KeptAttempt {
  readonly passed: boolean;
  readonly answer: string;
  readonly checks: readonly ShownCheck[];
  /** Where an agent worked on it: what it did, one after the other, and what it changed. */
  readonly work?: KeptWork | undefined;
}

/** `criteria`: what the task is judged by, a sentence each. Undefined where the answer is gone, or there was none. */
export async function keptAttempt(
  { outcome, answerHash, checks, reasonsHash, workHash }: AttemptEvent,
  criteria: readonly string[],
  texts: Pick<TextStore, 'get'>,
): Promise<KeptAttempt | undefined> {
  const answer = answerHash === undefined ? undefined : await texts.get(answerHash);
  if (answer === undefined || outcome.kind !== 'scored') return undefined;
  const reasons = await keptReasons(texts, reasonsHash);
  // With other checks than the run had they cannot be told apart.
  const isSame = criteria.length === checks.length;
  const work = workHash === undefined ? undefined : workIn(await texts.get(workHash));
  return {
    passed: outcome.hard === 1,
    answer,
    checks: checks.map(({ check, ...came }, at) => ({
      criterion: (isSame ? criteria[at] : undefined) ?? check,
      outcome: checkOutcome(came),
      reason: reasons[at] ?? '',
    })),
    ...(work === undefined ? {} : { work }),
  };
}

function workIn(kept: string | undefined): KeptWork | undefined {
  const read = KeptWorkText.safeParse(parseJson(kept ?? ''));
  return read.success ? { events: read.data.events, diff: read.data.diff } : undefined;
}

/** An attempt at a held-out task that a verdict was made from: under the skill as it was, or with the edits. */
export interface GateAttempt extends KeptAttempt {
  readonly side: 'before' | 'after';
  /** Which of the attempts of its side it is, from 1. */
  readonly number: number;
}

const mostRuns = 5; // a certification that was cut off goes on in another run
const selection: readonly Stage[] = ['baseline', 'evaluate', 'slow-update'];

/** What is kept of the attempts behind the verdict on a proposal at one of its held-out tasks, before and after. */
export async function gateAttempts(
  { store, text }: Pick<OpenSkill, 'store' | 'text'>,
  { proposal, runs }: { readonly proposal: Proposal; readonly runs: readonly RunSummary[] },
  task: { readonly id: string; readonly criteria: readonly string[]; readonly texts: Pick<TextStore, 'get'> },
): Promise<readonly GateAttempt[]> {
  const newest = new Map<string, ComparedAttempt>();
  const candidate = candidateHashOf(proposal, text);
  const measured = runs.filter(({ purpose }) => purpose !== 'evaluate');
  for (const { runId } of measured.slice(0, mostRuns).toReversed())
    for (const event of comparedIn(await readEvents(store, runId), candidate, task.id))
      newest.set(`${event.side} ${event.attempt}`, event);
  const ordered = [...newest.values()].sort((a, b) => a.attempt - b.attempt);
  const shown = ordered.map(async ({ side, attempt: number, ...event }) => {
    const kept = await keptAttempt({ ...event, attempt: number }, task.criteria, task.texts);
    return kept === undefined ? [] : [{ ...kept, side, number }];
  });
  return (await Promise.all(shown)).flat();
}

type ComparedAttempt = AttemptEvent & { readonly side: GateAttempt['side'] };

/** The attempts of the certification, or of the selection where there was none. */
function comparedIn(events: readonly RunEvent[], candidate: string, taskId: string): readonly ComparedAttempt[] {
  const base = events.find((event) => event.kind === 'run-started')?.baseHash;
  if (base === undefined) return [];
  const all = events.filter((event) => event.kind === 'attempt');
  const isBefore = underOriginal(all, base);
  const sided = all.flatMap((event): readonly ComparedAttempt[] => {
    if (event.taskId !== taskId) return [];
    if (isBefore(event)) return [{ ...event, side: 'before' }];
    return event.skillHash === candidate ? [{ ...event, side: 'after' }] : [];
  });
  const certified = sided.filter(({ stage }) => stage === 'certify');
  const chosen = certified.length > 0 ? certified : sided.filter(({ stage }) => selection.includes(stage));
  return chosen.some(({ side }) => side === 'after') ? chosen : [];
}
