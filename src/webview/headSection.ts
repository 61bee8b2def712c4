import { element } from './dom.js';
import { filledIn, score } from './figures.js';
import type { ReportPayload } from './reportMessage.js';

/** What the run came to, in words. */
export function headSection({ data, words }: ReportPayload): HTMLElement {
  const { verdict, models, tasks } = data;
  const figures = verdict !== undefined && 'figures' in verdict ? verdict.figures : undefined;
  const kind = verdict?.kind ?? data.outcome;
  const scores = figures === undefined ? [] : [` ${score(figures.before)} → ${score(figures.after)}`];
  const facts: readonly (readonly [string, string])[] = [
    [words.begun, new Date(data.startedAt).toLocaleString(words.language)],
    ...(models === undefined ? [] : [[words.models, modelText(models)] as const]),
    ...(tasks === undefined
      ? []
      : [[words.tasks, filledIn('{0} · {1} · {2}', tasks.training, tasks.heldOut, tasks.sealed)] as const]),
  ];
  return element(
    'header',
    {},
    element('h1', {}, `${words.title}: ${data.skillName}`),
    element('p', { class: `verdict ${kind}` }, element('strong', {}, kind), ...scores),
    element('p', {}, data.reason),
    ...verdictParts({ data, words }),
    ...(models?.simulated === true ? [element('p', { class: 'about' }, words.simulated)] : []),
    element('dl', {}, ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)])),
  );
}

/** What would settle it, the numbers beneath, the sealed tasks beside them, and what makes them doubtful. */
function verdictParts({ data, words }: ReportPayload): readonly HTMLElement[] {
  const { shown, sealed } = data;
  const lines = [
    ...shown.lines,
    ...(sealed === undefined
      ? []
      : [filledIn(words.sealed, score(sealed.before), score(sealed.after), String(sealed.n))]),
  ];
  return [
    ...(shown.cure === null ? [] : [element('p', {}, filledIn(words.settle, shown.cure))]),
    ...(lines.length === 0 ? [] : [element('ul', {}, ...lines.map((line) => element('li', {}, line)))]),
    ...shown.warnings.map((warning) => element('p', { class: 'warning', role: 'note' }, `⚠ ${warning}`)),
  ];
}

function modelText(models: NonNullable<ReportPayload['data']['models']>): string {
  const { target, optimizer, judge } = models;
  return target === optimizer && optimizer === judge ? target : [target, optimizer, judge].join(' · ');
}
