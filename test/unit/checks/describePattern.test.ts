import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describePattern } from '../../../src/checks/regex/describePattern.js';
import { translateRegex } from '../../../src/checks/regex/translateRegex.js';

const asWritten = 'Capital and small letters count as written.';
const anyCase = 'Capital and small letters count the same.';

describe('describePattern', () => {
  const said: readonly (readonly [source: string, words: string, flags?: string])[] = [
    ['Severity:', `The answer contains “Severity:”. ${asWritten}`],
    ['Severity:|Sev:', `The answer contains “Severity:” or “Sev:”. ${asWritten}`],
    ['colou?r', `The answer contains “colour” or “color”. ${anyCase}`, 'i'],
    ['[Rr]isk', `The answer contains “Risk” or “risk”. ${asWritten}`],
    ['(?i)[Rr]isk', `The answer contains “Risk”. ${anyCase}`],
    ['SEV-[1-4]', `The answer contains “SEV-1”, “SEV-2”, “SEV-3” or “SEV-4”. ${asWritten}`],
    ['^(?:yes|no)$', `The answer is “yes” or “no” and nothing else. ${asWritten}`],
    ['^The', `The answer starts with “The”. ${asWritten}`],
    [String.raw`\.\Z`, 'The answer ends with “.”.'],
    [
      '(?m)^Risk: (high|medium|low)$',
      `A line of the answer is “Risk: high”, “Risk: medium” or “Risk: low” and nothing else. ${asWritten}`,
    ],
    [
      String.raw`(?m)^Risk:\s*(?:high|low)$`,
      `A line of the answer is “Risk:”, directly followed by optional white space, directly followed by “high” or “low” and nothing else. For example: “Risk: high”. ${asWritten}`,
    ],
    [
      String.raw`\d{4}-\d{2}-\d{2}`,
      'The answer contains 4 digits, directly followed by “-”, directly followed by 2 digits, directly followed by “-”, directly followed by 2 digits. For example: “2024-12-12”.',
    ],
    [
      'foo.*bar',
      `The answer contains “foo”, directly followed by any text or none on the same line, directly followed by “bar”. For example: “foo bar”. ${asWritten}`,
    ],
    [String.raw`\bTODO\b`, `The answer contains “TODO”, as a whole word. ${asWritten}`],
    [
      '[A-Z]{3}-[0-9]{3,5}',
      'The answer contains 3 capital letters from A to Z, directly followed by “-”, directly followed by 3 to 5 digits. For example: “AAA-123”.',
    ],
    [
      String.raw`total:?\s+\d+(,\d{3})*`,
      `The answer contains “total:” or “total”, directly followed by white space, directly followed by one or more digits. For example: “total: 1”. ${asWritten}`,
    ],
    [
      String.raw`(yes|\d+)!`,
      `The answer contains either “yes” or else one or more digits, directly followed by “!”. ${asWritten}`,
    ],
    [String.raw`^[\s\S]*end$`, `The answer ends with “end”. ${asWritten}`],
    [String.raw`^(?![\s\S]*(?:TODO|FIXME))`, `The answer does not contain “TODO” or “FIXME”. ${asWritten}`],
    [String.raw`\A(?![\s\S]*(?:^Note:))`, `No line of the answer starts with “Note:”. ${asWritten}`, 'm'],
    ['^(?!Sure)', `The answer does not start with “Sure”. ${asWritten}`],
    [String.raw`^(?=[\s\S]*cat)(?=[\s\S]*dog)`, `The answer contains “cat”. The answer contains “dog”. ${asWritten}`],
  ];
  for (const [source, words, flags = ''] of said) {
    it(`says of ${source}: ${words}`, () => assert.equal(describePattern(source, flags)?.words, words));
  }

  const unsaid: readonly (readonly [source: string, why: string, flags?: string])[] = [
    [String.raw`(\w+) \1`, 'a reference back'],
    ['(?:a+)+b', 'a repetition of repetitions'],
    ['(?<!a)b', 'a look behind'],
    ['foo(?=bar)', 'a look in the middle'],
    ['(?!foo)', 'a look that is true somewhere in any answer'],
    ['^(?=.*a)(?=.*b)', 'what must stand on the first line'],
    [String.raw`^(?![\s\S]*(?:^a\s+b$))`, 'lines that must not follow one another', 'm'],
    ['(?:- .+\n){3}', 'a repeated line'],
    ['^a|b$', 'two places'],
    [String.raw`\p{Lu}`, 'a property'],
    ['[a-zäöü0-9_.%+-]+@x', 'a long set'],
    ['.*', 'nothing'],
    ['x|', 'nothing'],
    ['“a”', 'a quote in quotes'],
    ['a\u200Bb', 'what nobody sees'],
    ['a{500}', 'a long text'],
    ['(', 'no expression'],
    [Array.from({ length: 40 }, (_, index) => `word${index}`).join('|'), 'a long list'],
  ];
  for (const [source, why, flags = ''] of unsaid) {
    it(`says nothing of ${source.slice(0, 40)}: ${why}`, () => assert.equal(describePattern(source, flags), undefined));
  }

  it('is true: whoever writes what the words say writes what the expression finds', () => {
    fc.assert(
      fc.property(aPattern, fc.integer({ min: 0, max: 1_000_000 }), ({ source, flags, negative }, seed) => {
        const described = describePattern(source, flags);
        fc.pre(described !== undefined);
        const text = written(described.words, seed);
        const found = findIn(source, flags, text);
        assert.equal(found, !negative, `${source}\n${described.words}\n${JSON.stringify(text)}`);
        assert.ok(!/[\\^$*+?()[\]{}|]/.test(described.words.replaceAll(/“[^”]*”/g, '')), described.words);
      }),
      { numRuns: 300 },
    );
  });

  it('can say most of what is asked in practice', () => {
    const sources = fc.sample(aPattern, { numRuns: 200, seed: 7 });
    const silent = sources.filter(({ source, flags }) => describePattern(source, flags) === undefined);
    assert.ok(silent.length < 40, silent.map(({ source }) => source).join('\n'));
  });
});

