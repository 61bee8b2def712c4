import type { RuleRow } from '../../../src/gate/rules/ruleTable.js';

const width = 820;
const rowHeight = 26;
const top = 60;
const panels = [
  {
    title: 'accepts an edit that changes nothing',
    left: 280,
    width: 180,
    whole: 0.5,
    of: (row: RuleRow): number => row.noEffect.accepted.share,
  },
  {
    title: 'finds a gain of 40 points',
    left: 540,
    width: 120,
    whole: 1,
    of: (row: RuleRow): number => row.recorded[40].accepted.share,
  },
] as const;
const attemptsLeft = 748;

/** Two bars a rule: how often it is fooled, and how often it finds a gain. Words in it are words, so it stays small. */
export function pictureOf(rows: readonly RuleRow[]): string {
  const height = top + rows.length * rowHeight + 34;
  const title = `How often each rule ${panels[0].title}, and how often it ${panels[1].title}: ${rows.map(saidOf).join('; ')}.`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<style>`,
    `svg{font:13px system-ui,-apple-system,"Segoe UI",sans-serif}`,
    `.page{fill:#fff}.ink{fill:#1f2328}.soft{fill:#59636e}.bar{fill:#9aa7b4}.own{fill:#1a7f37}.bold{font-weight:600}`,
    `@media(prefers-color-scheme:dark){.page{fill:#0d1117}.ink{fill:#e6edf3}.soft{fill:#9198a1}.bar{fill:#59636e}.own{fill:#3fb950}}`,
    `</style>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    words('ink bold', 16, 24, 'Real attempts of an agent at 12 tasks, resampled'),
    ...panels.map(({ title: said, left }) => words('soft', left, 48, said)),
    words('soft', attemptsLeft, 48, 'attempts'),
    ...rows.flatMap(barsOf),
    words('soft', 16, height - 14, '† answers another question. Attempts: of both sides, where nothing changed.'),
    `</svg>`,
    ``,
  ].join('\n');
}

/** In words, for those who do not see it. */
function saidOf(row: RuleRow): string {
  return [row.rule.name, ...panels.map(({ of }) => percent(of(row)))].join(' ');
}

function barsOf(row: RuleRow, at: number): readonly string[] {
  const own = row.rule.id === 'whetstone';
  const y = top + at * rowHeight;
  const ink = own ? 'ink bold' : 'ink';
  return [
    words(ink, 16, y + 14, row.rule.name + (row.rule.asksAsWeDo ? '' : ' †')),
    ...panels.flatMap((panel) => {
      const share = panel.of(row);
      const length = Math.max(1, Math.round((panel.width * Math.min(panel.whole, share)) / panel.whole));
      return [
        `<rect class="${own ? 'own' : 'bar'}" x="${panel.left}" y="${y + 2}" width="${length}" height="15" rx="2"/>`,
        words(ink, panel.left + length + 6, y + 14, percent(share)),
      ];
    }),
    words(ink, attemptsLeft, y + 14, row.noEffect.attempts.toFixed(0)),
  ];
}

function words(kind: string, x: number, y: number, said: string): string {
  return `<text class="${kind}" x="${x}" y="${y}">${said}</text>`;
}

/** Finer where it is next to nothing. */
function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.01 ? 2 : 1)} %`;
}
