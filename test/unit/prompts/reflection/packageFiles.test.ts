import assert from 'node:assert/strict';
import { readEdits } from '../../../../src/prompts/replies/editReply.js';
import {
  namingFile,
  packageFilesWords,
  packageScriptsWords,
  skillValue,
} from '../../../../src/prompts/reflection/packageFiles.js';
import { mergeReplySchema, reflectionReplySchema } from '../../../../src/prompts/reflection/reflection.js';
import { rewritesReplySchema } from '../../../../src/prompts/rewrite/rewrites.js';
import { skillAwareReplySchema } from '../../../../src/prompts/reflection/skillAware.js';

const files = { 'references/tone.md': 'Be calm.', 'FORMS.md': '```\nx\n```\n' };

describe('what an optimizer is told of files beside SKILL.md', () => {
  it('is nothing where there are none: prompt and schema are as they were', () => {
    assert.equal(skillValue({ skill: 'text' }), 'text');
    assert.equal(packageFilesWords({ skill: 'text' }, new Map()), '');
    assert.equal(namingFile(reflectionReplySchema, { skill: 'text' }), reflectionReplySchema);
  });

  it('is each file beneath its name, in a fence that it cannot close', () => {
    const shown = skillValue({ skill: 'text', files });
    const words = typeof shown === 'object' ? shown.words : '';
    assert.match(words, /^```skill-\w+\ntext\n```\n\nreferences\/tone\.md:\n```reference-\w+\nBe calm\.\n```\n\n/);
    assert.match(words, /FORMS\.md:\n````reference-\w+\n```\nx\n```\n````$/);
    assert.match(packageFilesWords({ skill: 'text', files }, new Map()), /references\/tone\.md\nFORMS\.md[^]*`file`/);
  });

  for (const schema of [reflectionReplySchema, mergeReplySchema, skillAwareReplySchema]) {
    it(`wants a file of every edit: ${schema.name}`, () => {
      const { schema: named } = namingFile(schema, { skill: 'text', files });
      assert.match(JSON.stringify(named), /"file":\{"type":"string"\}\},"required":\["op",[^\]]*"file"\]/);
      assert.deepEqual(
        Object.keys(Object(named['properties'])).toSorted(),
        Object.keys(schema.schema.properties).toSorted(),
      );
    });
  }

  it('is the scripts as data that no edit can change', () => {
    const words = packageScriptsWords({ 'scripts/run.sh': 'echo “hi”' }, new Map());
    assert.match(words, /No edit can change them[^]*\n\nscripts\/run\.sh:\n```script-\w+\necho “hi”\n```$/);
    assert.equal(packageScriptsWords(undefined, new Map()), '');
  });

  it('leaves a reply without edits as it is', () => {
    assert.equal(namingFile(rewritesReplySchema, { skill: 'text', files }), rewritesReplySchema);
  });
});

describe('the file of an edit in a reply', () => {
  const rows: readonly (readonly [unknown, string | undefined])[] = [
    ['references/tone.md', 'references/tone.md'],
    ['./references/tone.md', 'references/tone.md'],
    [' FORMS.md ', 'FORMS.md'],
    ['SKILL.md', undefined],
    ['./skill.md', undefined],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
  ];
  for (const [given, file] of rows) {
    it(`is ${file ?? 'SKILL.md'} for ${JSON.stringify(given)}`, () => {
      const { edits } = readEdits([{ op: 'append', file: given, content: 'x', rationale: 'r' }]);
      const expected = { op: 'append', ...(file === undefined ? {} : { file }), content: 'x', rationale: 'r' };
      assert.deepEqual(edits[0]?.edit, expected);
    });
  }
});
