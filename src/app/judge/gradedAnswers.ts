import type { AttemptEvent } from '../../engine/journal/attemptEvent.js';
import type { RunSummary } from '../../engine/journal/runSummary.js';
import type { PassFail } from '../../gate/statistics/judgeAgreement.js';
import { canonicalHash, shortHash } from '../../tasks/canonicalHash.js';
import type { Task } from '../../tasks/task.js';
import type { OpenSkill } from '../openSkill.js';
import { readEvents } from '../runs/runJournal.js';
import type { JudgedTask } from './judgeStanding.js';

/** An answer of an earlier run at one criterion that a judge model graded, as it would be asked today. */
export interface GradedAnswer {
  /** Hash of the task, the criterion and the answer. */
  readonly id: string;
  readonly task: Task;
  readonly criterion: string;
  /** The criterion in words. */
  readonly words: string;
  /** Short hash of the answer. */
  readonly answer: string;
  readonly judge: string;
  readonly prompt: string;
  readonly grade: PassFail;
  /** What the journal knows of the attempt, and which of its checks this is. */
  readonly event: AttemptEvent;
  readonly at: number;
}

const mostRuns = 10; // answers are kept for 30 days, and older ones are of other texts of the skill

/**
 * What judges graded in the newest runs, newest first, each once for each judge. Only what a judge was asked with today's
 * words about today's criterion: other grades are of another judge.
 */
export async function gradedAnswers(
  { store }: OpenSkill,
  runs: readonly RunSummary[],
  tasks: readonly JudgedTask[],
): Promise<readonly GradedAnswer[]> {
  const known = new Map(tasks.filter(isWhollyShown).map((each) => [each.task.id, each]));
  const found = new Map<string, GradedAnswer>();
  for (const { runId } of runs.slice(0, mostRuns)) {
    const events = await readEvents(store, runId);
    const judge = events.find((event) => event.kind === 'run-started')?.models.judge;
    if (judge === undefined) continue;
    for (const event of events.filter((each) => each.kind === 'attempt').toReversed())
      for (const graded of gradesIn(event, known.get(event.taskId), judge)) {
        const key = `${graded.id} ${judge}`;
        if (!found.has(key)) found.set(key, graded);
      }
  }
  return [...found.values()];
}

/** A judge is shown the tools that were called, which are not kept of every attempt: a person could not see what it saw. */
function isWhollyShown({ task }: JudgedTask): boolean {
  return task.tools.length === 0 && task.environment !== 'tools';
}

function gradesIn(event: AttemptEvent, judged: JudgedTask | undefined, judge: string): readonly GradedAnswer[] {
  const { answerHash, judgePrompt: prompt } = event;
  if (judged === undefined || answerHash === undefined || prompt === undefined) return [];
  const { task, asked } = judged;
  return event.checks.flatMap(({ asked: criterion, pass }, at) => {
    const today = asked.find((each) => each.criterion === criterion && each.prompt === prompt);
    if (criterion === undefined || today === undefined) return [];
    const about = { task, criterion, words: today.words, answer: shortHash(answerHash), judge, prompt, event, at };
    return [{ id: canonicalHash({ criterion, answer: answerHash }), grade: pass ? 'pass' : 'fail', ...about }];
  });
}

const mostOffered = 24; // twice what is needed to say anything

/**
 * Which answers a person is asked about, in an order that tells nothing of their grades and is the same every time: as
 * many that passed as that failed, where there are enough; of each answer one criterion before a second, and of each task
 * one answer before a second.
 */
export function answersToOffer(
  graded: readonly GradedAnswer[],
  labelled: ReadonlySet<string>,
): readonly GradedAnswer[] {
  const open = spread(graded, labelled).filter(({ id }) => !labelled.has(id));
  const passed = open.filter(({ grade }) => grade === 'pass');
  const failed = open.filter(({ grade }) => grade === 'fail');
  const half = mostOffered / 2;
  const ofFailed = failed.slice(0, Math.max(half, mostOffered - passed.length));
  const ofPassed = passed.slice(0, mostOffered - ofFailed.length);
  return [...ofFailed, ...ofPassed].toSorted(byId);
}

function byId(a: GradedAnswer, b: GradedAnswer): number {
  return a.id < b.id ? -1 : 1;
}

/** Those first that are the first of their answer, and of these the first answers of their tasks; labelled ones count. */
function spread(graded: readonly GradedAnswer[], labelled: ReadonlySet<string>): readonly GradedAnswer[] {
  const seen = new Map<string, number>();
  const next = (key: string): number => {
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return seen.get(key) ?? 0;
  };
  const ordered = graded.toSorted((a, b) => Number(labelled.has(b.id)) - Number(labelled.has(a.id)) || byId(a, b));
  const ranked = ordered.map((each) => {
    const ofAnswer = next(`answer ${each.task.id} ${each.answer}`);
    return { each, rank: [ofAnswer, next(`task ${each.task.id} ${ofAnswer}`)] as const };
  });
  return ranked.toSorted((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1]).map(({ each }) => each);
}
