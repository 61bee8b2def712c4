import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { compileSchema } from '../../../../src/checks/jsonSchema/compileSchema.js';
import { validateValue } from '../../../../src/checks/jsonSchema/validateValue.js';
import { configJsonSchema } from '../../../../src/app/options/configSchema.js';
import { optionReference } from '../../../../src/app/options/optionReference.js';
import { presets } from '../../../../src/models/openai/presets.js';
import { optionsPage } from '../../../../scripts/optionsPage.mjs';
import { optionBounds } from '../../../../src/engine/optionBounds.js';

describe('the page of options', () => {
  it('is what node scripts/schemas.mjs writes', () => {
    assert.equal(readFileSync('docs/options.md', 'utf8'), page());
  });

  it('says of every option what it is, what it takes and what is usual', () => {
    const entries = optionReference();
    assert.ok(entries.length > 50, String(entries.length));
    for (const { name, about, takes } of entries) assert.ok(about !== '' && takes !== '', name);
    const named = new Set(entries.map(({ name }) => name));
    for (const name of Object.keys(optionBounds)) assert.ok(named.has(name), name);
  });

  it('names every environment variable of ours that the code reads', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const texts = sources.map((file) => readFileSync(path.join('src', file), 'utf8'));
    const read = new Set(texts.flatMap((text) => text.match(/WHETSTONE_[A-Z_]+/g) ?? []));
    assert.ok(read.size > 5);
    for (const name of read) assert.ok(page().includes(`\`${name}\``), name);
  });
});

describe('the schema of .whetstone/config.yaml', () => {
  it('is what node scripts/schemas.mjs writes', () => {
    const stored: unknown = JSON.parse(readFileSync('schemas/config.schema.json', 'utf8'));
    assert.deepEqual(stored, JSON.parse(JSON.stringify(configJsonSchema())));
  });

  const rows: readonly (readonly [string, unknown, boolean])[] = [
    ['options nested and by their whole names', { train: { epochs: 2 }, 'edits.budget': 2, concurrency: 4 }, true],
    ['options of a skill', { skills: { 'skills/a': { train: { epochs: 2 } } } }, true],
    ['bases', { _base_: ['a.yaml'] }, true],
    ['a bound that may be a word', { gate: { attributionCalls: 'unbounded' } }, true],
    ['an unknown option', { trian: {} }, false],
    ['an unknown option of a skill', { skills: { a: { train: { epoch: 2 } } } }, false],
    ['more than the most', { train: { epochs: 1001 } }, false],
    ['a value of another kind', { 'train.epochs': 'many' }, false],
  ];
  for (const [name, value, valid] of rows) {
    it(`${valid ? 'allows' : 'marks'} ${name}`, () => {
      const schema = JSON.parse(JSON.stringify(configJsonSchema()));
      assert.equal(validateValue(value, compileSchema(schema)).kind, valid ? 'valid' : 'violated');
    });
  }
});

function page(): string {
  return optionsPage(optionReference(), presets);
}
