import { sha256 } from '../../../src/hash.js';
import assert from 'node:assert/strict';
import { followFile, isAcceptStep, wayBack } from '../../../src/review/followFile.js';

const base = 'one\ntwo\nthree\nfour\nfive\n';
const proposed = 'one\nTWO\nthree\nFOUR\nfive\n';
const oneTaken = 'one\nTWO\nthree\nfour\nfive\n';
const accepts = [step(base, oneTaken), step(oneTaken, proposed)];
const hunks = {
  E1: [{ before: { start: 1, end: 2 }, after: { start: 1, end: 2 } }],
  E2: [{ before: { start: 3, end: 4 }, after: { start: 3, end: 4 } }],
};
const memo = { texts: { base, proposed, hunks }, accepts };

describe('a proposal that follows its file', () => {
  it('has what the person wrote into the file', () => {
    const { candidate, texts, real } = followFile(memo, proposed, [base, `mine\n${base}`]);
    assert.equal(candidate, `mine\n${proposed}`);
    assert.deepEqual([texts.base, texts.proposed], [`mine\n${base}`, `mine\n${proposed}`]);
    assert.equal(real, `mine\n${base}`);
  });

  it('still knows which edit made which line', () => {
    const { texts } = followFile(memo, proposed, [base, `mine\n${base.replace('three', 'three\nmine too')}`]);
    assert.deepEqual(texts.hunks, {
      E1: [{ before: { start: 2, end: 3 }, after: { start: 2, end: 3 } }],
      E2: [{ before: { start: 5, end: 6 }, after: { start: 5, end: 6 } }],
    });
  });

  it('stays as it is when something is accepted', () => {
    assert.equal(followFile(memo, proposed, [base, oneTaken]).candidate, proposed);
    assert.deepEqual(followFile(memo, proposed, [base, oneTaken]).texts, memo.texts);
  });

  it('offers again what was accepted and then undone', () => {
    assert.equal(followFile(memo, proposed, [oneTaken, base]).candidate, proposed);
  });

  it('knows an undo of several accepts at once, as after a reload or from the command line', () => {
    assert.equal(followFile(memo, proposed, [proposed, base]).candidate, proposed);
    assert.equal(isAcceptStep(accepts, proposed, base), true);
    assert.equal(isAcceptStep(accepts, base, base), false);
    assert.equal(isAcceptStep(accepts, base, `mine\n${base}`), false);
  });

  it('carries typing over and skips the accept between', () => {
    const typed = `${oneTaken}more\n`;
    const { candidate, texts } = followFile(memo, proposed, [base, oneTaken, typed]);
    assert.equal(candidate, `${proposed}more\n`);
    assert.equal(texts.base, `${base}more\n`);
  });

  it('takes typing away again that was undone', () => {
    const typed = `${base}more\n`;
    const there = followFile(memo, proposed, [base, typed]);
    const back = followFile({ texts: there.texts, accepts }, there.candidate, [typed, base]);
    assert.equal(back.candidate, proposed);
    assert.deepEqual(back.texts, memo.texts);
  });

  it('offers again what was accepted into an unsaved file, once the file is reverted to the text from before', () => {
    const [typed, taken] = [`mine\n${base}`, `mine\n${oneTaken}`];
    const own = [step(typed, taken)];
    const there = followFile({ texts: memo.texts, accepts: own }, proposed, [base, typed, taken]);
    const texts = [taken, ...wayBack([base, typed, taken], base)];
    assert.deepEqual(texts, [taken, typed, base]);
    const back = followFile({ texts: there.texts, accepts: own }, there.candidate, texts);
    assert.equal(back.candidate, proposed);
    assert.deepEqual(back.texts, memo.texts);
  });

  it('goes straight to a text that the file never had, and back the shortest way to one that it had twice', () => {
    assert.deepEqual(wayBack([base, oneTaken], 'new\n'), ['new\n']);
    assert.deepEqual(wayBack(['a', 'b', 'a', 'c', 'd'], 'a'), ['c', 'a']);
    assert.deepEqual(wayBack([], 'a'), ['a']);
  });

  it('keeps both sides where the person changes what the proposal changes', () => {
    const { candidate, real } = followFile(memo, proposed, [base, 'one\nmine\nthree\nfour\nfive\n']);
    assert.equal(candidate, proposed);
    assert.equal(real, 'one\nmine\nthree\nfour\nfive\n');
  });
});

function step(before: string, after: string): readonly [string, string] {
  return [sha256(before), sha256(after)];
}
