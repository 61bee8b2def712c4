import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { acceptanceRules } from '../../../../src/gate/rules/acceptanceRules.js';
import { parseOutcomes } from '../../../../src/gate/rules/recordedOutcomes.js';
import { decisionsInARow, ruleRow, type RuleRow } from '../../../../src/gate/rules/ruleTable.js';
import { allocationTable } from '../../../bench/truth/allocation.js';
import { keptTogether } from '../../../bench/truth/keptTogether.js';
import { outcomesPath, pagePath, picturePath, madeIn, tableOf, withMade } from '../../../bench/truth/page.js';

/**
 * The page says what `npm run bench:truth` measures: the whole is compared with the full numbers, here a small rerun with
 * a seed of its own.
 */
describe('the page about the truth benchmark', () => {
  const page = readFileSync(pagePath, 'utf8');
  const settings = { seed: 5, resamples: 400 };
  const recorded: unknown = JSON.parse(readFileSync(outcomesPath, 'utf8'));
  const [outcomes] = parseOutcomes(recorded);
  assert.ok(outcomes);
  let rows: readonly RuleRow[] = [];

  before(() => {
    rows = acceptanceRules.map((rule) => ruleRow(rule, outcomes, settings));
  });

  it('has the table that the command makes, in form', () => {
    const rerun = tableOf(outcomes, rows, { settings, together: keptTogether(recorded, settings) });
    assert.equal(shapeOf(madeIn(page, 'rules')), shapeOf(rerun));
    assert.equal(withMade(page, 'rules', madeIn(page, 'rules')), page);
  });

  it('has figures that a small rerun agrees with', () => {
    for (const [at, row] of rows.entries()) {
      const cells = madeIn(page, 'rules')
        .split('\n')
        .at(at + 2)
        ?.split('|')
        .slice(2, 8);
      const shown = cells?.map((cell) => Number(/(\d+\.\d+) %/.exec(cell)?.[1]) / 100);
      for (const [cell, share] of sharesOf(row).entries()) {
        const claimed = shown?.[cell] ?? Number.NaN;
        // Four standard errors at the claimed share, and one hit more or less where it is next to nothing.
        const slack = 4 * Math.sqrt((claimed * (1 - claimed)) / share.of) + 1.5 / share.of;
        assert.ok(Math.abs(share.share - claimed) <= slack, `${row.rule.name}, ${cell}: ${share.share} for ${claimed}`);
      }
    }
  });

  it('says of the strict rule what counting every outcome gives', () => {
    const rates = outcomes.scores.map((row) => row.reduce((sum, score) => sum + score, 0) / row.length);
    for (const [at, attempts] of [1, 5].entries()) {
      const counted = 100 * chanceOfHigher(rates, attempts);
      assert.ok(
        page.includes(`${counted.toFixed(2)} % with ${attempts === 1 ? 'one attempt' : 'five'}`),
        String(counted),
      );
      const [, low, high] = /\((\d+\.\d+) to (\d+\.\d+)\)/.exec(madeIn(page, 'rules').split('\n')[at + 2] ?? '') ?? [];
      assert.ok(Number(low) <= counted && counted <= Number(high), `${counted} is not between ${low} and ${high}`);
    }
  });

  it('has the table of what was tried and left, in form', () => {
    assert.equal(shapeOf(madeIn(page, 'allocations')), shapeOf(allocationTable(outcomes, 3)));
  });

  it('takes together as many decisions as the error budget pays for', () => {
    assert.equal(decisionsInARow(), 4);
  });

  it('shows of our own rule what is promised: at most 1.25 % and 5 %, to the upper end of the intervals', () => {
    const own = madeIn(page, 'rules')
      .split('\n')
      .find((line) => line.includes('Whetstone'));
    const highest = [...(own ?? '').matchAll(/to (\d+\.\d+)\)/g)].map(([, high]) => Number(high));
    assert.ok((highest[0] ?? 100) <= 1.25 && (highest[1] ?? 100) <= 5, own);
  });

  it('names every rule with its source, and marks those that answer another question', () => {
    for (const { rule } of rows) assert.ok(page.includes(`](${rule.source.url})`), rule.source.url);
    assert.equal(madeIn(page, 'rules').split(' † |').length - 1, rows.filter(({ rule }) => !rule.asksAsWeDo).length);
  });

  it('has a picture of at most 20 KB in the figures of the table, and the README has it too', () => {
    const picture = readFileSync(picturePath, 'utf8');
    assert.ok(statSync(picturePath).size <= 20_000 && statSync('docs/pictures/truth.png').size <= 120_000);
    assert.ok(picture.includes('prefers-color-scheme:dark') && picture.includes('role="img"'));
    const ours = /Whetstone[^|]*\|[^|\d]*(\d+\.\d+) %/.exec(madeIn(page, 'rules'))?.[1] ?? '?';
    assert.ok(picture.includes(`Whetstone, up to 8 attempts ${ours} %`), ours);
    assert.match(page, /!\[[^\]]{40,}\]\(pictures\/truth\.svg\)/);
    const readme = readFileSync('README.md', 'utf8');
    assert.match(readme, /!\[[^\]]{40,}\]\(docs\/pictures\/truth\.png\)/);
    const figures = [...(/^.*docs\/truth\.md.*$/m.exec(readme)?.[0] ?? '').matchAll(/(\d+\.\d+) %/g)];
    assert.ok(figures.length > 0, 'the README says how often');
    for (const [, figure = ''] of figures)
      assert.ok(madeIn(page, 'rules').includes(figure), `${figure} is not in the table`);
  });
});

function sharesOf({ noEffect, inARow, recorded, assumed }: RuleRow) {
  return [
    noEffect.accepted,
    inARow,
    recorded[20].accepted,
    recorded[40].accepted,
    assumed[20].accepted,
    assumed[40].accepted,
  ];
}

/** Both sides pass at these rates: the law of the difference of their sums, folded pair by pair. */
function chanceOfHigher(rates: readonly number[], attempts: number): number {
  let law = new Map([[0, 1]]);
  for (const rate of rates.flatMap((each) => Array.from({ length: attempts }, () => each))) {
    const either = rate * (1 - rate);
    const next = new Map<number, number>();
    for (const [sum, chance] of law) {
      for (const [move, share] of [
        [-1, either],
        [0, 1 - 2 * either],
        [1, either],
      ] as const) {
        next.set(sum + move, (next.get(sum + move) ?? 0) + chance * share);
      }
    }
    law = next;
  }
  return [...law].reduce((total, [sum, chance]) => total + (sum > 0 ? chance : 0), 0);
}

/** A table without its figures. */
function shapeOf(text: string): string {
  return text
    .replaceAll(/\d+ (?=resamples|of each|certifications)/g, '0 ')
    .replaceAll(/-?\d+ \(-?\d+ %\)/g, '0')
    .replaceAll(/seeds?( \(?[\d, ]+\)?,?)+/g, 'seeds')
    .replaceAll(/\d+\.\d+/g, '0')
    .replaceAll(/\| \*{0,2}\d+, \d+, \d+/g, '| counts');
}
