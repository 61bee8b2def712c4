import { readFileSync, writeFileSync } from 'node:fs';
import { acceptanceRules } from '../../../src/gate/rules/acceptanceRules.js';
import { parseOutcomes } from '../../../src/gate/rules/recordedOutcomes.js';
import { ruleRow, type RuleRow, type Share } from '../../../src/gate/rules/ruleTable.js';
import { certificationAlpha } from '../../../src/gate/statistics/certification.js';
import { wholeErrorBudget } from '../../../src/gate/statistics/errorBudget.js';
import { keptTogether } from './keptTogether.js';
import { allocationTable } from './allocation.js';
import { allocationRuns, outcomesPath, pagePath, pageSettings, picturePath, tableOf, withMade } from './page.js';
import { pictureOf } from './picture.js';

const check = process.argv.includes('--check');
const json = process.argv.includes('--json');
process.exitCode = run();

/** Every rule on the recorded outcomes; the page and its picture made anew, or with `--check` only compared. */
function run(): number {
  const recorded: unknown = JSON.parse(readFileSync(outcomesPath, 'utf8'));
  const [outcomes] = parseOutcomes(recorded);
  if (outcomes === undefined) throw new Error(`${outcomesPath} holds no outcomes.`);
  const started = performance.now();
  const rows = acceptanceRules.map((rule) => {
    const row = ruleRow(rule, outcomes, pageSettings);
    process.stderr.write(`${rule.name}: done after ${Math.round((performance.now() - started) / 1000)} s\n`);
    return row;
  });
  const table = tableOf(outcomes, rows, { together: keptTogether(recorded, pageSettings) });
  const allocations = allocationTable(outcomes, allocationRuns);
  const text = `${table}\n\n${allocations}\n\n`;
  process.stdout.write(json ? `${JSON.stringify({ ...pageSettings, rules: rows }, undefined, 1)}\n` : text);
  const held = barsOf(rows).map(({ words, holds }) => {
    process.stderr.write(`${holds ? 'held  ' : 'MISSED'} ${words}\n`);
    return holds;
  });
  const page = withMade(withMade(readFileSync(pagePath, 'utf8'), 'rules', table), 'allocations', allocations);
  return [...held, isShown(picturePath, pictureOf(rows)), isShown(pagePath, page)].every(Boolean) ? 0 : 1;
}

/** What was measured is what the file says; it is written where that is not only looked at. */
function isShown(file: string, text: string): boolean {
  if (textOf(file) === text) return true;
  if (!check) writeFileSync(file, text);
  process.stderr.write(check ? `MISSED ${file} is not what was measured\n` : `${file}: made anew\n`);
  return !check;
}

interface Bar {
  readonly words: string;
  readonly holds: boolean;
}

/** What we promise, to the upper end of its interval. */
function barsOf(rows: readonly RuleRow[]): readonly Bar[] {
  const own = rows.find(({ rule }) => rule.id === 'whetstone');
  if (own === undefined) throw new Error('Our own rule is not in the table.');
  return [
    atMost('an edit that changes nothing, one certification:', own.noEffect.accepted, certificationAlpha),
    atMost('as many as the error budget pays for:', own.inARow, wholeErrorBudget),
  ];
}

function atMost(what: string, { share, interval }: Share, limit: number): Bar {
  const [, highest] = interval;
  return {
    words: `${what} ${(100 * share).toFixed(3)} %, at most ${(100 * highest).toFixed(3)} % (limit ${100 * limit} %)`,
    holds: highest <= limit,
  };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
