import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { boundedTest, regexTimeLimitMs } from '../../../src/checks/regex/boundedTest.js';
import { translateRegex } from '../../../src/checks/regex/translateRegex.js';
import { aCheck } from '../../builders/aTask.js';
import { evaluateCheck } from './evaluateCheck.js';

describe('translateRegex', () => {
  const finds: readonly (readonly [source: string, text: string, found: boolean, flags?: string])[] = [
    ['(?P<year>\\d{4})-(?P=year)', '2024-2024', true],
    ['(?P<year>\\d{4})-(?P=year)', '2024-2025', false],
    ['(?<word>a+)-\\k<word>', 'aa-aa', true],
    ['(["\'])x\\1', '"x"', true],
    ['(["\'])x\\1', '"x\'', false],
    ['(?i)severity', 'SEVERITY', true],
    ['(?im)^severity:', 'a\nSeverity: b', true],
    ['(?i)[a-f]x', 'FX', true],
    ['(?i)[^a-f]x', 'FX', false],
    ['(?i)straße|ПРИВЕТ', 'Привет', true],
    ['(?i)(ab)\\1', 'abAB', true],
    ['(?i)\\p{Lu}', 'é', true],
    ['(?i)[\\u0000-\\uffff]', 'É', true],
    ['(?i)k', '\u212A', true],
    ['(?s)a.b', 'a\nb', true],
    ['a.b', 'a\nb', false],
    ['a.b', 'a\rb', true],
    ['\\Aab', 'xab', false],
    ['ab\\Z', 'ab\n', false],
    ['ab$', 'ab\n', true],
    ['ab$', 'ab\n\n', false],
    ['^b$', 'a\nb\nc', false],
    ['^b$', 'a\nb\nc', true, 'm'],
    ['^b$', 'a\r\nb\r\nc', true, 'm'],
    ['\\bärger\\b', 'der ärger!', true],
    ['\\bger\\b', 'der ärger!', false],
    ['^\\w+$', 'naïve漢字42', true],
    ['(?a)^\\w+$', 'naïve', false],
    ['^\\d+$', '٣٤', true],
    ['[^\\W\\d]', '42', false],
    ['^\\s+$', '\u00a0\u0085\u001c\u3000 \t\n', true],
    ['^\\S$', '\uFEFF', true],
    ['(?a)\\s', '\u00a0', false],
    ['[^\\s]', '\u001f', false],
    ['^[\\s,]+$', ' ,\t', true],
    ['[\\w.-]+@[\\w-]+', 'me.too@example', true],
    ['[a\\]b]', ']', true],
    ['[-a]', '-', true],
    ['[a-]', '-', true],
    ['[[(&&)|]', '&', true],
    ['[\\b]', '\b', true],
    ['\\/\\-\\_\\"\\#', '/-_"#', true],
    ['a{2,3}', 'aa', true],
    ['^a{2,}$', 'a', false],
    ['x{', 'x{', true],
    ['{a}', '{a}', true],
    ['(?#note)ab', 'ab', true],
    ['(?=.*a)(?!.*b)c', 'ca', true],
    ['(?<=\\$)\\d+', '$5', true],
    ['(?<!a|b)c', 'ac', false],
    ['\\u00e9|\\U0001F600|\\x41|\\u{1F601}', '😀', true],
    ['^.$', '😀', true],
    ['\\p{Lu}', 'É', true],
    ['a|b', 'b', true],
    ['^(?:a|b)c$', 'bc', true],
    ['a|', '', true],
    ['\\a\\f\\v\\0', '\u0007\f\v\0', true],
    ['(a)(b)\\2\\1', 'abba', true],
    ['a+?b', 'aab', true],
  ];
  for (const [source, text, found, flags = ''] of finds) {
    it(`${source}${flags === '' ? '' : ` (${flags})`} is ${found ? '' : 'not '}found in ${JSON.stringify(text)}`, () => {
      const translation = translateRegex(source, flags);
      assert.ok(translation.kind === 'translated', JSON.stringify(translation));
      assert.deepEqual(boundedTest(translation.regex, text), { kind: 'tested', found });
    });
  }

  const refused: readonly (readonly [string, RegExp])[] = [
    ['a++', /possessive/],
    ['a*+b', /possessive/],
    ['(?>a)', /atomic/],
    ['(a)?(?(1)b|c)', /conditional/],
    ['(?<=a+)b', /fixed number/],
    ['(?<=a|bc)d', /fixed number/],
    ['\\hfoo', /“\\h” does not mean the same/],
    ['\\R', /does not mean the same/],
    ['\\012', /does not mean the same/],
    ['(?i:a)b', /in front of the whole/],
    ['a(?i)b', /in front of the whole/],
    ['(?x)a b', /flag “x”/],
    ['(?L)a', /flag “L”/],
    ['a{,3}', /\{0,n\}/],
    ['[]a]', /begins with “\]”/],
    ['[^]]', /begins with “\]”/],
    ['[[:alpha:]]', /\[:name:\]/],
    ['[z-a]', /out of order/],
    ['[\\w-z]', /range needs/],
    ['(a)?\\1', /group 1/],
    ['(?:(a)|b)\\1', /group 1/],
    ['\\1(a)', /no closed group 1/],
    ['(a\\1)', /no closed group 1/],
    ['(?P<n>a)(?P<n>b)', /two groups/],
    ['(?P=n)', /no group before/],
    ['(a', /never closed/],
    ['a)', /closes nothing/],
    ['[a', /never closed/],
    ['*a', /nothing to repeat/],
    ['{2}', /nothing to repeat/],
    ['a**', /cannot be repeated/],
    ['^*', /position cannot be repeated/],
    ['a{3,2}', /out of order/],
    ['a\\', /ends too early/],
    ['\\p{Nonsense}', /property/i],
    ['(?|a)', /does not open/],
    ['('.repeat(5000), /too deeply/],
    ['\\U00110000', /no such character/],
  ];
  for (const [source, reason] of refused) {
    it(`refuses ${source.slice(0, 20)}`, () => {
      const translation = translateRegex(source, '');
      assert.equal(translation.kind, 'refused');
      assert.match(translation.kind === 'refused' ? translation.reason : '', reason);
    });
  }

  it('finds every plain text in itself once it is escaped as Python does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const translation = translateRegex(escaped(text), '');
        assert.ok(translation.kind === 'translated', JSON.stringify(translation));
        assert.deepEqual(boundedTest(translation.regex, `x${text}y`), { kind: 'tested', found: true });
      }),
    );
  });

  it('refuses, or gives an expression that compiles, whatever the source', () => {
    const unit = fc.constantFrom(...'ab()[]{}?*+|^$\\.<>=!:-,#PkdwbZ01'.split(''));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), fc.constantFrom('', 'i', 'ms', 'ia'), (source, flags) => {
        const translation = translateRegex(source, flags);
        if (translation.kind === 'translated') void new RegExp(translation.regex.source, translation.regex.flags);
      }),
      { numRuns: process.env['WHETSTONE_FULL'] === '1' ? 200_000 : 2000 },
    );
  });
});

