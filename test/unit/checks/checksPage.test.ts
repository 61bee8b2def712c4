import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { allChecks, prepareCheck } from '../../../src/checks/registry.js';
import { aCheck, aTask } from '../../builders/aTask.js';

const page = readFileSync('docs/checks.md', 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| `'));

/** A page that says what can be written must not leave anything out. */
describe('docs/checks.md', () => {
  for (const { name, arguments: given } of allChecks) {
    it(`has a row for ${name}, and names each of its fields`, () => {
      assert.equal(rows.filter((row) => row.startsWith(`| \`${name}\` |`)).length, 1);
      for (const field of fieldsOf(given))
        assert.ok(name === 'command' ? rows.some((row) => isNamed(row, field)) : isNamed(rowOf(name), field), field);
    });
  }

  it('shows checks that are understood', () => {
    const shown = [...page.matchAll(/```json\n(.*?)```/gsu)].flatMap(([, text = '']) => checksIn(JSON.parse(text)));
    assert.equal(shown.length, 4);
    for (const { check, hidden, ...rest } of shown) {
      const kind = prepareCheck(aCheck(String(check), rest, hidden === true), aTask()).kind;
      assert.equal(kind, 'prepared', JSON.stringify(check));
    }
  });
});

function rowOf(name: string): string {
  return rows.find((row) => row.startsWith(`| \`${name}\` |`)) ?? '';
}

function isNamed(row: string, field: string): boolean {
  return row.includes(`\`${field}\``);
}

function fieldsOf(schema: z.ZodType): readonly string[] {
  assert.ok(schema instanceof z.ZodObject);
  return Object.keys(schema.shape);
}

type Shown = Readonly<Record<string, unknown>>;

function checksIn(shown: {
  readonly tasks?: Readonly<Record<string, { readonly checks: readonly Shown[] }>>;
}): readonly Shown[] {
  return shown.tasks === undefined ? [shown] : Object.values(shown.tasks).flatMap(({ checks }) => checks);
}
