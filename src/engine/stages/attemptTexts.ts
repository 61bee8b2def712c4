import type { CheckResult } from '../../checks/judgement.js';
import type { AttemptResult, TranscriptTurn } from '../../ports/environment.js';
import type { Task } from '../../tasks/task.js';
import { changesEntry, conversationOf } from '../journal/conversation.js';
import { keptWork, keptWorkText } from '../work/keptWork.js';
import type { Stage } from '../journal/runEvents.js';
import type { RunContext } from '../runContext.js';
import type { ScoredAttempt } from './attempts.js';
import { phaseOf } from './attemptRequests.js';
import { turnsBetween } from './trajectory.js';

type AttemptParts = Pick<ScoredAttempt, 'reasonsHash' | 'conversationHash' | 'extrasHash' | 'workHash' | 'turns'>;
type ShownAttempt = AttemptParts & Pick<ScoredAttempt, 'usedSkill'>;

/** What is kept of an attempt beside its answer and its scores, for people and other tools to read. */
interface AttemptToKeep {
  readonly task: Task;
  readonly stage: Stage;
  readonly checks: readonly CheckResult[];
  readonly result: Extract<AttemptResult, { kind: 'answered' }>;
}

export async function keepAttempt(context: RunContext, attempt: AttemptToKeep): Promise<AttemptParts> {
  return {
    reasonsHash: await keepReasons(context, attempt),
    conversationHash: await keepConversation(context, attempt),
    extrasHash: await keepExtras(context, attempt),
    workHash: await keepWork(context, attempt),
    turns: turnsIn(attempt.result.transcript),
  };
}

/** As an event holds it: what is missing is no field. */
export function keptOf({
  reasonsHash,
  conversationHash,
  extrasHash,
  workHash,
  turns,
  usedSkill,
}: ScoredAttempt): ShownAttempt {
  return {
    ...(reasonsHash === undefined ? {} : { reasonsHash }),
    ...(conversationHash === undefined ? {} : { conversationHash }),
    ...(extrasHash === undefined ? {} : { extrasHash }),
    ...(workHash === undefined ? {} : { workHash }),
    ...(turns === undefined || turns === 1 ? {} : { turns }),
    ...(usedSkill === undefined ? {} : { usedSkill }),
  };
}

/** What a judge said, or what else failed the attempt. Those of a sealed task are not kept. */
async function keepReasons(
  { texts }: RunContext,
  { task, checks, result: { failure } }: AttemptToKeep,
): Promise<string | undefined> {
  if (phaseOf(task) === 'sealed' || !(failure !== undefined || checks.some(({ toldOnce }) => toldOnce)))
    return undefined;
  return texts.put(JSON.stringify(checks.map(({ reason }) => reason)));
}

/** What led to an answer. Of training tasks alone: the others teach nothing. */
async function keepConversation(
  { texts, redact = (text) => text }: RunContext,
  { task, stage, result }: AttemptToKeep,
): Promise<string | undefined> {
  const isTraining = stage === 'rollout' || stage === 'front';
  if (!isTraining || turnsBetween(result, task.prompt).length === 0) return undefined;
  return texts.put(JSON.stringify(conversationOf(withDiff(result), redact)));
}

/** What an agent changed stands last: the newest entries are what is kept of a long conversation. */
function withDiff({ transcript, work }: AttemptToKeep['result']): readonly TranscriptTurn[] {
  if (work === undefined) return transcript;
  return [...transcript, { kind: 'tool', name: changesEntry, arguments: changesEntry, result: work.diff }];
}

/** What an agent did and changed, for people to look at: of every task but a sealed one. */
async function keepWork(
  { texts, redact = (text) => text }: RunContext,
  { task, result: { work } }: AttemptToKeep,
): Promise<string | undefined> {
  if (work === undefined || phaseOf(task) === 'sealed') return undefined;
  return texts.put(keptWorkText(keptWork(work, redact)));
}

const mostExtras = 20_000; // characters of one attempt; a program may write 4 MB

/** What the environment said beside its scores, as much of it as fits; of a sealed task nothing. */
async function keepExtras({ texts }: RunContext, { task, result }: AttemptToKeep): Promise<string | undefined> {
  const given = Object.entries(result.extras);
  if (given.length === 0 || phaseOf(task) === 'sealed') return undefined;
  let room = mostExtras;
  const kept = given.filter(([name, value]) => {
    const length = name.length + (JSON.stringify(value) ?? '').length;
    if (length > room) return false;
    room -= length;
    return true;
  });
  const left = given.filter((entry) => !kept.includes(entry)).map(([name]) => name.slice(0, 200));
  return texts.put(
    JSON.stringify(Object.fromEntries([...kept, ...(left.length === 0 ? [] : [['extras_left_out', left] as const])])),
  );
}

/** The turns that the agent took: what it said and did, without what it was told. */
function turnsIn(transcript: readonly TranscriptTurn[]): number {
  const own = transcript.filter(
    (turn) => turn.kind === 'step' || (turn.kind === 'message' && turn.role === 'assistant'),
  );
  return Math.max(1, own.length);
}
