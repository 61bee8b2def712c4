import * as fc from 'fast-check';
import type { Edit, EditScope } from '../../../src/skill/edits/edit.js';

/** Lines that skills consist of, and those that break careless editors. */
const lines = [
  ['', '', 'Use tabs.', 'use tabs', '# Title', '## Rules', '- Use tabs.', '- Never use tabs in YAML.', '  - nested'],
  ['1. first', '2. second', '  more of it', '| a | b |', '> quoted', '---', '===', 'Text with `code` in it.'],
  ['```', '```sh', '````', '~~~', '    indented', '<!--', '-->', '\ttab', '字', '- [ ] task', '<div>'],
].flat();
const learned = ['<!-- SKILLOPT-SLEEP:LEARNED START -->', '<!-- SKILLOPT-SLEEP:LEARNED END -->'] as const;
const markers = [
  ['<!-- SLOW_UPDATE_START -->', '<!-- SLOW_UPDATE_END -->', '<!-- APPENDIX_START -->', '<!-- APPENDIX_END -->'],
  ['<!-- whetstone:keep -->', '<!-- /whetstone:keep -->', 'a <!-- whetstone:keep --> b <!-- /whetstone:keep --> c'],
  [...learned, '<!-- whetstone', ':keep -->'],
].flat();
const rules = [
  '- Use tabs.',
  '- use  tabs',
  '- Never use tabs in YAML.',
  '- One\n  and more.',
  '* Two\n\n  paragraphs',
];

const bodyLine = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...lines) }, fc.constantFrom(...markers));
const ruleLine = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...rules) }, bodyLine);
const frontMatter = fc.constantFrom(
  ['---', 'name: demo', 'description: Use tabs.', '---'],
  ['---', 'name: demo', 'description: Use when: asked', '---', ''],
  ['---', 'name: demo', ''],
  ['---'],
);

/** Any text at all, half characters and control characters included. */
export const anyText: fc.Arbitrary<string> = fc.string({
  unit: fc.oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0xffff })).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});

/** Texts like skills: front matter, blocks, markers and fences in any order, with one kind of line break. */
export const skillText: fc.Arbitrary<string> = skillWith(fc.array(bodyLine, { maxLength: 25 }));

/** Texts with a learned block somewhere. */
const learnedText: fc.Arbitrary<string> = skillWith(
  fc
    .tuple(...[4, 6, 4].map((maxLength) => fc.array(maxLength === 6 ? ruleLine : bodyLine, { maxLength })))
    .map(([before = [], inside = [], after = []]) => [...before, learned[0], ...inside, learned[1], ...after]),
);

/** A text and edits whose anchors are mostly cut out of it, so that many of them find a place in the scope. */
export function skillAndEdits(
  scope: EditScope,
): fc.Arbitrary<{ readonly text: string; readonly edits: readonly Edit[] }> {
  return (scope === 'learned' ? learnedText : skillText).chain((text) =>
    editsOf(text, scope).map((edits) => ({ text, edits })),
  );
}

function skillWith(body: fc.Arbitrary<readonly string[]>): fc.Arbitrary<string> {
  return fc
    .record({
      bom: fc.constantFrom('', '', '\uFEFF'),
      front: fc.oneof(frontMatter, fc.constant([])),
      body,
      eol: fc.constantFrom('\n', '\r\n', '\r'),
      end: fc.boolean(),
    })
    .map((parts) => {
      const text = [...parts.front, ...parts.body].join('\n') + (parts.end ? '\n' : '');
      return parts.bom + text.replaceAll('\n', parts.eol);
    });
}

function editsOf(text: string, scope: EditScope): fc.Arbitrary<readonly Edit[]> {
  const cut = fc
    .tuple(fc.nat({ max: text.length }), fc.integer({ min: 1, max: 60 }))
    .map(([start, length]) => text.slice(start, start + length));
  const anchor = scope === 'learned' ? fc.oneof(fc.constantFrom(...rules), cut) : cut;
  const line = scope === 'learned' ? ruleLine : bodyLine;
  const content = fc.array(line, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('\n'));
  const rationale = fc.constant('');
  return fc.array(
    fc.oneof(
      fc.record({ op: fc.constant('append' as const), content, rationale }),
      fc.record({ op: fc.constant('insert_after' as const), anchor, content, rationale }),
      fc.record({ op: fc.constant('replace' as const), anchor, content, rationale }),
      fc.record({ op: fc.constant('delete' as const), anchor, rationale }),
    ),
    { maxLength: 6 },
  );
}
