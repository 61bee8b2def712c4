import type { RunEvent, Stage } from '../../engine/journal/runEvents.js';
import type { ScoredOn } from '../../engine/journal/scoredOn.js';
import type { RunSummary, StepSummary } from '../../engine/journal/runSummary.js';

export interface CurvePoint {
  readonly step: number;
  readonly training: number | undefined;
  readonly candidate: number | undefined;
  readonly best: number | undefined;
  readonly decision: string;
  /** How many tasks each figure is over; missing where it is not known. */
  readonly scoredOn?: ScoredOn | undefined;
}

/**
 * The scores over the steps; step 0 is the skill as it was. A candidate may be taken before it saw every task and be
 * tried on the others in a later step: its score is over all tasks on which that very text was ever tried, as in the
 * table of tasks by step. What the step itself wrote down is an earlier and smaller figure of the same text.
 */
export function curveOf({ steps }: Pick<RunSummary, 'steps'>, events: readonly RunEvent[]): readonly CurvePoint[] {
  const [first] = steps;
  const baseline = first?.originalScore ?? meanOf(events, 'baseline');
  const on = first?.scoredOn;
  const start: CurvePoint = {
    step: 0,
    training: undefined,
    candidate: baseline,
    best: baseline,
    decision: 'the skill as it was',
    scoredOn: on && { ...on, candidate: on.original, best: on.original },
  };
  const textsOf = textsByStep(events);
  const scoreOf = scoresByText(events);
  return [start, ...steps.map((step) => pointOf(step, textsOf(step.step), scoreOf))];
}

interface MeanScore {
  readonly score: number;
  readonly tasks: number;
}

type ScoreOf = (text: string | undefined, metric: 'hard' | 'soft') => MeanScore | undefined;

/** The texts that the figures of a step are of, by hash. */
interface StepTexts {
  readonly candidate: string | undefined;
  readonly best: string;
  readonly metric: 'hard' | 'soft';
}

function pointOf(stored: StepSummary, texts: StepTexts | undefined, scoreOf: ScoreOf): CurvePoint {
  const { step, trainingScore, candidateScore, bestScore, decision, scoredOn } = stored;
  const point = { step, training: trainingScore, decision: decision.replaceAll('_', ' ') };
  if (texts === undefined || scoredOn === undefined) {
    return { ...point, candidate: candidateScore, best: bestScore, scoredOn };
  }
  const candidate = laterOf(candidateScore, scoredOn.candidate, scoreOf(texts.candidate, texts.metric));
  const best = laterOf(bestScore, scoredOn.best, scoreOf(texts.best, texts.metric));
  return {
    ...point,
    candidate: candidate.score,
    best: best.score,
    scoredOn: { ...scoredOn, candidate: candidate.tasks, best: best.tasks },
  };
}

/** What is known of a text in the end, where that is more than what the step knew. */
function laterOf(
  score: number | undefined,
  tasks: number,
  found: MeanScore | undefined,
): { readonly score: number | undefined; readonly tasks: number } {
  return score === undefined || found === undefined || found.tasks <= tasks ? { score, tasks } : found;
}

/** None for a mixed metric, whose weight is not in the journal. */
function textsByStep(events: readonly RunEvent[]): (step: number) => StepTexts | undefined {
  const candidates = new Map<number, string>();
  const texts = new Map<number, StepTexts>();
  for (const event of events) {
    if (event.kind === 'applied') candidates.set(event.step, event.candidateHash);
    if (event.kind !== 'step-ended' || event.metric === 'mixed') continue;
    const { step, metric, bestHash } = event;
    texts.set(step, { candidate: candidates.get(step), best: bestHash, metric });
  }
  return (step) => texts.get(step);
}

/** The mean over the held-out tasks on which a text was tried in selection. None where a memory file was read beside it. */
function scoresByText(events: readonly RunEvent[]): ScoreOf {
  const tried = events.flatMap((event) => {
    return event.kind === 'attempt' && (event.stage === 'baseline' || event.stage === 'evaluate') ? [event] : [];
  });
  if (tried.some(({ memoryHash }) => memoryHash !== undefined)) return () => undefined;
  return (text, metric) => {
    const tasks = new Map<string, readonly number[]>();
    for (const { skillHash, taskId, outcome } of tried) {
      if (skillHash !== text || outcome.kind !== 'scored') continue;
      tasks.set(taskId, [...(tasks.get(taskId) ?? []), outcome[metric]]);
    }
    const score = mean([...tasks.values()].map((scores) => mean(scores) ?? 0));
    return score === undefined ? undefined : { score, tasks: tasks.size };
  };
}

function meanOf(events: readonly RunEvent[], stage: Stage): number | undefined {
  return mean(
    events.flatMap((event) =>
      event.kind === 'attempt' && event.stage === stage && event.outcome.kind === 'scored' ? [event.outcome.hard] : [],
    ),
  );
}

function mean(scores: readonly number[]): number | undefined {
  return scores.length === 0 ? undefined : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
