import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSkill } from '../../../../src/skill/document/skillDocument.js';
import { lintSkill } from '../../../../src/skill/lint/skillLint.js';
import { textOf } from '../../../../src/skill/document/span.js';

const good = '---\nname: demo\ndescription: Does it when asked.\n---\n\n# Demo\n\nSee [more](references/more.md).\n';

describe('lintSkill', () => {
  it('has nothing to say about a good skill', () => {
    assert.deepEqual(lintSkill(parseSkill(good), 'demo'), []);
  });

  const rows: readonly (readonly [
    name: string,
    text: string,
    found: readonly (readonly [rule: string, at: string])[],
  ])[] = [
    ['no front matter', '# Demo\n', [['front-matter-missing', '']]],
    ['no name', good.replace('name: demo\n', ''), [['name-missing', '---']]],
    ['an empty name', good.replace('name: demo', 'name:'), [['name-missing', 'name']]],
    ['capitals in the name', good.replace('demo', 'Demo'), [['name-format', 'Demo']]],
    ['a hyphen at the end', good.replace('demo', 'demo-'), [['name-format', 'demo-']]],
    ['two hyphens in a row', good.replace('demo', 'de--mo'), [['name-format', 'de--mo']]],
    ['a name of 65 letters', good.replace('demo', 'a'.repeat(65)), [['name-format', 'a'.repeat(65)]]],
    ['a name that is not the folder', good.replace('demo', 'other'), [['name-folder', 'other']]],
    ['no description', good.replace(/description.*\n/, ''), [['description-missing', '---']]],
    [
      'a long description',
      good.replace('Does it', 'a'.repeat(1020)),
      [['description-long', `${'a'.repeat(1020)} when asked.`]],
    ],
    ...[
      'Helps with release notes.',
      'Assists developers.',
      'This skill helps with PDFs',
      'A skill that helps to write better code.',
      'Useful for spreadsheets.',
      'Everything about our database',
    ].map(
      (vague) =>
        [
          `a vague description: ${vague}`,
          good.replace('Does it when asked.', vague),
          [['description-vague', vague]],
        ] as const,
    ),
    [
      'long compatibility',
      good.replace('---\n\n', `compatibility: ${'b'.repeat(501)}\n---\n\n`),
      [['compatibility-long', 'b'.repeat(501)]],
    ],
    ['a colon that breaks the YAML', good.replace('when asked', 'when: asked'), [['front-matter-yaml', 'D']]],
    [
      'an unclosed front matter',
      '---\nname: demo\ndescription: x\n\nText.\n',
      [['front-matter-yaml', '---\nname: demo\ndescription: x']],
    ],
    ['no body', '---\nname: demo\ndescription: x\n---\n', [['body-empty', '']]],
    ['too many lines', good + 'x\n'.repeat(500), [['body-long', '']]],
    ['too many tokens', good + 'word '.repeat(4100), [['body-long', '']]],
    [
      'a deep reference',
      good.replace('references/', './references/deep/'),
      [['reference-deep', './references/deep/more.md']],
    ],
    [
      'characters that nobody sees',
      `\ufeff${good}Be\u200b kind\u202e.\n\nDone.\u0000\n`,
      [
        ['invisible-text', '\u200b kind\u202e'],
        ['invisible-text', '\u0000'],
      ],
    ],
    ['a fence that is not closed', `${good}\n\`\`\`sh\nls\n`, [['fence-open', '```sh']]],
    ['a keep that is not closed', `${good}\n<!-- whetstone:keep -->\n`, [['region-open', '<!-- whetstone:keep -->']]],
  ];
  for (const [name, text, found] of rows) {
    it(`finds ${name}`, () => {
      const findings = lintSkill(parseSkill(text), 'demo');
      assert.deepEqual(
        findings.map(({ rule, span }) => [rule, textOf(text, span)]),
        found,
      );
    });
  }

  it('calls no description vague that says what is done, or when', () => {
    const told = [
      'Helps with release notes. Use it before a release.',
      'Helps people who ask about their invoice.',
      'Turns merged changes into release notes.',
      'Supports the on-call engineer by turning alerts, chat and graphs into a summary for everybody else.',
      'Writes dates.',
      'Answers about ships.',
      'x',
    ];
    const shipped = ['media', 'test']
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
      )
      .filter((file) => path.basename(file) === 'SKILL.md')
      .map((file) => readFileSync(file, 'utf8'));
    assert.ok(shipped.length > 10);
    for (const text of [...told.map((each) => good.replace('Does it when asked.', each)), ...shipped])
      assert.deepEqual(
        lintSkill(parseSkill(text), 'demo').filter(({ rule }) => rule === 'description-vague'),
        [],
        text.slice(0, 200),
      );
  });

  it('leaves links to the web, to headings and in code alone', () => {
    const text = `${good}[a](https://x.y/a/b/c/d) [b](#a/b/c/d) [c](mailto:a/b/c/d)\n\n\`\`\`\n[d](a/b/c/d.md)\n\`\`\`\n`;
    assert.deepEqual(lintSkill(parseSkill(text), 'demo'), []);
  });

  it('names the line and the characters that nobody sees, and no more than a few', () => {
    const [first, second] = lintSkill(
      parseSkill(`${good}a\u200bb\n\u202e\u200d\u200b\u2060\u00ad\u202c\u2061\n`),
      'demo',
    );
    assert.match(first?.message ?? '', /^Line 9 holds U\+200B, which nobody sees/);
    assert.match(second?.message ?? '', /^Line 10 holds U\+202E, U\+200D, U\+200B, U\+2060, U\+00AD and 2 more, /);
  });

  it('has a bounded number of findings, whatever a file hides', () => {
    assert.equal(lintSkill(parseSkill(good + '\u200b\n'.repeat(400)), 'demo').length, 100);
  });

  const fixes: readonly (readonly [name: string, text: string, folder: string, after: string])[] = [
    ['renames to the folder', good.replace('demo', 'Demo Skill'), 'demo', good],
    [
      'makes a name where the folder has none to give',
      good.replace('demo', 'Démo Skill'),
      'My Folder',
      good.replace('demo', 'demo-skill'),
    ],
    [
      'quotes a value with a colon',
      good.replace('when asked', 'when: asked'),
      'demo',
      good.replace('Does it when asked.', '"Does it when: asked."'),
    ],
    ['deletes what nobody sees', `${good}a\u200b b\u2060c\n`, 'demo', `${good}a bc\n`],
  ];
  for (const [name, text, folder, after] of fixes) {
    it(`offers a fix that ${name}`, () => {
      const fix = lintSkill(parseSkill(text), folder).find((finding) => finding.fix !== undefined)?.fix;
      assert.ok(fix !== undefined);
      assert.equal(text.slice(0, fix.span.start) + fix.text + text.slice(fix.span.end), after);
    });
  }
});
