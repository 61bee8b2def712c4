import { asSkill, type TextPair } from '../../engine/candidate.js';
import { HeldOutScores } from '../../engine/stages/heldOutScores.js';
import { judgeCandidate, pairCandidate, type VerdictEvidence } from '../../engine/certify/verdictOf.js';
import { learnedLeaks, withoutLeaks } from '../../engine/leakedTasks.js';
import { lookAtProposal } from '../../storage/proposals/proposals.js';
import { sha256 } from '../../hash.js';
import { acceptedFiles, type FilesToMeasure } from '../proposals/acceptedFiles.js';
import { measuredKey, rememberMeasured } from '../proposals/versions.js';
import { withLineFeeds } from '../../skill/document/lines.js';
import type { OpenSkill } from '../openSkill.js';
import { failRun, withSkillRun, type SkillRun } from './skillRun.js';
import type { RunContext } from '../../engine/runContext.js';
import type { HeldOutTask } from '../../tasks/task.js';
import type { RunSetup, RunStart } from './runStart.js';

/** A text, and the one that it is measured against. */
export interface TextsToMeasure {
  readonly before: string;
  readonly after: string;
  /** The files beside them, where those are not the same on both sides. */
  readonly files?: FilesToMeasure | undefined;
}

/** What a person wants measured: against the skill's file as it is where nothing else is said. */
export interface MeasureWish extends Omit<TextsToMeasure, 'before'> {
  readonly before?: string | undefined;
}

/** Both sides whole. What is in the file now lies beside files that may hold accepted edits as well: they are measured with it. */
export async function textsToMeasure(skill: OpenSkill, { before, after, files }: MeasureWish): Promise<TextsToMeasure> {
  if (before === undefined || files !== undefined) return { before: before ?? skill.text, after, files };
  const isNow = withLineFeeds(skill.text).replace(/^\uFEFF/u, '') === withLineFeeds(after);
  return { before, after, files: isNow ? await acceptedFiles(skill) : undefined };
}

/**
 * Certifies one text of a skill against another on held-out tasks. It counts as a certification like any other, and what
 * it says is remembered for that very text and the files that were measured with it: the history shows it from then on.
 */
export function measureTexts(start: RunStart, texts: TextsToMeasure, signal: AbortSignal): Promise<VerdictEvidence> {
  return withSkillRun(
    { ...start, purpose: 'measure', attempted: start.tasks.result.split.heldOut },
    signal,
    async (run) => {
      try {
        const judged = await judge(start, run, texts);
        run.journal.record({ kind: 'verdict', verdict: judged.verdict, proposalId: undefined });
        await run.journal.end({ kind: 'run-ended', outcome: 'proposed', reason: judged.verdict.reason });
        const hash = measuredKey(measuredHash(start.skill.text, texts.after), texts.files?.after);
        await rememberMeasured(start.skill.store, { hash, verdict: judged.verdict }, signal);
        return judged;
      } catch (error) {
        return failRun(run, error);
      }
    },
  );
}

/** An editor does not show a byte order mark: the file as it is on disk is meant where only that is different. */
function measuredHash(onDisk: string, text: string): string {
  return sha256(onDisk === `\uFEFF${text}` ? onDisk : text);
}

async function judge(start: RunStart, { context, signal }: SkillRun, texts: TextsToMeasure): Promise<VerdictEvidence> {
  const { heldOut, allLeaked } = await provingTasks(start, context);
  const pair = pairOf(texts);
  const [original, candidate] = [pairCandidate(pair.before), pairCandidate(pair.after)];
  const scores = new HeldOutScores(context, heldOut, asSkill(undefined));
  const memory = { before: undefined, after: undefined };
  return judgeCandidate(context, { original, candidate, heldOut, allLeaked, scores, memory }, signal);
}

/** The two sides as targets are given them. */
export function pairOf({ before, after, files }: TextsToMeasure): TextPair {
  const beside = (side: 'before' | 'after') => (files === undefined ? {} : { files: files[side] });
  return {
    before: { skill: before, memory: undefined, ...beside('before') },
    after: { skill: after, memory: undefined, ...beside('after') },
  };
}

/** The held-out tasks that a text can be measured on: it is most likely a part of what waits, and of what that learned from. */
export async function provingTasks(
  { skill, tasks: { result } }: Pick<RunSetup, 'skill' | 'tasks'>,
  notes: Pick<RunContext, 'record'> = { record: () => undefined },
): Promise<{ readonly heldOut: readonly HeldOutTask[]; readonly allLeaked: boolean }> {
  const { split, leaks } = result;
  const waiting = await lookAtProposal(skill.store);
  const learned = waiting.kind === 'verified' ? learnedLeaks(split.heldOut, waiting.proposal) : [];
  const { tasks, allLeaked } = withoutLeaks(notes, split, [...leaks, ...learned]);
  return { heldOut: tasks.heldOut, allLeaked };
}
