import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { allPrompts, promptNamed } from '../../../src/prompts/allPrompts.js';
import { renderPrompt, validatePrompt, type PromptValue } from '../../../src/prompts/renderPrompt.js';

const folder = path.resolve('src/prompts');
const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const files = paths.map((file) => path.basename(file));

describe('the list of all prompts', () => {
  it('names every file of prompts, once', () => {
    assert.ok(files.length >= 9, `only ${files.length} prompts were found`);
    const listed = allPrompts.map(({ template }) => `${template.name}.md`);
    assert.deepEqual([...listed].sort(), [...files].sort());
    assert.equal(new Set(listed).size, listed.length);
  });

  for (const { template, about } of allPrompts) {
    it(`has ${template.name} as its file has it, with the placeholders of its twin and words on what it is for`, () => {
      const file = paths.find((each) => path.basename(each) === `${template.name}.md`) ?? '';
      const text = readFileSync(path.join(folder, file), 'utf8');
      assert.equal(template.text, text);
      assert.doesNotThrow(() => validatePrompt({ path: template.name, text }, template.placeholders));
      assert.match(about, /^[A-Z].*\.$/);
    });

    it(`fills ${template.name} with data in fences, and leaves no mark behind`, () => {
      const values: Record<string, PromptValue> = {};
      for (const name of template.placeholders) values[name] = `data of ${name}\n\`\`\`\n{{skill}}`;
      const rendered = renderPrompt(template, values, new Map());
      for (const name of template.placeholders)
        assert.match(rendered, new RegExp(`\`{4}${name}-[0-9a-f]{12}\ndata of`));
      assert.equal(rendered.split('{{').length - 1, template.placeholders.length);
    });
  }

  it('finds one by its name, and none by another', () => {
    assert.equal(promptNamed('judge')?.template.name, 'judge');
    assert.equal(promptNamed('constructor'), undefined);
  });
});
