import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyEdits, type AppliedEdits } from '../../../../src/skill/edits/applyEdits.js';
import type { CodeEdits } from '../../../../src/skill/edits/edit.js';
import { anySize } from '../../../../src/skill/edits/hunksOfEdits.js';
import { parseSkill } from '../../../../src/skill/document/skillDocument.js';
import { withEol, withLineFeeds } from '../../../../src/skill/document/lines.js';
import { rewriteEdits } from '../../../../src/skill/rewrite/rewriteEdits.js';
import { assertLinear } from '../../../builders/linearTime.js';
import { skillText } from '../arbitrarySkills.js';

const isFull = process.env['WHETSTONE_FULL'] === '1';
const runs = isFull ? 1_000 : 40;

const front = '---\nname: notes\ndescription: Notes on incidents.\n---\n';
const keep = '<!-- whetstone:keep -->\nCall the owner.\n<!-- /whetstone:keep -->';
const skill = `${front}
# Notes

Write a lot. Explain everything.

## Format

- Use long words.
- Use headings.

${keep}

## Tone

Be formal.

Be stern.
`;

describe('a rewrite as edits', () => {
  it('is one edit for each changed block, with the headings above it', () => {
    const { edits } = made(
      skill,
      skill.replace('Write a lot. Explain everything.', 'Be brief.').replace('Be stern.', 'Be kind.'),
    );
    assert.deepEqual(
      edits.map(({ edit, headings }) => [edit.op, 'content' in edit ? edit.content : '', headings]),
      [
        ['replace', 'Be brief.', ['Notes']],
        ['replace', 'Be kind.', ['Tone', 'Notes']],
      ],
    );
  });

  it('says plainly what it adds and what it takes away', () => {
    const { edits } = made(
      skill,
      skill.replace('- Use long words.\n', '').replace('Be stern.', 'Be stern.\n\nBe quick.'),
    );
    assert.deepEqual(
      edits.map(({ edit }) => [edit.op, 'anchor' in edit ? edit.anchor : '']),
      [
        ['delete', '- Use long words.'],
        ['insert_after', 'Be stern.'],
      ],
    );
  });

  it('parts a section in which every line changed into its blocks', () => {
    const written = skill.replace('- Use long words.\n- Use headings.', '- Prefer short words.\n- Leave headings out.');
    assert.deepEqual(
      made(skill, written).edits.map(({ edit }) => 'content' in edit && edit.content),
      ['- Prefer short words.', '- Leave headings out.'],
    );
  });

  it('finds each place although the same words stand elsewhere', () => {
    const twice = `${front}\n# A\n\nUse tabs.\n\n# B\n\nUse tabs.\n`;
    const written = `${front}\n# A\n\nUse tabs.\n\n# B\n\nUse spaces.\n`;
    const { edits } = made(twice, written);
    assert.deepEqual(edits[0]?.edit, {
      op: 'replace',
      anchor: '# B\n\nUse tabs.',
      content: '# B\n\nUse spaces.',
      rationale: 'Part of a rewrite.',
    });
  });

  it('joins the nearest blocks where there are more than may be', () => {
    const { edits } = made(`${front}\n${nine('Old')}\n`, `${front}\n${nine('New')}\n`, 4);
    assert.equal(edits.length, 4);
  });

  it('keeps the line breaks, the byte order mark and the blank lines at the ends of the document', () => {
    const dos = `\uFEFF${withEol(skill, '\r\n')}`;
    const { text } = applied(dos, `\n\n${skill.replace('Be stern.', 'Be kind.').trimEnd()}\n\n\n`);
    assert.equal(text, dos.replace('Be stern.', 'Be kind.'));
  });

  it('fills a body that held nothing', () => {
    assert.equal(applied(front, `${front}\n# New\n\nBe brief.\n`).text, `${front}\n# New\n\nBe brief.\n`);
  });

  const refusals: readonly (readonly [name: string, rewritten: string, reason: string, detail: RegExp])[] = [
    ['an empty one', ' \n', 'empty', /is empty/],
    ['front matter alone', front, 'empty', /is empty/],
    ['lost front matter', skill.slice(front.length), 'front-matter', /loses the front matter/],
    ['changed front matter', skill.replace('name: notes', 'name: other'), 'front-matter', /changes the front matter/],
    ['a lost kept part', skill.replace(keep, ''), 'kept-region', /marked to be kept/],
    ['a changed kept part', skill.replace('Call the owner.', 'Call me.'), 'kept-region', /marked to be kept/],
    [
      'a marker of its own',
      `${skill}\n<!-- APPENDIX_START -->\nx\n<!-- APPENDIX_END -->\n`,
      'marker',
      /makes the marker/,
    ],
  ];
  for (const [name, rewritten, reason, detail] of refusals) {
    it(`is refused: ${name}`, () => {
      const result = rewriteEdits(parseSkill(skill), rewritten, { most: 50, allowed: anySize });
      assert.equal(result.kind, 'refused');
      assert.equal(result.kind === 'refused' && result.reason, reason);
      assert.match(result.kind === 'refused' ? result.detail : '', detail);
    });
  }

  it('is refused where a protected block is not as it was', () => {
    const guarded = `${skill}\n<!-- SLOW_UPDATE_START -->\nSlowly.\n<!-- SLOW_UPDATE_END -->\n`;
    const result = rewriteEdits(parseSkill(guarded), guarded.replace('Slowly.', 'Fast.'), {
      most: 50,
      allowed: anySize,
    });
    assert.equal(result.kind === 'refused' && result.reason, 'protected-region');
  });

  it('has the edit refused that changes code, unless that is allowed, and the others applied', () => {
    const fenced = `${front}\n# Run\n\n\`\`\`sh\nrm -r out\nmake\n\`\`\`\n\nWait.\n`;
    const written = fenced.replace('rm -r out', 'rm -rf /').replace('Wait.', 'Wait for it.');
    const { outcomes, text } = applied(fenced, written, 'refused');
    assert.deepEqual(outcomes, ['code-fence', 'applied']);
    assert.equal(text, fenced.replace('Wait.', 'Wait for it.'));
    assert.equal(applied(fenced, written, 'allowed').text, written);
  });

  it('may bring in a whole new code fence, as every edit of the body may, and no half of one', () => {
    const written = skill.replace('Be stern.', 'Be stern:\n\n```sh\nls\n```');
    assert.deepEqual(applied(skill, written, 'refused').outcomes, ['applied']);
    assert.deepEqual(applied(skill, skill.replace('Be stern.', '```sh\nls'), 'allowed').outcomes, ['code-fence']);
  });
});

