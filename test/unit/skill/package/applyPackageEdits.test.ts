import assert from 'node:assert/strict';
import { parseSkill, printSkill } from '../../../../src/skill/document/skillDocument.js';
import { applyEdits } from '../../../../src/skill/edits/applyEdits.js';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import { applyPackageEdits, sumOf, type PackageDocuments } from '../../../../src/skill/package/applyPackageEdits.js';

const skill = '---\nname: notes\ndescription: Notes.\n---\n\n# Notes\n\n- Be brief.\n';
const tone = '# Tone\n\n- Be kind.\n\n<!-- whetstone:keep -->\nMine.\n<!-- /whetstone:keep -->\n\n```sh\nls\n```\n';

const why = { rationale: 'r' };

describe('edits of a package', () => {
  it('change the file that they name, and SKILL.md where they name none', async () => {
    const { documents, report } = await applied([
      { op: 'append', content: '- Say who.', ...why },
      { op: 'replace', file: 'references/tone.md', anchor: '- Be kind.', content: '- Be calm.', ...why },
    ]);
    assert.deepEqual(outcomes(report), ['applied', 'applied']);
    assert.equal(printSkill(documents.skill), `${skill}- Say who.\n`);
    assert.equal(textOf(documents), tone.replace('kind', 'calm'));
  });

  it('find no place in a file that is not among them, with a reason of its own', async () => {
    const { documents, report } = await applied([{ op: 'append', file: 'scripts/run.md', content: '- x', ...why }]);
    assert.deepEqual(outcomes(report), ['unmatched file-missing']);
    const [row] = report;
    assert.match(row?.outcome.kind === 'unmatched' ? row.outcome.detail : '', /SKILL\.md, references\/tone\.md\.$/);
    assert.equal(textOf(documents), tone);
  });

  const unlawful: readonly (readonly [string, Exclude<Edit, { op: 'slow_update' | 'appendix' }>])[] = [
    ['kept-region', { op: 'replace', anchor: 'Mine.', content: 'Yours.', ...why }],
    ['code-fence', { op: 'replace', anchor: 'ls', content: 'rm -rf .', ...why }],
    ['marker', { op: 'append', content: '<!-- whetstone:keep -->', ...why }],
    ['invisible-text', { op: 'append', content: '- Be \u200Bkind to all.', ...why }],
    ['secret', { op: 'append', content: '- Use key-123.', ...why }],
    ['gaming', { op: 'append', content: '- Answer “the red fox jumps over it”.', ...why }],
    ['no-change', { op: 'replace', anchor: '- Be kind.', content: '- Be kind.', ...why }],
  ];
  for (const [reason, edit] of unlawful) {
    it(`are held to the same law in a file as in SKILL.md: ${reason}`, async () => {
      const { documents, report } = await applied([{ ...edit, file: 'references/tone.md' }]);
      assert.deepEqual(outcomes(report), [`refused ${reason}`]);
      assert.equal(textOf(documents), tone);
    });
  }

  it('make the package as long as SKILL.md may become and the others were, and no longer', async () => {
    const more = (file: string | undefined, lines: number): Edit => ({
      op: 'append',
      ...(file === undefined ? {} : { file }),
      content: Array.from({ length: lines }, (_, at) => `- Rule ${at} of ${file ?? 'all'}.`).join('\n'),
      ...why,
    });
    assert.deepEqual(await grow([more(undefined, 30)]), ['refused size-budget']);
    assert.deepEqual(await grow([more('references/tone.md', 30)]), ['refused size-budget']);
    assert.deepEqual(await grow([more('references/tone.md', 12), more(undefined, 12)]), [
      'applied',
      'refused size-budget',
    ]);
    assert.deepEqual(await grow([more('references/tone.md', 12)]), ['applied']);
    // What a file loses SKILL.md does not gain: its own limit stays.
    const shorter: Edit = { op: 'delete', file: 'references/tone.md', anchor: '- Be kind.', ...why };
    assert.deepEqual(await grow([shorter, more(undefined, 18)]), ['applied', 'refused size-budget']);
  });

  it('are applied to SKILL.md alone exactly as edits of one document are', async () => {
    const edits: readonly Edit[] = [
      { op: 'append', content: '- One.', ...why },
      { op: 'replace', anchor: 'nowhere', content: 'x', ...why },
      { op: 'append', content: '- Two.', ...why },
    ];
    const limits = { scope: 'body', sizeBudget: { lines: 500, tokens: 5000 } } as const;
    const alone = applyEdits(parseSkill(skill), edits, { ...limits, most: 2 });
    const inPackage = await applyPackageEdits({ skill: parseSkill(skill), files: new Map() }, edits, {
      ...limits,
      filesSize: sumOf([]),
      mostOn: () => 2,
    });
    assert.deepEqual(inPackage.report, alone.report);
    assert.equal(printSkill(inPackage.documents.skill), printSkill(alone.document));
  });
});

function applied(edits: readonly Edit[], lines = 500) {
  const file = parseSkill(tone);
  const documents = { skill: parseSkill(skill), files: new Map([['references/tone.md', file]]) };
  return applyPackageEdits(documents, edits, {
    scope: 'body',
    sizeBudget: { lines, tokens: 5000 },
    filesSize: file.size,
    findSecrets: (text) => (text.includes('key-123') ? [{ kind: 'key', secret: 'key-123' }] : []),
    gaming: { references: ['the red fox jumps over it'], regexSources: [], taskTexts: [] },
  });
}

async function grow(edits: readonly Edit[]): Promise<readonly string[]> {
  return outcomes((await applied(edits, 20)).report);
}

function outcomes(report: Awaited<ReturnType<typeof applied>>['report']): readonly string[] {
  return report.map(({ outcome }) => ('reason' in outcome ? `${outcome.kind} ${outcome.reason}` : outcome.kind));
}

function textOf({ files }: PackageDocuments): string {
  const document = files.get('references/tone.md');
  return document === undefined ? '' : printSkill(document);
}
