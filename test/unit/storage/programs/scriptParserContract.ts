import assert from 'node:assert/strict';
import type { ScriptParser } from '../../../../src/ports/scriptParser.js';
import type { ForeignLanguage } from '../../../../src/skill/package/packageFile.js';
import { few } from '../../../builders/few.js';
import { neverAborted } from '../../../builders/storage.js';

interface Case {
  readonly language: ForeignLanguage;
  readonly good: string;
  readonly bad: string;
  /** The line in which the parser stumbles. */
  readonly line: number;
}

const cases: readonly Case[] = [
  {
    language: 'python',
    good: '#!/usr/bin/env python3\ndef cut(text):\n    return text[:9]\n',
    bad: 'def cut(text):\nreturn text[:9]\n',
    line: 2,
  },
  { language: 'bash', good: 'if [[ -n $1 ]]; then\n  a=(1 2)\nfi\n', bad: 'ls\nfi\n', line: 2 },
  { language: 'sh', good: 'if [ -n "$1" ]; then\n  ls\nfi\n', bad: 'ls\nfi\n', line: 2 },
  { language: 'module', good: 'import fs from "node:fs";\nexport const a = fs;\n', bad: 'export const a =\n', line: 2 },
];

/** What every parser of scripts keeps. */
export function keepsContractOfScriptParsers(parser: () => ScriptParser): void {
  for (const { language, good, bad, line } of few(cases, 2)) {
    it(`tells a script in ${language} from what is none, with the line`, async () => {
      assert.equal(await parser().lacks(language, neverAborted), undefined);
      assert.deepEqual(await parser().parse(language, good, neverAborted), { kind: 'parses' });
      const parsed = await parser().parse(language, bad, neverAborted);
      assert.equal(parsed.kind, 'broken');
      assert.equal(parsed.line, line);
      assert.notEqual(parsed.message, '');
    });
  }

  it('throws where the work was cancelled, with the reason of the signal, and knows nothing by that', async () => {
    const reason = new Error('enough');
    await assert.rejects(parser().parse('bash', 'ls -a\n', AbortSignal.abort(reason)), reason);
    assert.deepEqual(await parser().parse('bash', 'ls -a\n', neverAborted), { kind: 'parses' });
  });
}
