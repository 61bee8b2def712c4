import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** The page that says where each expected feature is. */
describe('docs/features.md', () => {
  const page = readFileSync('docs/features.md', 'utf8');
  const rows = page.split('\n').filter((line) => /^\| \d/.test(line));

  it('has a row for each of the 63 features, once', () => {
    const numbers = rows.flatMap((row) => numbersIn(row.split('|')[1] ?? ''));
    assert.deepEqual(
      numbers,
      Array.from({ length: 63 }, (_, index) => index + 1),
    );
  });

  it('says of each where it is, or why not', () => {
    for (const row of rows) assert.ok((row.split('|')[4] ?? '').trim().length > 1, row);
  });

  it('names only commands that are there', () => {
    const texts = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync('package.nls.json', 'utf8')));
    const titles = Object.entries(texts)
      .filter(([key]) => key.startsWith('command.') || key === 'walkthrough.title')
      .map(([, text]) => text);
    const named = [...page.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => name ?? '');
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter((name) => !titles.includes(name)),
      [],
    );
  });
});

/** “4, 5” and “43–46” are several rows in one. */
function numbersIn(cell: string): readonly number[] {
  return cell.split(',').flatMap((part) => {
    const [from = 0, to = from] = part.split('–').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}
