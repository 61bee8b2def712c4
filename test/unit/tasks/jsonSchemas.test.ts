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

  const rows: readonly (readonly [string, unknown])[] = [
    ['a check', entry([{ check: 'max_chars', limit: 600, hidden: true }])],
    ['a check without its argument', entry([{ check: 'max_chars' }])],
    ['an unknown check', entry([{ check: 'max_char', limit: 1 }])],
    ['a mistyped argument', entry([{ check: 'max_chars', limit: 'many', hiden: true }])],
    ['checks that are no list', entry('none')],
    [
      'a wrong field of an agent',
      { tasks: { 1: { environment: 'agent', agent: { fixture: 7, mode: 'forcd', x: 1 } } } },
    ],
    ['no checks', { format: 'whetstone.tasks', version: 1, $schema: 'x' }],
    ['another format', { format: 'other', version: 1 }],
  ];
  for (const [name, value] of rows) {
    it(`leave it to the reader to say what is wrong: ${name}`, () => {
      const schema = JSON.parse(JSON.stringify(generated['whetstone.schema.json']));
      assert.equal(validateValue(value, compileSchema(schema)).kind, 'valid');
    });
  }

  it('offer the values that a field may have', () => {
    const text = JSON.stringify(generated['whetstone.schema.json']);
    for (const values of ['["offered","forced"]', '["added","changed","deleted","any","none"]', '"opencode"'])
      assert.ok(text.includes(values), values);
  });
});

function entry(checks: unknown): object {
  return { format: 'whetstone.tasks', version: 1, tasks: { 1: { checks } } };
}
