import { comparedCell, attemptsText } from '../../gate/rules/ruleTableText.js';
import type { RuleRow, Share } from '../../gate/rules/ruleTable.js';
import { table } from '../table.js';
import type { Paint } from '../terminal.js';

/** The rules on a screen of 80 to 100 columns; each question has a letter, and stands below. Ours is the bold row. */
export function ruleTable(rows: readonly RuleRow[], paint: Paint): string {
  const questions = [...new Set(rows.map(({ rule }) => rule.asks))];
  const compared = rows[0]?.compared.length ?? 0;
  const head = ['rule', 'luck', '+20', '+40', 'attempts', ...comparedHead(compared), 'asks'];
  const cells = rows.map((row) => {
    const { rule, noEffect, recorded } = row;
    const line = [
      rule.name,
      shareText(noEffect.accepted),
      shareText(recorded[20].accepted),
      shareText(recorded[40].accepted),
      attemptsText(row),
      ...comparedCell(row.compared),
      `${letter(questions.indexOf(rule.asks))}${rule.asksAsWeDo ? '' : ' †'}`,
    ];
    return rule.id === 'whetstone' ? line.map((cell) => paint('bold', cell)) : line;
  });
  return [
    table([head.map((word) => paint('bold', word)), ...cells]),
    '',
    'luck: how often an edit that changes nothing is accepted. +20, +40: how often a gain of so many',
    'points is found. attempts: for nothing, +20, +40, both sides. More columns: --markdown, --json.',
    ...questions.map((question, at) => `${letter(at)}: ${question}`),
  ].join('\n');
}

function comparedHead(comparisons: number): readonly string[] {
  if (comparisons === 0) return [];
  return [comparisons === 1 ? 'your edit' : `of ${comparisons}`];
}

function letter(at: number): string {
  return String.fromCodePoint(97 + at);
}

function shareText({ share }: Share): string {
  return `${(100 * share).toFixed(1)} %`;
}
