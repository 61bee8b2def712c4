import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { anEnvironmentSkill, type EnvironmentShell } from '../builders/anEnvironmentSkill.js';
import { few } from '../builders/few.js';

const token = `ghp_${'q7R8s9T1'.repeat(4)}u2V3`;

/** It says a token in whatever it may say, and proposes the one edit that helps. */
const script = `read -r line
case "$line" in *'"ask":"edits"'*) echo '{"remarks":"Use ${token}.","edits":[{"op":"append","content":"- Add the stamp.","rationale":"Found with ${token}."},{"op":"append","content":"- Log in with ${token}.","rationale":"Why not."}]}'; exit ;; esac
id=\${line#*'"task":{"id":"'}; id=\${id%%'"'*}
case "$line" in
  *'"id":"t0"'*) echo '${token} is missing' >&2; exit 3 ;;
  *'Add the stamp.'*) hard=1 ;;
  *) hard=0 ;;
esac
printf '{"id":"%s","hard":%s,"soft":%s,"fail_reason":"Bearer ${token} was refused."}\\n' "$id" "$hard" "$hard"
`;

describe('a secret in what an environment says', () => {
  let shell: EnvironmentShell;
  before(() => {
    const declared = { command: 'sh', arguments: ['post.sh'], folder: 'evals/post', brings: ['edits'] };
    shell = anEnvironmentSkill({ declared, files: { 'evals/post/post.sh': script }, tasks: 3 });
  });
  after(() => rmSync(path.dirname(shell.folder), { recursive: true, force: true }));

  for (const form of few([['--json'], []])) {
    it(`is not printed by evaluate ${form.join('')}`, async () => {
      const { out, err } = await shell.run('evaluate', shell.skillFolder, '--allow-programs', ...form);
      assert.match(out, /was refused/);
      assert.match(out, /is missing/);
      assertClean(out + err);
    });
  }

  it('is not printed by optimize, show and report, as text and as JSON', async () => {
    const wishes = ['gate.rule=off', 'gate.attribution=false'].flatMap((each) => ['--set', each]);
    for (const form of [[], ['--json']]) {
      const made = await shell.run(
        'optimize',
        shell.skillFolder,
        '--preset',
        'quick',
        '--allow-programs',
        ...wishes,
        ...form,
      );
      assert.match(made.out, /Add the stamp/, made.err);
      assertClean(made.out + made.err);
      for (const command of ['show', 'report']) {
        const { out, err } = await shell.run(command, shell.skillFolder, ...form);
        if (command === 'show' || form.length === 0) assert.match(out, /Found with REDACTED/, command);
        assert.equal(err, '');
        assertClean(out + err);
      }
    }
  });
});

function assertClean(text: string): void {
  assert.ok(!text.includes(token.slice(4, 20)), text);
}
