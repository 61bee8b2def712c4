import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { parse } from 'yaml';
import { readQueueAddress } from '../../../src/queue/queueAddress.js';
import { prepareQueue, valueIn } from './preparedQueue.js';
import { onlyOn } from '../../builders/leaveOut.js';

/** Started with Docker by scripts/compose.mjs, and with a redis-server of this machine in tls.full.test.ts. */
describe('what deploy/ holds', () => {
  let folder = '';
  before(function () {
    onlyOn(this, 'posix', 'it is for machines with Docker or systemd');
    folder = mkdtempSync(path.join(tmpdir(), 'whetstone-deploy-'));
    prepareQueue(folder, 'queue.example', '10.0.0.7');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');

  it('prepares a certificate for every name, a password and a secret that nobody else can read', () => {
    const [authority, certificate] = ['ca.pem', 'redis/cert.pem'].map((name) => new X509Certificate(read(name)));
    assert.ok(authority?.ca === true && certificate?.ca === false && certificate.checkIssued(authority));
    assert.ok(certificate.verify(authority.publicKey));
    for (const host of ['localhost', 'redis', 'queue.example']) assert.equal(certificate.checkHost(host), host);
    assert.equal(certificate.checkIP('10.0.0.7'), '10.0.0.7');
    assert.equal(certificate.checkHost('elsewhere.example'), undefined);
    const closed = ['ca-key.pem', 'password', 'queue-secret', 'queue.env', 'container.env', 'worker.env'];
    for (const name of [...closed, 'redis/key.pem', 'redis/redis.conf'])
      assert.equal(statSync(path.join(folder, name)).mode & 0o077, 0, name);
    const address = readQueueAddress(valueIn(read('queue.env'), 'WHETSTONE_QUEUE'));
    assert.deepEqual([address.shown, address.password], ['rediss://queue.example:6380', read('password').trim()]);
    assert.match(read('redis/redis.conf'), /^port 0\n[^]*^appendonly yes$[^]*^maxmemory-policy noeviction$/m);
    assert.ok(read('queue-secret').trim().length >= 24);
  });

  it('makes another certificate when it is called again, and keeps everything else', () => {
    appendFileSync(path.join(folder, 'redis/redis.conf'), 'maxmemory 2gb\n');
    const settings = ['redis/redis.conf', 'queue.env', 'container.env', 'worker.env'];
    const kept = ['ca.pem', 'password', 'queue-secret', ...settings];
    const [before, cert] = [kept.map(read), read('redis/cert.pem')];
    const said = prepareQueue(folder);
    assert.deepEqual(kept.map(read), before);
    assert.notEqual(read('redis/cert.pem'), cert);
    assert.match(said, /until it is restarted/);
    prepareQueue(folder, 'harbour.example');
    assert.deepEqual(kept.map(read), before);
    const certificate = new X509Certificate(read('redis/cert.pem'));
    for (const host of ['localhost', 'redis', 'queue.example', 'harbour.example'])
      assert.equal(certificate.checkHost(host), host);
    assert.equal(certificate.checkIP('10.0.0.7'), '10.0.0.7');
    assert.equal(certificate.subjectAltName?.split(', ').length, 6, 'each name once');
  });

  it('and no page shows a password among the words of a command, which everybody on a machine sees', () => {
    const pages = readdirSync('docs').map((name) => path.join('docs', name));
    const files = ['README.md', ...pages, ...readdirSync('deploy').map((name) => path.join('deploy', name))];
    const shown = files
      .filter((file) => statSync(file).isFile())
      .filter((file) => /--queue\s+rediss?:\/\/[^\s/]*@/u.test(readFileSync(file, 'utf8')));
    assert.ok(files.length > 10);
    assert.deepEqual(shown, []);
  });

  it('asks for no file, in containers and as a service, that is not prepared, and holds no secret itself', () => {
    const compose = readFileSync(path.resolve('deploy/compose.yaml'), 'utf8');
    const { services } = parse(compose);
    assert.deepEqual(Object.keys(services), ['redis', 'worker']);
    assert.equal(services.worker.deploy.replicas, 2);
    const unit = readFileSync(path.resolve('deploy/whetstone-worker.service'), 'utf8');
    const mounted = [...compose.matchAll(/\$\{WHETSTONE_PRIVATE[^}]*\}\/([\w.-]+)/g)].map(([, name = '']) => name);
    const loaded = [...unit.matchAll(/\/etc\/whetstone\/([\w.-]+)$/gm)].map(([, name = '']) => name);
    assert.deepEqual(
      [new Set(mounted), new Set(loaded)],
      [
        new Set(['redis', 'container.env', 'worker.env', 'ca.pem', 'queue-secret']),
        new Set(['queue.env', 'worker.env', 'queue-secret', 'ca.pem']),
      ],
    );
    for (const name of [...mounted, ...loaded]) statSync(path.join(folder, name));
    for (const name of ['COMPOSE_PROJECT_NAME', 'WHETSTONE_PRIVATE', 'WHETSTONE_USER'])
      assert.notEqual(valueIn(read('compose.env'), name), '');
    const verified = spawnSync('systemd-analyze', ['verify', path.resolve('deploy/whetstone-worker.service')]);
    if (verified.error === undefined) assert.equal(verified.status, 0, String(verified.stderr));
  });
});
