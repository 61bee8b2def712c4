import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const page = readFileSync('docs/upstream.md', 'utf8');
const readme = readFileSync('README.md', 'utf8');

const states = ['same', 'mended', 'different', 'not yet'];
/** What may be missing, and is to stand in the README too. */
const subjects = ['distributed attempts', 'commands inside other agents'];

/** A page that says what is there must not say more, nor hide what is missing. */
describe('docs/upstream.md', () => {
  const tables = tablesIn(sectionOf(page, '## Every item of the sources'));

  it('has a table for each of the five sources, and rows in each', () => {
    assert.equal(tables.length, 5);
    for (const rows of tables) assert.ok(rows.length >= 15, JSON.stringify(rows[0]));
  });

  it('knows four states, and gives a reason for what is not the same', () => {
    for (const [item = '', state = '', ours = ''] of tables.flat()) {
      assert.ok(states.includes(state), `${item}: “${state}”`);
      if (state !== 'same') assert.notEqual(ours, '', `${item}: no reason`);
    }
  });

  it('says “not yet” of two subjects alone, anywhere on the page', () => {
    for (const cells of tablesIn(page).flat()) {
      if (!cells.some((cell) => cell === 'not yet')) continue;
      assert.ok(subjects.includes(cells.at(-1) ?? ''), cells.join(' | '));
    }
  });

  it('is agreed with by the README: what is not there yet stands under its limits', () => {
    const limits = sectionOf(readme, '## Limits').toLowerCase();
    const missing = tables.flat().flatMap(([, state, ours = '']) => (state === 'not yet' ? [ours] : []));
    assert.deepEqual([...new Set(missing)].sort(), subjects.toSorted());
    for (const subject of missing) assert.ok(limits.includes(subject), subject);
    assert.match(readme, /It implements [\s\S]*?\(#limits\)/);
  });
});

/** From a heading to the next one of its level. */
function sectionOf(text: string, heading: string): string {
  const from = text.indexOf(`\n${heading}\n`);
  assert.ok(from >= 0, heading);
  const to = text.indexOf('\n## ', from + 1);
  return text.slice(from, to < 0 ? undefined : to);
}

/** The cells of each table, without its head. */
function tablesIn(text: string): readonly (readonly (readonly string[])[])[] {
  return [...text.matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) =>
    table
      .trimEnd()
      .split('\n')
      .slice(2)
      .map((row) =>
        row
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim()),
      ),
  );
}
