import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readSource, repository, sourceFiles } from './sourceFiles.js';

/** What a person reads, in English: the texts of the editor, and those of package.json. */
const said: readonly string[] = [
  ...Object.keys(read('l10n/bundle.l10n.json')),
  ...Object.values(read('package.nls.json')),
];

/** Sentences that are stored with a verdict or a run. The report shows them; other faces say the short one. */
const stored = [
  'All {0} edits together: {1} The {2} that help were certified by themselves.',
  'Better: {0}, which luck alone gives at most once in {1} certifications{2}.',
  'Edits were tried, and nothing is staged. {0}',
  'The certification was cut off. {0}',
  'Undecided: {0} of {1} pairs gave no result, and above a tenth nothing is decided.',
  '{0} certification',
  '{0} certifications',
];

/** The candidates of a run are all measured, on training tasks: what tells them apart is who was certified. */
const candidates = [
  'Certify',
  'Certify This One',
  'Certify candidate {0} on held-out tasks?',
  'Certify {0}: {1}; it takes nothing more of the error budget, of which {2} are left.',
  'Certify {0}: {1}; {2} of the error budget, of which {3} are left.',
  'Not certified: this candidate was measured on training tasks alone.',
  'not certified',
];

/** The statistics of the report, behind their own word there. */
const statistics = ['p {0}, across tasks {1}, alpha {2}', '{0} pair', '{0} pairs'];

describe('what a person is told', () => {
  it('is found', () => assert.ok(said.length > 1_000, `only ${said.length} texts were found`));

  const forbidden: readonly (readonly [why: string, pattern: RegExp])[] = [
    [
      'the gate accepts and rejects nothing: a person does',
      /\bgate\b.*\b(?:accept|reject)|\b(?:accept|reject)\w* by the gate/i,
    ],
    ['“inconclusive” is a name of ours: it is undecided', /\binconclusive\b/i],
    ['a proposal is proposed, not staged', /\bstaged\b|\bstages? (?:a )?proposals?\b/i],
    ['what is measured or proved is said so, not certified', /\bcertif(?:y|ied|ication|ications)\b/i],
    ['alpha and pairs are statistics', /\balpha\b|\bpairs?\b/i],
    ['a score is in percent', /\b[01]\.\d\d? (?:→|to \d)|\b0\.\d+ points?\b/],
    ['a person is “you”', /\bthe person\b/i],
  ];
  for (const [why, pattern] of forbidden) {
    it(why, () => {
      const lawful = new Set([...stored, ...candidates, ...statistics]);
      assert.deepEqual(
        said.filter((text) => pattern.test(text) && !lawful.has(text)),
        [],
      );
    });
  }

  const languages = [
    ['l10n/bundle.l10n.json', 'package.nls.json'],
    ['l10n/bundle.l10n.zh-cn.json', 'package.nls.zh-cn.json'],
  ] as const;
  for (const [texts, titles] of languages) {
    it(`names only commands that there are, as the palette names them: ${texts}`, () => {
      const known = new Set(Object.values(read(titles)));
      const named = Object.values(read(texts)).flatMap((text) =>
        [...text.matchAll(/“Whetstone: ([^”]+)”/g)].map(([, title = '']) => title),
      );
      assert.ok(named.length > 5, `only ${named.length} were found`);
      assert.deepEqual(
        named.filter((title) => !known.has(title)),
        [],
      );
    });
  }

  it('has two decimals for money alone: a score is in percent', () => {
    const faces = sourceFiles().filter((file) => /^(?:editor|cli|webview|wording)\//.test(file));
    assert.ok(faces.length > 100, `only ${faces.length} files were found`);
    const found = faces.flatMap((file) =>
      readSource(file)
        .split('\n')
        .filter((line) => line.includes('toFixed(2)') && !/usd|price|money|cost/i.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    assert.deepEqual(found, []);
  });
});

function read(file: string): Readonly<Record<string, string>> {
  return z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(join(repository, file), 'utf8')));
}