describe('case', () => {
  it('is ignored just as the flag ignores it, letter by letter', () => {
    const plain = fc.string({ unit: fc.constantFrom(...'aZßÄéπΣςДжkK5_ '.split('')), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(plain, plain, (source, text) => {
        const translation = translateRegex(source, 'i');
        assert.ok(translation.kind === 'translated');
        const found = new RegExp(source, 'iu').test(text);
        assert.deepEqual(boundedTest(translation.regex, text), { kind: 'tested', found });
      }),
      { numRuns: 1000 },
    );
  });

  it('is folded in Latin, Greek and Cyrillic as the engine folds it', () => {
    // Of letters that are written as one of two, and of old Cyrillic, only the plain cases are known.
    const known = /[^\u01C4-\u01CC\u01F1-\u01F3\u1C80-\u1C88\uFB05\uFB06\u0390\u1FD3\u03B0\u1FE3]/u;
    const codes = [...Array(0x530).keys(), 0x1e9e, 0x1fbe, 0x2126, 0x212a, 0x212b];
    const letters = codes.map((code) => String.fromCodePoint(code)).filter((text) => /\p{CWCM}/u.test(text));
    const text = letters.filter((letter) => known.test(letter)).join('\n');
    assert.ok(letters.length > 600);
    for (const letter of text.split('\n')) {
      if (letter === '\u0131') continue; // Python takes the dotless i for an i, the engine does not
      const translation = translateRegex(letter, 'i');
      assert.ok(translation.kind === 'translated' && translation.regex.flags === 'v');
      const found = text.match(new RegExp(translation.regex.source, 'gv'));
      assert.deepEqual(found, text.match(new RegExp(letter, 'giv')), letter);
    }
  });
});

describe('the watch over expressions', () => {
  const rows: readonly (readonly [string, boolean])[] = [
    ['\\bSEV-[1-4]\\b', true],
    ['a?b?c?', true],
    ['(?:yes|no|maybe)', true],
    ['x{2,9}', true],
    ['(?:ash|beech|cedar|elm|fir|hazel|larch|maple|oak|pine|rowan|willow)', true],
    ['a{200}b', true],
    ['a{50000}b', false],
    ['(?:a{200}){200}', false],
    ['(a)\\1', false],
    ['a+', false],
    ['(a|b)*c', false],
    ['(?:a?){20}', false],
    ['(?:a{1,9}){1,9}', false],
    ['(?=a*)b', false],
  ];
  for (const [source, harmless] of rows) {
    it(`is ${harmless ? 'not ' : ''}needed for ${source}`, () => {
      const translation = translateRegex(source, '');
      assert.equal(translation.kind === 'translated' && translation.regex.harmless, harmless);
    });
  }
});

describe('an expression that backtracks for ever', () => {
  it('costs at most its limit and is the error of its task, not a fail', async () => {
    const begun = process.cpuUsage();
    const outcome = await evaluateCheck(aCheck('regex', { pattern: '(a+)+$' }), `${'a'.repeat(50_000)}b`);
    const took = processorMs(begun);
    assert.equal(outcome.kind, 'invalid');
    assert.match(outcome.reason, /took longer than 250 ms/);
    assert.ok(took < regexTimeLimitMs * 4, `${took} ms`);
  });

  it('costs no more where it only counts very far at every place', async () => {
    const begun = process.cpuUsage();
    const outcome = await evaluateCheck(aCheck('regex', { pattern: 'a{50000}b' }), 'a'.repeat(100_000));
    const took = processorMs(begun);
    assert.equal(outcome.kind, 'invalid');
    assert.ok(took < regexTimeLimitMs * 4, `${took} ms`);
  });

  it('leaves the next expression untouched', async () => {
    const outcome = await evaluateCheck(aCheck('regex', { pattern: 'b$' }), `${'a'.repeat(50_000)}b`);
    assert.ok(outcome.kind === 'scored' && outcome.pass);
  });
});

/** What others take of the processor meanwhile is none of it: the limit counts time, and is tried again where they had it. */
function processorMs(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

function escaped(text: string): string {
  return text.replaceAll(/[-()[\]{}?*+|^$\\.&~# \t\n\r\v\f]/g, '\\$&');
}