function findIn(source: string, flags: string, text: string): boolean {
  const translation = translateRegex(source, flags);
  assert.ok(translation.kind === 'translated');
  // Not within a time limit: on a busy machine the shortest search may take as long as that.
  return new RegExp(translation.regex.source, translation.regex.flags).test(text);
}

const word = fc.constantFrom('Risk', 'high', 'Severity:', 'SEV-', 'a.b', 'c++', '(x)', '$', 'two words', '# ', 'ok?');
const literal = word.map(escaped);
const choice = fc.array(literal, { minLength: 2, maxLength: 3 }).map((words) => `(?:${words.join('|')})`);
const kind = fc.constantFrom(String.raw`\d`, String.raw`\s`, String.raw`\w`, '[1-9]', '[A-Z]', '[ab-]', '.', '[^,]');
const count = fc.constantFrom('', '+', '*', '?', '{2}', '{2,4}', '{3,}', '+?');
const run = fc.tuple(kind, count).map(([what, often]) => `${what}${often}`);
const optional = literal.map((text) => `(?:${text})?`);
const body = fc
  .array(fc.oneof(literal, choice, run, optional), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));
const aPattern = fc
  .record({
    body,
    start: fc.constantFrom('', '^'),
    end: fc.constantFrom('', '$'),
    flags: fc.constantFrom('', 'i', 'm', 'im'),
    negative: fc.boolean(),
  })
  .map(({ body: inner, start, end, flags, negative }) => ({
    source: negative ? String.raw`\A(?![\s\S]*(?:${start}${inner}${end}))` : `${start}${inner}${end}`,
    flags,
    negative,
  }));

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
}

/** Writes an answer of which every word but “not” holds, knowing nothing but the words. */
function written(words: string, seed: number): string {
  const [, frame = '', what = ''] =
    /^((?:The answer|A line of the answer|No line of the answer) (?:contains|does not contain|starts with|does not start with|ends with|does not end with|is not just|is just|is))\s(.+?)(?: and nothing else)?\.(?: For example: “.*”\.)?(?: Capital and small letters count (?:as written|the same)\.)?$/su.exec(
      words,
    ) ?? assert.fail(words);
  let next = seed;
  const pick = (most: number): number => {
    next = (next * 1_103_515_245 + 12_345) % 2_147_483_648;
    return next % most;
  };
  const text = what
    .split(', directly followed by ')
    .map((piece) => textOf(piece, pick))
    .join('');
  return placed(frame, text);
}

/** The text where the words want it: in the midst of others, or at an end of the answer or of a line. */
function placed(frame: string, text: string): string {
  const isStart = /start with|starts with| is$|just$/.test(frame);
  const isEnd = /end with|ends with| is$|just$/.test(frame);
  if (/\bline\b/.test(frame)) return `Hello.\n${isStart ? '' : 'Some '}${text}${isEnd ? '' : ' more'}\nBye.`;
  return `${isStart ? '' : 'Hello. '}${text}${isEnd ? '' : ' Bye.'}`;
}

function textOf(piece: string, pick: (most: number) => number): string {
  const optionalPart = /^optionally (.+)$/su.exec(piece)?.[1];
  if (optionalPart !== undefined) return pick(2) === 0 ? '' : textOf(optionalPart, pick);
  const quoted = [...piece.matchAll(/“([^”]*)”/gu)].map(([, text = '']) => text);
  const [least, most] = bounds(piece);
  const times = least + pick(most - least + 1);
  if (/^(?:“[^”]*”(?:, | or )?)+$/u.test(piece)) return quoted[pick(quoted.length)] ?? '';
  const characters = charactersOf(piece, quoted);
  return Array.from({ length: times }, () => characters[pick(characters.length)] ?? '').join('');
}

function bounds(piece: string): readonly [number, number] {
  if (/^(?:zero or more|optional white|any text or none)/.test(piece)) return [0, 3];
  if (/^(?:one or more|white space$|some text)/.test(piece)) return [1, 3];
  const [, least, most] = /^(\d+)(?: to (\d+))? /.exec(piece) ?? [];
  if (least === undefined) return [1, 1];
  return [Number(least), / or more /.test(piece) ? Number(least) + 2 : Number(most ?? least)];
}

function charactersOf(piece: string, quoted: readonly string[]): readonly string[] {
  if (/other than/.test(piece)) return ['x', '7', '-'].filter((text) => !quoted.includes(text));
  if (/text|of the same line/.test(piece)) return ['x', '7', ' '];
  if (/white space/.test(piece)) return [' '];
  if (/letters?, digits? or underscores?/.test(piece)) return ['x', '7', '_'];
  if (/capital letter/.test(piece)) return ['A', 'Q', 'Z'];
  if (/letters? from A to Z/.test(piece)) return ['A', 'q', 'Z'];
  if (/digits? from 1 to 9/.test(piece)) return ['1', '5', '9'];
  if (/digit/.test(piece)) return ['0', '5', '9'];
  return quoted.length > 0 ? quoted : assert.fail(piece);
}
