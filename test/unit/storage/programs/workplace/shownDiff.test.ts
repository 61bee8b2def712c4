import assert from 'node:assert/strict';
import type { LeftFile } from '../../../../../src/storage/programs/workplace/leftFiles.js';
import { filesToShow, shownDiff } from '../../../../../src/storage/programs/workplace/shownDiff.js';

const file = (path: string, bytes = 1): LeftFile => ({ path, change: 'added', bytes });
const whole = { isWhole: true, shown: new Set<string>(), ignored: new Set<string>() };

describe('the difference that is shown', () => {
  it('is all of it where there is little', () => {
    const text = 'diff --git a/a b/a\n+1\n';
    assert.deepEqual(shownDiff({ ...whole, text, shown: new Set(['a']) }, [file('a')]), { text, notShown: [] });
  });

  it('says where added lines were cut, and not where only lines that are gone were', () => {
    const shown = new Set(['a']);
    const cut = (sign: string) => shownDiff({ ...whole, text: `${sign}${'x'.repeat(99)}\n`.repeat(6_000), shown }, []);
    assert.deepEqual(cut('+').notShown, ['lines beyond the first 256 KB']);
    assert.deepEqual(cut('-').notShown, []);
    assert.match(cut('-').text, /… \d+ more characters are not shown\.\n$/u);
  });

  it('says that it could not be made', () => {
    const { text, notShown } = shownDiff({ ...whole, isWhole: false, text: 'It could not.\n' }, [
      file('a\nb', 2_200_000),
    ]);
    assert.deepEqual(notShown, ['the difference, which could not be made', 'a?b (too large, 2.1 MB)']);
    assert.match(text, /^It could not\.\nnot shown: the difference/u);
  });

  it('is not filled by what tools leave by the way, and tells how many files it does not name', () => {
    const many = Array.from({ length: 2_100 }, (_, at) => file(`node_modules/${at}.js`));
    assert.ok([...filesToShow([...many, file('z.txt')])].some(({ path }) => path === 'z.txt'));
    const names = new Set(many.map(({ path }) => path));
    assert.match(shownDiff({ ...whole, text: '', ignored: names }, []).text, /\nignored: 2050 more files\n$/u);
    const { notShown } = shownDiff({ ...whole, text: '', shown: names }, many);
    assert.deepEqual(notShown, ['100 more changed files']);
  });
});
