import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { carryOver } from '../../../src/review/carryOver.js';
import { alignedHunks } from '../../../src/skill/edits/alignedHunks.js';

const base = 'one\ntwo\nthree\nfour\nfive\n';

describe('carrying a change of the file over into the proposal', () => {
  const cases = [
    {
      name: 'a changed line elsewhere',
      after: 'ONE\ntwo\nthree\nfour\nfive\n',
      proposal: 'one\ntwo\nthree\nfour\nnew\nfive\n',
      carried: 'ONE\ntwo\nthree\nfour\nnew\nfive\n',
    },
    {
      name: 'a line above an insertion that touches it',
      after: 'one\ntwo\nthree\nFOUR\nfive\n',
      proposal: 'one\ntwo\nthree\nfour\nnew\nfive\n',
      carried: 'one\ntwo\nthree\nFOUR\nnew\nfive\n',
    },
    {
      name: 'a line below an insertion that touches it',
      after: 'one\ntwo\nthree\nfour\nFIVE\n',
      proposal: 'one\ntwo\nthree\nfour\nnew\nfive\n',
      carried: 'one\ntwo\nthree\nfour\nnew\nFIVE\n',
    },
    {
      name: 'two insertions in one place, the person first',
      after: 'one\ntwo\nmine\nthree\nfour\nfive\n',
      proposal: 'one\ntwo\nnew\nthree\nfour\nfive\n',
      carried: 'one\ntwo\nmine\nnew\nthree\nfour\nfive\n',
    },
    {
      name: 'a deletion beside a replaced line',
      after: 'one\nthree\nfour\nfive\n',
      proposal: 'one\ntwo\nTHREE\nfour\nfive\n',
      carried: 'one\nTHREE\nfour\nfive\n',
    },
    {
      name: 'the same change twice',
      after: 'one\nTWO\nthree\nfour\nfive\n',
      proposal: 'one\nTWO\nthree\nfour\nfive\n',
      carried: 'one\nTWO\nthree\nfour\nfive\n',
    },
    {
      name: 'a lost final line break',
      after: base.trimEnd(),
      proposal: `new\n${base}`,
      carried: `new\n${base.trimEnd()}`,
    },
  ];
  for (const { name, after, proposal, carried } of cases) {
    it(`follows ${name}`, () => assert.deepEqual(carryOver(base, after, proposal), { text: carried, conflicts: [] }));
  }

  it('lets the other lines follow where a formatter rewrote a whole list and the proposal changes part of it', () => {
    const list = '- one\n- two\n- three\n- four\n';
    const stars = list.replaceAll('- ', '* ');
    const { text, conflicts } = carryOver(list, stars, '- one\n- four\n');
    assert.equal(text, '* one\n* four\n');
    assert.deepEqual(
      conflicts.map(({ afterText }) => afterText),
      ['* two\n', '* three\n'],
    );
  });

  it('leaves both as they are where they change the same line, and says so', () => {
    const { text, conflicts } = carryOver(base, 'one\nmine\nthree\nfour\nfive\n', 'one\nnew\nthree\nfour\nfive\n');
    assert.equal(text, 'one\nnew\nthree\nfour\nfive\n');
    assert.deepEqual(
      conflicts.map(({ afterText }) => afterText),
      ['mine\n'],
    );
  });

  it('leaves an insertion alone whose surroundings were replaced as a whole', () => {
    const { text, conflicts } = carryOver(base, 'one\nX\nY\nfive\n', 'one\ntwo\nthree\nnew\nfour\nfive\n');
    assert.equal(text, 'one\ntwo\nthree\nnew\nfour\nfive\n');
    assert.equal(conflicts.length, 1);
  });

  it('carries all or nothing of a change, and never a line twice or away', () => {
    fc.assert(
      fc.property(twoChanges, ({ before, after, proposal }) => {
        const { text, conflicts } = carryOver(before, after, proposal);
        assert.deepEqual(conflicts, []);
        assert.deepEqual(open(after, text), open(before, proposal), 'the proposal proposes what it proposed');
        assert.deepEqual(open(proposal, text), open(before, after), 'and has what the person did');
      }),
    );
  });

  it('changes nothing where nothing changed, and everything where nothing is proposed', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        assert.equal(carryOver(a, a, b).text, b);
        assert.equal(carryOver(a, b, a).text, b);
      }),
    );
  });
});

/** A text of distinct lines; the person changes some blocks of it, the proposal others, a line apart. */
const twoChanges = fc
  .array(fc.constantFrom('keep', 'file', 'proposal'), { minLength: 1, maxLength: 12 })
  .map((kinds) => {
    const text = (who: string): string =>
      kinds.map((kind, index) => `gap ${index}\n${kind === who ? who : 'line'} ${index}\n`).join('');
    return { before: text('nobody'), after: text('file'), proposal: text('proposal') };
  });

function open(from: string, to: string): readonly string[] {
  return alignedHunks(from, to).map(({ beforeText, afterText }) => `${beforeText}>${afterText}`);
}
