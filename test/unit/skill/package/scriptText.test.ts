import assert from 'node:assert/strict';
import { packageScript } from '../../../../src/skill/package/packageFile.js';
import { parseSkill } from '../../../../src/skill/document/skillDocument.js';
import { applyEdits } from '../../../../src/skill/edits/applyEdits.js';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import { codeMarks } from '../../../../src/skill/edits/codeMarks.js';
import { anySize } from '../../../../src/skill/edits/hunksOfEdits.js';

const rationale = 'r';
const script = [
  '#!/usr/bin/env node',
  '---x;',
  'const limit = 900; // ```',
  'function cut(text) {',
  '  return text.slice(0, limit);',
  '}',
  'module.exports = { cut };',
  '',
]
  .join('\n')
  .replace('---x;', 'let x = 1; x--;');
const json = '{\r\n  "limit": 900,\r\n  "words": ["a"]\r\n}\r\n';

describe('an edit of a script', () => {
  it('is of a language that can be checked, and of no file that tools read by themselves', () => {
    const names = ['scripts/run.js', 'a.cjs', 'data/limits.JSON', 'run.mjs', 'run.sh', 'run.py', 'tone.md', 'a.bin'];
    assert.deepEqual(
      names.map((name) => packageScript(name)?.language),
      ['javascript', 'javascript', 'json', undefined, undefined, undefined, undefined, undefined],
    );
    const hidden = [
      '.vscode/tasks.json',
      'a/.eslintrc.json',
      'node_modules/x/index.js',
      'evals/a.json',
      '../a.js',
      '.git/a.js',
    ];
    assert.deepEqual(
      hidden.map((name) => packageScript(name)),
      hidden.map(() => undefined),
    );
  });

  it('changes exactly what it names, and keeps the line breaks', () => {
    const replaced = applied(script, {
      op: 'replace',
      file: 'run.js',
      anchor: 'limit = 900',
      content: 'limit = 600',
      rationale,
    });
    assert.equal(replaced.text, script.replace('900', '600'));
    const inserted = applied(json, {
      op: 'insert_after',
      file: 'a.json',
      anchor: '  "limit": 900,',
      content: '  "least": 1,',
      rationale,
    });
    assert.equal(inserted.text, json.replace('900,\r\n', '900,\r\n  "least": 1,\r\n'));
    const deleted = applied(json, { op: 'delete', file: 'a.json', anchor: '"limit": 900,', rationale });
    assert.equal(deleted.text, json.replace('  "limit": 900,\r\n', ''));
    const appended = applied(script, { op: 'append', file: 'run.js', content: 'cut("");', rationale });
    assert.equal(appended.text, `${script.trimEnd()}\n\ncut("");\n`);
  });

  const broken: readonly (readonly [string, string, Edit])[] = [
    ['JSON', json, { op: 'replace', file: 'a.json', anchor: '900,', content: '900', rationale }],
    ['JavaScript', script, { op: 'replace', file: 'run.js', anchor: 'limit = 900', content: 'limit =', rationale }],
    [
      'JavaScript that only a wrapper would take',
      script,
      { op: 'append', file: 'run.js', content: '}); (function () {', rationale },
    ],
    ['a module', script, { op: 'append', file: 'run.js', content: 'import fs from "node:fs";', rationale }],
  ];
  for (const [what, text, edit] of broken) {
    it(`is refused where nothing would parse any more: ${what}`, () => {
      assert.deepEqual(reasonOf(text, edit), 'syntax');
    });
  }

  it('is refused for what no document takes', () => {
    const bring = (content: string): Edit => ({ op: 'append', file: 'run.js', content, rationale });
    assert.equal(reasonOf(script, bring('// a\u200Bb')), 'invisible-text');
    assert.equal(reasonOf(script, bring('// <!-- whetstone:learned -->')), 'marker');
    assert.equal(reasonOf(script, bring('const key = "hunter2";')), 'secret');
    assert.equal(reasonOf(script, bring('x++;\n'.repeat(600)), { lines: 500, tokens: 50_000 }), 'size-budget');
    assert.equal(reasonOf(script, { op: 'delete', file: 'run.js', anchor: 'limit', rationale }), 'anchor-ambiguous');
  });

  it('runs nothing', () => {
    const evil = 'globalThis.scriptRan = true; throw new Error("ran");';
    applied(script, { op: 'append', file: 'run.js', content: evil, rationale });
    assert.equal('scriptRan' in globalThis, false);
  });

  it('is marked as one that changes what agents run', () => {
    const edit: Edit = { op: 'replace', file: 'run.js', anchor: '900', content: '600', rationale };
    const texts = { baseText: script, candidateText: script.replace('900', '600'), scope: 'body' as const };
    assert.deepEqual(codeMarks(texts, [edit]), [{ changesCode: true }]);
  });
});

function findSecrets(text: string) {
  return text.includes('hunter2') ? [{ kind: 'password', secret: 'hunter2' }] : [];
}

function applied(text: string, edit: Edit, sizeBudget = anySize) {
  const { document, report } = applyEdits(parseSkill(text), [edit], { scope: 'body', sizeBudget, findSecrets });
  return { text: document.text, outcome: report[0]?.outcome };
}

function reasonOf(text: string, edit: Edit, sizeBudget = anySize): string | undefined {
  const { text: after, outcome } = applied(text, edit, sizeBudget);
  assert.equal(after, text);
  return outcome?.kind === 'applied' ? undefined : outcome?.reason;
}
