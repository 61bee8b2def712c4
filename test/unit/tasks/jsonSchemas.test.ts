import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { compileSchema } from '../../../src/checks/jsonSchema/compileSchema.js';
import { validateValue } from '../../../src/checks/jsonSchema/validateValue.js';
import { allChecks } from '../../../src/checks/registry.js';
import { evalsJsonSchema, whetstoneJsonSchema } from '../../../src/tasks/jsonSchemas.js';

describe('the schemas for the editor', () => {
  const generated = { 'evals.schema.json': evalsJsonSchema(), 'whetstone.schema.json': whetstoneJsonSchema(allChecks) };
  for (const [name, schema] of Object.entries(generated)) {
    it(`${name} is what node scripts/schemas.mjs writes`, () => {
      assert.deepEqual(JSON.parse(readFileSync(`schemas/${name}`, 'utf8')), JSON.parse(JSON.stringify(schema)));
    });
  }

  it('offer every check with its arguments', () => {
    const text = JSON.stringify(generated['whetstone.schema.json']);
    for (const { name } of allChecks) assert.ok(text.includes(`"const":"${name}"`), name);
    assert.ok(text.includes('"limit"') && text.includes('"pattern"') && text.includes('"heading"'));
  });

  const rows: readonly (readonly [string, unknown, boolean])[] = [
    ['a check', entry([{ check: 'max_chars', limit: 600, hidden: true }]), true],
    ['a check without its argument', entry([{ check: 'max_chars' }]), false],
    ['an unknown check', entry([{ check: 'max_char', limit: 1 }]), false],
    ['a mistyped argument', entry([{ check: 'max_chars', limit: 1, hiden: true }]), false],
    ['no checks', { format: 'whetstone.tasks', version: 1, $schema: 'x' }, true],
    ['another format', { format: 'other', version: 1 }, false],
  ];
  for (const [name, value, valid] of rows) {
    it(`${valid ? 'allow' : 'mark'} ${name}`, () => {
      const schema = JSON.parse(JSON.stringify(generated['whetstone.schema.json']));
      assert.equal(validateValue(value, compileSchema(schema)).kind, valid ? 'valid' : 'violated');
    });
  }
});

function entry(checks: unknown): object {
  return { format: 'whetstone.tasks', version: 1, tasks: { 1: { checks } } };
}
