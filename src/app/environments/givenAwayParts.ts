import type { RunContext } from '../../engine/runContext.js';
import type { Attempt, Rollout, ScoredAttempt } from '../../engine/stages/attempts.js';
import type { TranscriptTurn } from '../../ports/environment.js';
import { findGivenAway, type GamingEvidence } from '../../skill/edits/gaming.js';
import type { TrainingTask } from '../../tasks/task.js';
import { quoted } from './environmentReflections.js';

interface GivenAwayParts {
  /** Of held-out and sealed tasks, which environments attempt as well. */
  readonly unseen: () => GamingEvidence;
  /** The texts of a task's files, which belong to it as its prompt does. */
  readonly filesOf: (task: TrainingTask, signal: AbortSignal) => Promise<string>;
  /** A sentence for the report. */
  readonly note: (text: string) => void;
}

type WithoutGivenAway = NonNullable<RunContext['withoutGivenAway']>;
type GivesAway = (text: string) => Promise<boolean>;

/**
 * Leaves out of training attempts what their environment said that gives away a task of another side: reasons, extras,
 * turns and answers, each by itself. It is judged and kept as it is; the optimizer alone does not see it. What stands in
 * the task itself or in the skill is no secret, however much another task is like it. Said once for each environment.
 */
export function withoutGivenAway({ unseen, filesOf, note }: GivenAwayParts): WithoutGivenAway {
  const told = new Set<string>();
  let evidence: GamingEvidence | undefined;
  return (rollouts, known, signal) =>
    Promise.all(
      rollouts.map(async ({ task, attempts }): Promise<Rollout<TrainingTask>> => {
        if (ourOwn.has(task.environment)) return { task, attempts };
        const secrets = (evidence ??= unseen());
        let open: Promise<string> | undefined;
        const givesAway: GivesAway = async (text) => {
          if (findGivenAway(text, '', secrets) === undefined) return false;
          open ??= filesOf(task, signal).then((files) => [textOf(task), files, known].join('\n'));
          return findGivenAway(text, await open, secrets) !== undefined;
        };
        const shown = await Promise.all(attempts.map((attempt) => shownOf(attempt, givesAway)));
        if (shown.some((attempt, at) => attempt !== attempts[at]) && !told.has(task.environment)) {
          told.add(task.environment);
          note(sentenceOf(task.environment));
        }
        return { task, attempts: shown };
      }),
    );
}

/** Their answers come from the model alone. */
const ourOwn: ReadonlySet<string> = new Set(['chat', 'tools']);

function sentenceOf(environment: string): string {
  return `What the environment ${quoted(environment)} says in training attempts gives away a task of another side: such parts are judged and kept, and not shown to the optimizer. This is said once.`;
}

function textOf(task: TrainingTask): string {
  const tools = task.tools.flatMap(({ name, description, result }) => [name, description, result]);
  const { prompt, context = '', system = '', expectedOutput = '', referenceText = '' } = task;
  const asked = [prompt, context, system, ...tools, ...task.expectations];
  const checks = task.checks.map((spec) => valuesIn(spec.arguments));
  return [...asked, expectedOutput, referenceText, ...task.references, ...checks].join('\n');
}

const leftOut = '[left out]';

/** The same attempt where nothing of it gives anything away. */
async function shownOf(attempt: Attempt, givesAway: GivesAway): Promise<Attempt> {
  if (attempt.kind === 'invalid') return attempt;
  const { failure, answer, extras, transcript, toolsCalled, checks } = attempt;
  const turns = await turnsOf(transcript, givesAway);
  const shown: Partial<ScoredAttempt> = {
    ...(failure !== undefined && (await givesAway(failure)) ? { failure: undefined } : {}),
    ...((await givesAway(answer)) ? { answer: leftOut } : {}),
    ...((await givesAway(`${stringsIn(extras)}\n${valuesIn(extras)}`)) ? { extras: {} } : {}),
    ...(turns.length < transcript.length ? { transcript: turns } : {}),
    ...(await diffOf(attempt, givesAway)),
    ...((await givesAway(toolsCalled.join(' '))) ? { toolsCalled: [leftOut] } : {}),
  };
  const reasons = await Promise.all(checks.map(({ reason }) => givesAway(reason)));
  const hidden = reasons.includes(true)
    ? { checks: checks.map((check, at) => (reasons[at] === true ? { ...check, reason: '' } : check)) }
    : {};
  const parts = { ...shown, ...hidden };
  return Object.keys(parts).length === 0 ? attempt : { ...attempt, ...parts };
}

async function diffOf({ diff = '' }: ScoredAttempt, givesAway: GivesAway): Promise<Partial<ScoredAttempt>> {
  return (await givesAway(diff)) ? { diff: leftOut } : {};
}

/** Without the turns that give something away; none where only all of them together do. */
async function turnsOf(
  transcript: readonly TranscriptTurn[],
  givesAway: GivesAway,
): Promise<readonly TranscriptTurn[]> {
  const given = await Promise.all(transcript.map((turn) => givesAway(turnText(turn))));
  const rest = transcript.filter((_, at) => given[at] === false);
  return (await givesAway(rest.map(turnText).join('\n'))) ? [] : rest;
}

function turnText(turn: TranscriptTurn): string {
  switch (turn.kind) {
    case 'message':
      return turn.text;
    case 'tool':
      return `${turn.name} ${turn.arguments}\n${turn.result}`;
    case 'step':
      return [turn.action, turn.reasoning ?? '', turn.feedback].join('\n');
  }
}

/** Every text in a value under its name, as it reads without the marks of JSON. */
function stringsIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name} ${stringsIn(each)}`)
    .join('\n');
}

/** The same without names: what goes on from one value to the next reads as one. */
function valuesIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(valuesIn).join('\n');
}
