import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { HelperSettings } from '../../../../../src/storage/programs/sandbox/messages.js';
import { refusedIn } from '../../../../../src/storage/programs/sandbox/refused.js';
import { refusedSentence, withRefused } from '../../../../../src/storage/programs/sandbox/toldRefused.js';
import { onDisk } from '../../../../builders/aSandbox.js';

const secrets = [
  'home/.ssh/id_ed25519',
  'home/.aws/credentials',
  'home/.netrc',
  'home/.git-credentials',
  'home/.config/gh/hosts.yml',
  'home/.local/share/keyrings/login.keyring',
  'home/.claude.json',
  'home/.codex/auth.json',
  'home/.bash_history',
  'home/project/.env',
  'home/project/server.pem',
  'state/key',
  'work/evals/evals.json',
  'work/.git/config',
];
const folders = ['home', 'home/.config', 'home/.ssh', 'work', 'state'];

describe('what is said of a place that a program was kept from', () => {
  it('names the line to add for a file of the person, and none for keys, answers and our state, by whatever name', async () => {
    await onDisk('/var/tmp', async (base) => {
      const at = (name: string): string => path.join(base, name);
      for (const name of [...secrets, 'home/data.csv', 'work/words.txt']) {
        await mkdir(path.dirname(at(name)), { recursive: true });
        await writeFile(at(name), '');
      }
      await symlink(at('home/.ssh/id_ed25519'), at('home/harmless'));
      const settings = settingsOf(base);
      const named = async (name: string): Promise<readonly { readonly advice: string }[]> =>
        refusedIn(failed(`cat: ${at(name)}: No such file`), noHosts, { id: 'x', settings });
      for (const name of ['home/data.csv', 'work/words.txt'])
        assert.deepEqual(await named(name), [{ kind: 'read', what: at(name), advice: 'declare' }]);
      for (const name of [...secrets, ...folders, 'home/harmless'])
        assert.deepEqual(await named(name), [{ kind: 'read', what: at(name), advice: 'none' }], name);
      assert.deepEqual(await named('home/not-there'), []);
    });
  });

  it('names a host by its name alone, and says where a declared name leads that may not lead there', async () => {
    assert.match(
      String(await saidOf('deny network-outbound a.example:443 (blocked)')),
      /add "hosts": \["a\.example:443"\]/u,
    );
    for (const host of ['169.254.169.254:80', 'localhost:22', '10.1.2.3:80', 'metadata.google.internal:80'])
      assert.match(
        String(await saidOf(`deny network-outbound ${host} (blocked)`)),
        /^The program tried to reach(?!.*add ")/u,
      );
    assert.match(
      String(await saidOf('deny network-outbound a.example:443 (resolved to a loopback address)')),
      /leads to this machine, .*: that stays closed/u,
    );
  });

  it('comes with every bad end but one that never began, and never cut', () => {
    const refused = [{ kind: 'read', what: `/home/${'long/'.repeat(80)}data`, advice: 'declare' }] as const;
    for (const result of [failed('x'.repeat(5_000)), { kind: 'timed-out' }, { kind: 'output-too-large' }] as const)
      assert.match(
        String(withRefused(result, refused).told),
        /data"\] to its declaration in evals\/whetstone\.json\.$/u,
      );
    const begun = { kind: 'not-started', reason: 'x' } as const;
    assert.equal(withRefused(begun, refused), begun);
  });
});

async function saidOf(line: string): Promise<readonly string[]> {
  const violations = { getViolationsForCommand: () => [{ line, timestamp: new Date() }] };
  return (await refusedIn(failed(''), violations, { id: 'x', settings: settingsOf('/nowhere') })).map(refusedSentence);
}

const noHosts = { getViolationsForCommand: () => [] };

function failed(errorOutput: string) {
  return { kind: 'exited', code: 1, output: '', errorOutput } as const;
}

function settingsOf(base: string): HelperSettings {
  const at = (name: string): string => path.join(base, name);
  return {
    tools: { bwrap: '', socat: '', rg: '', prlimit: '', bash: '' },
    seccomp: '',
    denied: [base],
    kept: [at('work'), at('state')],
    sealed: [at('state')],
    home: at('home'),
    attempts: at('attempts'),
    own: at('attempts/whetstone-sandbox-AAAAAA/own'),
    masks: false,
    limits: { processes: 1, memoryBytes: 1, diskBytes: 1, files: 1 },
  };
}
