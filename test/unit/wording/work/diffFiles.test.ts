import assert from 'node:assert/strict';
import { createRedactor } from '../../../../src/redaction/redactor.js';
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

  const named: readonly (readonly [what: string, name: string, shown: RegExp])[] = [
    ['a key of Anthropic', `sk-ant-api03-${'Ab3dEf9hIj'.repeat(9)}AA`, /^REDACTED_\S+ \(added\)$/u],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----', /^REDACTED_private-key_\w+ \(added\)$/u],
    ['an assignment', 'API_KEY=sk-proj-9xQ2mB7vK1pZ4tR8wY3nC6', /^API_KEY=REDACTED_\S+ \(added\)$/u],
    ['a part of the head', 'x b/y', /^x b\/y \(added\)$/u],
  ];
  for (const [what, name, shown] of named)
    it(`tells a file apart from the others whose name looks like ${what}, without the secret`, () => {
      const { text } = createRedactor({ key: 'a key for tests' }).redact(`${diff}${added(name)}${added('last.md')}`);
      const { files } = diffFiles(text);
      const heads = files.map((file) => fileHead(file, english));
      assert.deepEqual(heads.slice(0, 3), ['docs/a b.md (changed)', 'new.md (added)', 'gone.bin (deleted)']);
      assert.match(heads[3] ?? '', shown);
      assert.deepEqual(heads.slice(4), ['last.md (added)']);
      assert.deepEqual(files[2]?.lines, [], 'nothing of it is told of another file');
    });

  it('has nothing where nothing changed, and shows what is no diff as it stands', () => {
    assert.deepEqual(diffFiles(''), { files: [], notes: [] });
    assert.deepEqual(diffFiles('+x').notes, ['+x']);
  });
});

function added(file: string): string {
  return `diff --git a/${file} b/${file}\nnew file mode 100644\n--- /dev/null\n+++ b/${file}\n@@ -0,0 +1 @@\n+${file.length}\n`;
}
