import { filledIn, named, score, verdictNamed } from './figures.js';
import { withLegend, lineChart, type Line } from './lineChart.js';
import type { ReportPayload } from './reportMessage.js';
import { sectionOf } from './section.js';

type Point = ReportPayload['data']['curve'][number];
interface CertificationPoint {
  readonly at: number;
  readonly before: number;
  readonly after: number;
  readonly kind: string;
}

/** Held-out scores over the steps, the best so far, and what certification said. */
export function curveSection({ data, words }: ReportPayload): HTMLElement {
  const certified = certifiedIn(data);
  const lines = linesOf(data.curve, certified, words);
  const ticks = [
    ...data.curve.map(({ step }) => ({ at: step, text: step === 0 ? words.before : String(step) })),
    ...certified.map(({ at }) => ({ at, text: words.certified })),
  ];
  return sectionOf({
    id: 'curve',
    title: words.curve,
    about: data.curve.some(isOnHeldOut) ? words.curveAbout : words.curveOfTraining,
    drawing: withLegend(lines, lineChart(words.curve, lines, ticks)),
    asTable: words.asTable,
    head: [
      filledIn(words.step, '').trim(),
      words.training,
      words.candidate,
      words.best,
      words.before,
      words.after,
      words.decision,
    ],
    rows: [
      ...data.curve.map((point) => rowOf(point, words)),
      ...certified.map(({ before, after, kind }) => [
        words.certified,
        '–',
        '–',
        '–',
        score(before),
        score(after),
        verdictNamed(words, kind),
      ]),
    ],
  });
}

/** Where the choice is made on training tasks, no step is tried on held-out ones. */
function isOnHeldOut({ candidate, best }: Point): boolean {
  return candidate !== undefined || best !== undefined;
}

function certifiedIn({ verdict, shown, curve }: ReportPayload['data']): readonly CertificationPoint[] {
  const figures = verdict !== undefined && 'figures' in verdict ? verdict.figures : undefined;
  if (verdict === undefined || figures === undefined) return [];
  const at = (curve.at(-1)?.step ?? 0) + 1;
  return [{ at, before: figures.before, after: figures.after, kind: shown.head }];
}

function linesOf(
  curve: readonly Point[],
  certified: readonly CertificationPoint[],
  words: ReportPayload['words'],
): readonly Line[] {
  const line = (name: string, mark: Line['mark'], pick: 'training' | 'candidate' | 'best'): Line => ({
    name,
    mark,
    points: curve.flatMap((point) => {
      const value = point[pick];
      const says = `${filledIn(words.step, point.step)}, ${name}: ${figureOf(point, pick, words)}`;
      return value === undefined ? [] : [{ at: point.step, value, says }];
    }),
  });
  return [
    ...(curve.some(isOnHeldOut)
      ? [line(words.candidate, 'circle', 'candidate'), line(words.best, 'square', 'best')]
      : [line(words.training, 'circle', 'training')]),
    {
      name: words.certified,
      mark: 'diamond',
      points: certified.map(({ at, before, after }) => ({
        at,
        value: after,
        says: `${words.certified}: ${score(before)} → ${score(after)}`,
      })),
    },
  ];
}

function rowOf(point: Point, words: ReportPayload['words']): readonly string[] {
  const figure = (pick: 'training' | 'candidate' | 'best'): string => figureOf(point, pick, words);
  const decision = named(words, point.decision);
  return [String(point.step), figure('training'), figure('candidate'), figure('best'), '–', '–', decision];
}

/** A score, and on how many tasks where it was not all of them. */
function figureOf(
  point: Point,
  pick: 'training' | 'candidate' | 'best',
  { ofTasks }: Pick<ReportPayload['words'], 'ofTasks'>,
): string {
  const { [pick]: value, scoredOn: on } = point;
  const tasks = pick === 'training' ? on?.trainingTasks : on?.heldOutTasks;
  if (value === undefined || on === undefined || on[pick] === tasks) return score(value);
  return filledIn(ofTasks, score(value), on[pick], tasks ?? 0);
}
