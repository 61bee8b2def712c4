import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { allKinds } from '../../../src/simulated/reading/readInstructions.js';
import { kindsIn } from './asking.js';

const path = 'docs/simulated.md';
const start = '<!-- kinds:start -->';
const end = '<!-- kinds:end -->';

// UPDATE=1 writes the table anew.
describe('the table of what the simulated model understands', () => {
  it('is the one that the kinds themselves give', () => {
    const text = readFileSync(path, 'utf8');
    const written = `${text.split(start)[0] ?? ''}${start}\n${table()}${end}${text.split(end)[1] ?? ''}`;
    if (process.env['UPDATE'] === '1') writeFileSync(path, written);
    assert.equal(readFileSync(path, 'utf8'), written, 'run the tests with UPDATE=1');
  });

  it('holds at least twelve kinds, each with six phrasings that the target reads as that kind', () => {
    const rows = rowsOf(readFileSync(path, 'utf8'));
    assert.ok(rows.length >= 12);
    assert.deepEqual(
      rows.map(({ name }) => name),
      allKinds.map((kind) => kind.name),
    );
    for (const { name, phrasings } of rows) {
      assert.ok(phrasings.length >= 6, name);
      for (const phrasing of phrasings) {
        assert.deepEqual(kindsIn(phrasing), [name], phrasing);
      }
    }
  });
});

function table(): string {
  const rows = allKinds.map(({ name, phrasings, followed, otherwise }) => {
    const cells = [name, phrasings.map(codeSpan).join('<br>'), followed, otherwise].map((cell) =>
      cell.replaceAll('|', String.raw`\|`),
    );
    return `| ${cells.join(' | ')} |`;
  });
  return ['| kind | phrasings, for example | told | otherwise |', '|---|---|---|---|', ...rows, ''].join('\n');
}

/** Two backticks around, so that a phrasing may hold one. */
function codeSpan(phrasing: string): string {
  return phrasing.includes('`') ? `\`\` ${phrasing} \`\`` : `\`${phrasing}\``;
}

function rowsOf(text: string): readonly { readonly name: string; readonly phrasings: readonly string[] }[] {
  const lines = (text.split(start)[1] ?? '').split(end)[0]?.trim().split('\n').slice(2) ?? [];
  return lines.map((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
    const phrasings = (cells[2] ?? '').split('<br>').map((cell) => cell.replace(/^`+ ?/, '').replace(/ ?`+$/, ''));
    return { name: cells[1] ?? '', phrasings };
  });
}