describe('a rewrite of any length', function () {
  this.timeout(60_000);

  it('is refused before it is compared where it is longer than the document may become', () => {
    const written = `${front}\n${'x\n'.repeat(600_000)}`;
    const result = rewriteEdits(parseSkill(skill), written, { most: 50, allowed: { lines: 500, tokens: 5_000 } });
    assert.deepEqual(result, {
      kind: 'refused',
      reason: 'size-budget',
      detail: 'The rewrite is too long. The document would have 600001 lines; 500 are allowed.',
    });
  });

  it('that changes one of many lines that are the same is compared in time that goes by its length', () => {
    assertLinear((length) => {
      const before = `${front}\n${'A line.\n'.repeat(length)}`;
      made(before, before.replace(/(?<=^(?:.*\n){99}).*/, 'Another.'), 1);
    }, 500);
  });

  if (isFull) {
    it('is compared however many lines it has, where it may have them', () => {
      assert.equal(made(skill, `${skill}\n${'a\n'.repeat(200_000)}`).edits.length, 1);
      assert.equal(made(`${front}\n${many('Old')}`, `${front}\n${many('New')}`, 1).edits.length, 1);
    });
  }
});

describe('a rewrite as edits, for any document,', function () {
  this.timeout(300_000);

  it('makes exactly the rewritten text, each edit lawful and found', () => {
    fc.assert(
      fc.property(documentAndRewrite, ({ before, after }) => {
        const { edits, outcomes, text } = applied(before, after);
        // A part between protected ones may hold nothing but what stands elsewhere too: no anchor names it.
        if (isGuarded(before) && outcomes.includes('anchor-ambiguous')) return;
        assert.ok(
          outcomes.every((outcome) => outcome === 'applied'),
          JSON.stringify({ outcomes, edits }, null, 2),
        );
        assert.equal(text, after);
      }),
      { numRuns: runs },
    );
  });

  it('lets each edit be taken alone', () => {
    fc.assert(
      fc.property(documentAndRewrite, ({ before, after }) => {
        if (isGuarded(before)) return;
        for (const { edit } of made(before, after).edits) {
          const { report } = applyEdits(parseSkill(before), [edit], limits);
          assert.deepEqual(report[0]?.outcome, { kind: 'applied' }, JSON.stringify(edit));
        }
      }),
      { numRuns: runs },
    );
  });

  it('never loses what is protected, whatever the texts are, and is exact where every edit is applied', () => {
    let exact = 0;
    fc.assert(
      fc.property(skillText, skillText, fc.array(fc.nat({ max: 30 }), { maxLength: 4 }), (before, other, places) => {
        const result = rewriteEdits(parseSkill(before), mixed(before, other, places), { most: 40, allowed: anySize });
        if (result.kind === 'refused') return;
        const { document, report } = applyEdits(
          parseSkill(before),
          result.edits.map(({ edit }) => edit),
          limits,
        );
        assert.deepEqual(regionsOf(document.text), regionsOf(before));
        if (!report.every(({ outcome }) => outcome.kind === 'applied')) return;
        assert.equal(plain(document.text), result.text);
        exact += 1;
      }),
      { numRuns: runs },
    );
    assert.ok(exact > runs / 8, `only ${exact} of ${runs} were exact`);
  });
});

