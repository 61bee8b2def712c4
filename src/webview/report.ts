import { tableSection } from './tableSection.js';
import { curveSection } from './curveSection.js';
import { element, sectionOf } from './section.js';
import { editsSection } from './editsSection.js';
import { heatSection } from './heatSection.js';
import type { ReportPayload, ReportRequest } from './reportMessage.js';
import { spendSection } from './spendSection.js';
import { filledIn, score, verdictNamed } from './figures.js';
import { withLegend, lineChart, type Line } from './lineChart.js';

declare const acquireVsCodeApi: (() => { postMessage(message: ReportRequest): void }) | undefined;

/** Draws the page from the figures that stand in it. Inside the editor it also offers to export itself. */
function draw(): void {
  const text = document.getElementById('report-data')?.textContent;
  const page = document.getElementById('report');
  if (text === undefined || text === null || page === null) return;
  const payload: ReportPayload = JSON.parse(text);
  const notes = payload.data.notes.map((note) => element('li', {}, note));
  page.replaceChildren(
    headSection(payload),
    ...exportButtons(payload),
    curveSection(payload),
    ...(payload.data.heat.rows.length === 0 ? [] : [heatSection(payload)]),
    ...tableSection('types', payload.types),
    ...tableSection('candidates', payload.candidates),
    editsSection(payload),
    spendSection(payload),
    historySection(payload),
    ...(notes.length === 0
      ? []
      : [element('section', {}, element('h2', {}, payload.words.notes), element('ul', {}, ...notes))]),
  );
}

function exportButtons({ words }: ReportPayload): readonly HTMLElement[] {
  if (typeof acquireVsCodeApi !== 'function') return [];
  const editor = acquireVsCodeApi();
  const button = (label: string, format: ReportRequest['format']): HTMLElement => {
    const made = element('button', { type: 'button' }, label);
    const request: ReportRequest = { kind: 'export', format };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's own channel, not a window
    made.addEventListener('click', () => editor.postMessage(request));
    return made;
  };
  return [element('nav', {}, button(words.exportHtml, 'html'), button(words.exportMarkdown, 'markdown'))];
}

/** What the run came to, in words. */
function headSection({ data, words }: ReportPayload): HTMLElement {
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
    element('p', { class: `verdict ${kind}` }, element('strong', {}, verdictNamed(words, data.shown.head)), ...scores),
    element('p', {}, data.reason),
    ...verdictParts({ data, words }),
    ...(models?.simulated === true ? [element('p', { class: 'about' }, words.simulated)] : []),
    element('dl', {}, ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)])),
  );
}

/** What would settle it, the sealed tasks, the statistics behind a word that opens them, and what makes them doubtful. */
function verdictParts({ data, words }: ReportPayload): readonly HTMLElement[] {
  const { shown, sealed, inSkill, settled } = data;
  const exam =
    sealed === undefined ? [] : [filledIn(words.sealed, score(sealed.before), score(sealed.after), String(sealed.n))];
  const lines = shown.lines.map((line) => element('li', {}, line));
  return [
    ...(inSkill === 'part' ? [element('p', { role: 'note' }, words.ofAllEdits)] : []),
    ...(shown.cure === null ? [] : [element('p', {}, filledIn(words.settle, shown.cure))]),
    ...exam.map((line) => element('p', {}, line)),
    ...(lines.length === 0
      ? []
      : [element('details', {}, element('summary', {}, words.statistics), element('ul', {}, ...lines))]),
    ...shown.warnings.map((warning) => element('p', { class: 'warning', role: 'note' }, `⚠ ${warning}`)),
    ...settled.map((line) => element('p', { class: 'settled', role: 'note' }, line)),
  ];
}

function modelText(models: NonNullable<ReportPayload['data']['models']>): string {
  const { target, optimizer, judge } = models;
  return target === optimizer && optimizer === judge ? target : [target, optimizer, judge].join(' · ');
}

function fateOf(
  { adopted, partly }: Pick<ReportPayload['data']['history'][number], 'adopted' | 'partly'>,
  words: ReportPayload['words'],
): string {
  if (!adopted) return words.no;
  return partly ? words.partly : words.yes;
}

const mostTicks = 6;

/** Every certified run of the skill over the weeks: before, after, verdict, and whether it was adopted. */
function historySection({ data, words }: ReportPayload): HTMLElement {
  const { history } = data;
  const date = (at: number): string => new Date(at).toLocaleDateString(words.language);
  const line = (name: string, mark: Line['mark'], side: 'before' | 'after'): Line => ({
    name,
    mark,
    points: history.map((point) => ({
      at: point.at,
      value: point[side],
      says: `${date(point.at)}, ${name}: ${score(point[side])}, ${verdictNamed(words, point.verdict)}`,
    })),
  });
  const lines = [line(words.before, 'circle', 'before'), line(words.after, 'square', 'after')];
  const every = Math.max(1, Math.ceil(history.length / mostTicks));
  const ticks = history.filter((_, index) => index % every === 0).map(({ at }) => ({ at, text: date(at) }));
  return sectionOf({
    id: 'history',
    title: words.history,
    about: words.historyAbout,
    drawing: history.length === 0 ? undefined : withLegend(lines, lineChart(words.history, lines, ticks)),
    asTable: words.asTable,
    head: [words.when, words.before, words.after, words.verdict, words.adopted],
    rows: history.map(({ at, before, after, verdict, adopted, partly }) => [
      new Date(at).toLocaleString(words.language),
      score(before),
      score(after),
      verdictNamed(words, verdict),
      fateOf({ adopted, partly }, words),
    ]),
  });
}

draw();
