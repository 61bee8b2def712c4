import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { needRedis } from '../../builders/aRedis.js';
import { startCommand, type Running } from './processes.js';

describe('a queue over TLS', function () {
  this.timeout(240_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'whetstone-tls-'));
  const port = 30_000 + (process.pid % 20_000);
  const password = 'hush-hush';

  before(function () {
    needRedis(this);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('takes the right password over a certificate that is known, and never prints it', async () => {
    makeCertificate(folder);
    const tls = ['--tls-cert-file', 'cert.pem', '--tls-key-file', 'key.pem', '--tls-ca-cert-file', 'cert.pem'];
    const words = ['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no', '--requirepass', password];
    const server = spawn('redis-server', [...words, ...tls, '--save', ''], { cwd: folder, stdio: 'ignore' });
    try {
      await wait(1_000);
      const known = { NODE_EXTRA_CA_CERTS: path.join(folder, 'cert.pem') };
      const looked = await look(password, known);
      assert.deepEqual([await looked.ended(), looked.said.out], [0, 'No worker is there.\n'], looked.said.err);
      const wrong = await look('not-the-one', known);
      assert.equal(await wrong.ended(), 2);
      assert.match(wrong.said.err, /WRONGPASS/);
      const unknown = await look(password, {});
      assert.equal(await unknown.ended(), 2);
      assert.match(unknown.said.err, /certificate/);
      for (const { said } of [looked, wrong, unknown])
        assert.doesNotMatch(`${said.out}${said.err}`, /hush-hush|not-the-one/);
    } finally {
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
  });

  function look(secret: string, environment: Readonly<Record<string, string>>): Promise<Running> {
    const address = `rediss://:${secret}@localhost:${port}`;
    return startCommand(['queue', '--queue', address], folder, path.join(folder, 'home'), environment);
  }
});

function makeCertificate(cwd: string): void {
  const words = 'req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost';
  const made = spawnSync('openssl', [...words.split(' '), '-addext', 'subjectAltName=DNS:localhost'], { cwd });
  assert.equal(made.status, 0, String(made.stderr));
}
