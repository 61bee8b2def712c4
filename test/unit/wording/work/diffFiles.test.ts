import assert from 'node:assert/strict';
import { english } from '../../../../src/wording/translate.js';
import { diffFiles, fileHead } from '../../../../src/wording/work/diffFiles.js';

const diff = [
  'diff --git a/docs/a b.md b/docs/a b.md',
  'index 1..2 100644',
  '--- a/docs/a b.md',
  '+++ b/docs/a b.md',
  '@@ -1,3 +1,3 @@',
  ' same',
  '--- looks like a head',
  '+++ and so does this',
  ' ',
  '\\ No newline at end of file',
  'diff --git a/new.md b/new.md',
  'new file mode 100644',
  '--- /dev/null',
  '+++ b/new.md',
  '@@ -0,0 +1 @@',
  '+one',
  'diff --git a/gone.bin b/gone.bin',
  'deleted file mode 100644',
  'Binary files a/gone.bin and /dev/null differ',
  'not shown: big.bin (too large, 2.0 MB)',
  'ignored: node_modules/x.js',
  '',
].join('\n');

describe('what an agent changed, file by file', () => {
  it('has each file once, by one name, with what became of it and its lines as they are', () => {
    const { files, notes } = diffFiles(diff);
    assert.deepEqual(
      files.map((file) => [fileHead(file, english), file.added, file.removed]),
      [
        ['docs/a b.md (changed)', 1, 1],
        ['new.md (added)', 1, 0],
        ['gone.bin (deleted)', 0, 0],
      ],
    );
    assert.deepEqual(files[0]?.lines, diff.split('\n').slice(4, 10), 'context keeps the space that marks it');
    assert.deepEqual(notes, ['not shown: big.bin (too large, 2.0 MB)', 'ignored: node_modules/x.js']);
  });

  it('has nothing where nothing changed, and shows what is no diff as it stands', () => {
    assert.deepEqual(diffFiles(''), { files: [], notes: [] });
    assert.deepEqual(diffFiles('+x').notes, ['+x']);
  });
});
