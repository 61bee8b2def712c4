import assert from 'node:assert/strict';
import { isScript, packageScript } from '../../../../src/skill/package/packageFile.js';
import type { ParseScript } from '../../../../src/skill/package/parsedScript.js';
import { findScriptError } from '../../../../src/skill/package/scriptText.js';
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

const python = '#!/usr/bin/env python3\nx = 1\n';

describe('an edit of a script', () => {
  const languages: readonly (readonly [file: string, text: string, language: string | undefined])[] = [
    ['scripts/run.js', '', 'javascript'],
    ['a.cjs', '', 'javascript'],
    ['a.mjs', '', 'module'],
    ['data/limits.JSON', '', 'json'],
    ['agents/a.yml', '', 'yaml'],
    ['a.yaml', '#!/bin/sh', 'yaml'],
    ['run.py', 'x = 1', 'python'],
    ['run.py', '#!/usr/bin/env -S uv run --script\nx = 1', 'python'],
    ['run.py', '#!/usr/bin/python2\nprint 1', undefined],
    ['run.py', '#!/usr/bin/env python3.12\r\n', 'python'],
    ['run.sh', 'ls', 'sh'],
    ['run.sh', '#!/bin/bash -eu\n', 'bash'],
    ['run.sh', '#!/usr/bin/env -S FOO=1 bash -e\n', 'bash'],
    ['run.sh', '#! /bin/dash\n', 'sh'],
    ['run.sh', '#!/usr/bin/env zsh\n', undefined],
    ['run.sh', '#!/usr/bin/env\n', undefined],
    ['run.bash', 'ls', 'bash'],
    ['bin/run', '#!/usr/bin/env python3\n', 'python'],
    ['bin/run', '#!/bin/sh\n', 'sh'],
    ['bin/run', '#!/usr/bin/perl\n', undefined],
    ['bin/run', '#!/usr/bin/env uv run\n', undefined],
    ['LICENSE', 'MIT', undefined],
    ['run.ts', '', undefined],
    ['tone.md', '#!/bin/sh', undefined],
    ['a.bin', '#!/bin/sh', undefined],
  ];
  for (const [file, text, language] of languages)
    it(`is in ${language ?? 'no language that is parsed'}: ${file} ${JSON.stringify(text)}`, () => {
      assert.equal(packageScript(file, text)?.language, language);
      assert.ok(language === undefined || isScript(file));
    });

  it('is of no file that tools read by themselves', () => {
    const hidden = [
      '.vscode/tasks.json',
      'a/.eslintrc.json',
      'a/.envrc',
      '.run.py',
      'node_modules/x/index.js',
      'evals/a.py',
      '../a.sh',
      '.git/a.js',
    ];
    assert.deepEqual(hidden.filter(isScript), []);
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
    ['YAML', 'a: 1\nb: 2\n', { op: 'replace', file: 'a.yaml', anchor: 'b: 2', content: 'b: [2', rationale }],
    ['another program', python, { op: 'replace', file: 'a.py', anchor: 'env python3', content: 'env ruby', rationale }],
    [
      'another language',
      python,
      { op: 'replace', file: 'a.py', anchor: 'env python3', content: 'env bash', rationale },
    ],
    [
      'an encoding in which other code is read',
      python,
      { op: 'insert_after', file: 'a.py', anchor: 'python3', content: '# -*- coding: utf-7 -*-', rationale },
    ],
    [
      'JSON without an end',
      '[1]',
      { op: 'replace', file: 'a.json', anchor: '[1]', content: '['.repeat(100_000), rationale },
    ],
    [
      'YAML that is nested too deeply',
      'a: 1\n',
      { op: 'replace', file: 'a.yml', anchor: '1', content: '['.repeat(500), rationale },
    ],
  ];
  for (const [what, text, edit] of broken) {
    it(`is refused where nothing would parse any more: ${what}`, () => {
      assert.deepEqual(reasonOf(text, edit), 'syntax');
    });
  }

  it('is refused with the line and the words of the parser', () => {
    const js = told(script, { op: 'replace', file: 'a/run.js', anchor: 'limit = 900', content: 'limit =', rationale });
    assert.match(js, /^a\/run\.js would no longer parse in line 3 \(Unexpected token ';'\)\.$/u);
    const yaml = told('a: 1\nb: 2\n', { op: 'append', file: 'a.yaml', content: 'c: "x', rationale });
    assert.match(yaml, /^a\.yaml would no longer parse in line 5 \(Missing closing "quote\)\.$/u);
  });

  it('is parsed by a program where this process cannot, and not taken where there is none', async () => {
    const parsed: string[] = [];
    const parse: ParseScript = async (language, text) => {
      parsed.push(`${language} ${text}`);
      return text.includes('(')
        ? { kind: 'broken', message: 'never closed\u001b[1m\nhere.', line: 2 }
        : { kind: 'parses' };
    };
    const error = async (file: string, text: string, by: ParseScript | undefined = parse) => {
      const read = packageScript(file, text);
      assert.ok(read);
      const found = await findScriptError(read, text, by);
      return found?.detail;
    };
    assert.equal(await error('a.py', 'x = 1'), undefined);
    assert.equal(await error('a.py', 'x = ('), 'a.py would no longer parse in line 2 (never closed [1m here).');
    assert.equal(
      await error('a.sh', 'ls', () => Promise.resolve({ kind: 'unparsed', reason: 'Too long.' })),
      'a.sh could not be parsed. Too long.',
    );
    assert.match((await findScriptError({ file: 'a.py', language: 'python' }, 'x', undefined))?.kind ?? '', /refused/u);
    // What the program would pass over is not even shown to it.
    for (const text of ['x\0', '\uFEFFls']) assert.match((await error('a.sh', text)) ?? '', /would no longer parse/u);
    assert.equal(await error('a.py', '\uFEFFx = 2'), undefined);
    assert.deepEqual(parsed, ['python x = 1', 'python x = (', 'python \uFEFFx = 2']);
  });

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

function told(text: string, edit: Edit): string {
  const { outcome } = applied(text, edit);
  return outcome !== undefined && 'detail' in outcome ? outcome.detail : '';
}

function reasonOf(text: string, edit: Edit, sizeBudget = anySize): string | undefined {
  const { text: after, outcome } = applied(text, edit, sizeBudget);
  assert.equal(after, text);
  return outcome?.kind === 'applied' ? undefined : outcome?.reason;
}
