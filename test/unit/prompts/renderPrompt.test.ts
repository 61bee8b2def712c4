import assert from 'node:assert/strict';
import { UserError } from '../../../src/errors.js';
import { fence, renderPrompt, type PromptTemplate } from '../../../src/prompts/renderPrompt.js';

const template: PromptTemplate<'skill' | 'budget' | 'notes'> = {
  name: 'sample',
  text: 'At most {{budget}} edits.\n\n{{skill}}\n\n{{ notes }}\n\nReply.\n',
  placeholders: ['skill', 'budget', 'notes'],
};
const none = new Map<string, { path: string; text: string }>();

describe('renderPrompt', () => {
  it('sets strings in fences, numbers and own words inline', () => {
    const text = renderPrompt(template, { skill: '# S', budget: 3, notes: { words: 'Be brief.' } }, none);
    assert.equal(text, `At most 3 edits.\n\n${fence('skill', '# S')}\n\nBe brief.\n\nReply.`);
  });

  it('leaves out an undefined value with its line, and fences an empty one', () => {
    const text = renderPrompt(template, { skill: '', budget: 3, notes: undefined }, none);
    assert.equal(text, `At most 3 edits.\n\n${fence('skill', '')}\n\nReply.`);
  });

  it('never fills placeholders that stand in data, nor reads its dollar signs', () => {
    const text = renderPrompt(template, { skill: '{{notes}} $& $1', budget: 1, notes: { words: 'secret' } }, none);
    assert.ok(text.includes('{{notes}} $& $1'));
    assert.equal(text.split('secret').length, 2);
  });

  it("prefers the person's own version, by name", () => {
    const own = new Map([['sample', { path: '.whetstone/prompts/sample.md', text: '{{notes}}{{skill}}{{budget}}' }]]);
    assert.equal(renderPrompt(template, { skill: { words: 'S' }, budget: 2, notes: { words: 'N' } }, own), 'NS2');
  });

  const faults: readonly (readonly [string, string, RegExp, RegExp])[] = [
    [
      'an unknown placeholder',
      '{{skill}}\n{{budget}}{{notes}}\n{{nots}}',
      /own\.md, line 3: nothing fills “\{\{nots\}\}”/,
      /\{\{notes\}\}/,
    ],
    [
      'braces that are no placeholder',
      '{{skill}}{{budget}}{{notes}}{{ a b }}',
      /line 1: nothing fills “\{\{ a b \}\}”/,
      /use one of/,
    ],
    [
      'a missing placeholder',
      '{{skill}}\n{{budget}}\n',
      /line 3: the prompt ends without “\{\{notes\}\}”/,
      /Put \{\{notes\}\}/,
    ],
    ['an empty file', '', /line 1: the prompt ends without “\{\{skill\}\}”/, /Put/],
  ];
  for (const [name, text, what, cure] of faults) {
    it(`refuses ${name} with file and line`, () => {
      assert.throws(
        () =>
          renderPrompt(
            template,
            { skill: 's', budget: 1, notes: undefined },
            new Map([['sample', { path: 'own.md', text }]]),
          ),
        (error) => {
          assert.ok(error instanceof UserError);
          assert.equal(error.code, 'prompt-malformed');
          assert.match(error.message, what);
          assert.match(error.cure, cure);
          return true;
        },
      );
    });
  }
});