const limits = { scope: 'body', code: 'allowed', sizeBudget: anySize } as const;

function isGuarded(text: string): boolean {
  return text.includes('SLOW_UPDATE');
}

function many(word: string): string {
  return Array.from({ length: 40_000 }, (_, at) => `${word} ${at}.\n`).join('Go.\n');
}

function nine(word: string): string {
  return Array.from({ length: 9 }, (_, at) => `# H${at}\n\n${word} ${at}.`).join('\n\n');
}

function made(before: string, after: string, most = 50) {
  const result = rewriteEdits(parseSkill(before), after, { most, allowed: anySize });
  assert.equal(result.kind, 'edits', JSON.stringify(result));
  return result.kind === 'edits' ? result : { edits: [], text: '' };
}

function applied(before: string, after: string, code: CodeEdits = 'allowed') {
  const { edits } = made(before, after);
  const result: AppliedEdits = applyEdits(
    parseSkill(before),
    edits.map(({ edit }) => edit),
    { ...limits, code },
  );
  const outcomes = result.report.map(({ outcome }) => (outcome.kind === 'applied' ? 'applied' : outcome.reason));
  return { edits, outcomes, text: result.document.text };
}

const words = fc.constantFrom('Use tabs.', 'Be brief.', 'Never guess.', 'Name the owner.', 'Use tabs. Be brief.');
const paragraph = words.map((text) => [text]);
const list = fc.array(words, { minLength: 1, maxLength: 4 }).map((items) => items.map((item) => `- ${item}`));
const code = fc.constantFrom(['```sh', 'make', '', 'make test', '```'], ['```', 'ls', '```']);
const heading = fc.constantFrom('# Title', '## Rules', '## Format', '## Tone', '### More').map((text) => [text]);
const block = fc.oneof({ weight: 4, arbitrary: paragraph }, { weight: 4, arbitrary: list }, heading, heading, code);
const guardedBlock = ['<!-- SLOW_UPDATE_START -->', 'Use tabs.', '<!-- SLOW_UPDATE_END -->'];

/** A well-formed document and another with the same front matter and the same protected block between blocks of its own. */
const documentAndRewrite = fc
  .record({
    shared: fc.array(block, { minLength: 1, maxLength: 6 }),
    before: fc.array(block, { minLength: 1, maxLength: 4 }),
    after: fc.array(block, { minLength: 1, maxLength: 4 }),
    tail: fc.array(block, { minLength: 1, maxLength: 3 }),
    newTail: fc.array(block, { minLength: 1, maxLength: 3 }),
    guarded: fc.boolean(),
    order: fc.boolean(),
  })
  .map(({ shared, before, after, tail, newTail, guarded, order }) => {
    const region = guarded ? [guardedBlock] : [];
    return {
      before: printed([...shared, ...before, ...region, ...tail]),
      after: printed([...(order ? shared : shared.toReversed()), ...after, ...region, ...newTail]),
    };
  });

function printed(blocks: readonly (readonly string[])[]): string {
  return `${front}\n${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** The first text with lines of the other in some places, behind its own front matter. */
function mixed(before: string, other: string, places: readonly number[]): string {
  const lines = withLineFeeds(before).split('\n');
  const strange = withLineFeeds(other).split('\n');
  for (const place of places) lines.splice(5 + place, place % 3, strange[place % strange.length] ?? '');
  return lines.join('\n');
}

function regionsOf(text: string): readonly string[] {
  return parseSkill(text).regions.map(({ span }) => plain(text.slice(span.start, span.end)).trimEnd());
}

function plain(text: string): string {
  return withLineFeeds(text.replace(/^\uFEFF/, ''));
}
