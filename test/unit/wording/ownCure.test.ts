import { strict as assert } from 'node:assert';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ownCure, withOwnCure } from '../../../src/wording/ownCure.js';

describe('a cure', () => {
  const table = [
    [
      'Run “Whetstone: Choose Model”, or give --model on the command line (“simulated” needs no key and costs nothing).',
      'Run “Whetstone: Choose Model” first.',
      'Give --model, or set WHETSTONE_MODEL (“simulated” needs no key and costs nothing).',
    ],
    [
      'Run “Whetstone: Set API Key”, or set OPENAI_API_KEY.',
      'Run “Whetstone: Set API Key”.',
      'Set OPENAI_API_KEY in the environment.',
    ],
    [
      'Draft some (“Draft Tasks”, in a terminal “whetstone tasks draft skills/notes/SKILL.md”), or write evals/evals.json by hand.',
      'Draft some, take them from your sessions with agents, or write evals/evals.json by hand.',
      'Draft some with “whetstone tasks draft skills/notes/SKILL.md”, find some in your sessions with “whetstone mine skills/notes/SKILL.md”, or write evals/evals.json by hand.',
    ],
    [
      'Look at it, then allow it (on the command line with --allow-prompts), or delete it.',
      'Look at it, then allow it, or delete it.',
      'Look at it, then allow it with --allow-prompts, or delete it.',
    ],
    ['Save it first.', 'Save it first.', 'Save it first.'],
  ] as const;
  for (const [both, editor, terminal] of table) {
    it(`names what its reader can do: ${terminal}`, () => {
      assert.deepEqual([ownCure(both, 'editor'), ownCure(both, 'terminal')], [editor, terminal]);
    });
  }

  it('is told to its reader also at the end of what a night keeps', () => {
    // As nights of earlier versions kept it, too.
    const both =
      'notes has no tasks yet. Draft some (“Draft Tasks”, in a terminal “whetstone tasks draft”), or write evals/evals.json by hand.';
    assert.match(withOwnCure(both, 'terminal'), /^notes has no tasks yet\. Draft some with “whetstone tasks draft”, /);
    assert.equal(withOwnCure('Better on average. No cure.', 'terminal'), 'Better on average. No cure.');
  });

  it('that names both faces where it is thrown is told apart', () => {
    const thrown = sources('src/app')
      .flatMap((text) => [...text.matchAll(/'([^'\n]*(?:command line|in a terminal)[^'\n]*)'/g)])
      .map(([, cure = '']) => cure);
    assert.ok(thrown.length >= 4, `only ${thrown.length} were found`);
    for (const cure of thrown) {
      assert.doesNotMatch(ownCure(cure, 'editor'), /command line|in a terminal|--[a-z]|“whetstone /, cure);
      assert.doesNotMatch(ownCure(cure, 'terminal'), /“Whetstone: |“Draft Tasks”/, cure);
    }
  });
});

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'));
}
