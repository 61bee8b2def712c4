import { drawn, reachable, sectionOf } from './section.js';
import { filledIn, money, named, seconds } from './figures.js';
import { caption } from './lineChart.js';
import type { ReportPayload } from './reportMessage.js';

const width = 640;
const barHeight = 28;
const labelWidth = 110;

/** Tokens by role as bars; calls, money and time of roles and stages in the table. */
export function spendSection({ data, words }: ReportPayload): HTMLElement {
  const { roles, stages } = data;
  const most = Math.max(1, ...roles.map(({ tokens }) => tokens));
  const cells = ({ calls, cachedCalls, tokens, ...spend }: (typeof roles)[number] | (typeof stages)[number]) => [
    String(calls),
    String(cachedCalls),
    tokens.toLocaleString(words.language),
    spent(spend, words),
  ];
  const bars = roles.map(({ role, tokens, ...spend }, index) => {
    const y = index * barHeight;
    const says = `${named(words, role)}: ${tokens.toLocaleString(words.language)} ${words.tokens}, ${spent(spend, words)}`;
    const length = ((width - labelWidth - 160) * tokens) / most;
    const bar = { x: labelWidth, y: y + 5, width: Math.max(1, length), height: barHeight - 10 };
    return reachable(
      says,
      'row',
      caption(labelWidth - 8, y + 18, named(words, role), 'end'),
      drawn('rect', { ...bar, class: `bar series${index}` }),
      caption(
        labelWidth + length + 8,
        y + 18,
        `${tokens.toLocaleString(words.language)} · ${spent(spend, words)}`,
        'start',
      ),
    );
  });
  const attributes = { viewBox: `0 0 ${width} ${roles.length * barHeight}`, role: 'group', 'aria-label': words.spend };
  return sectionOf({
    id: 'spend',
    title: words.spend,
    about: words.spendAbout,
    drawing: drawn('svg', { ...attributes, class: 'chart' }, ...bars),
    asTable: words.asTable,
    head: [words.role, words.calls, words.cached, words.tokens, words.money, words.time],
    rows: [
      ...roles.map((spend) => [named(words, spend.role), ...cells(spend), '–']),
      ...stages.map((spend) => [named(words, spend.stage), ...cells(spend), seconds(spend.ms)]),
    ],
  });
}

/** What was booked at its worst is said to be the most. */
function spent(
  { usd, exact }: { readonly usd: number | undefined; readonly exact: boolean },
  words: Pick<ReportPayload['words'], 'upTo'>,
): string {
  return exact || usd === undefined || usd === 0 ? money(usd) : filledIn(words.upTo, money(usd));
}
