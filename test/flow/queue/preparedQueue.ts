import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../builders/aRedis.js';

/** Runs deploy/prepare.sh for these names, and gives what it says. */
export function prepareQueue(folder: string, ...names: readonly string[]): string {
  const done = spawnSync('sh', [path.resolve('deploy/prepare.sh'), folder, ...names], { encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout;
}

/** What a file of variables says of one. */
export function valueIn(text: string, name: string): string {
  const line = text.split('\n').find((each) => each.startsWith(`${name}=`));
  return line?.slice(name.length + 1) ?? '';
}

/** A queue over TLS with what was prepared, all but the port as in its container. */
export interface PreparedQueue {
  readonly password: string;
  readonly port: number;
  /** The environment of whoever was given the files. */
  readonly environment: Readonly<Record<string, string>>;
  kill(): Promise<void>;
}

export async function startPrepared(folder: string): Promise<PreparedQueue> {
  const port = await freePort();
  const words = ['redis.conf', '--tls-port', String(port), '--bind', '127.0.0.1'];
  const server = spawn('redis-server', words, { cwd: path.join(folder, 'redis'), stdio: 'ignore' });
  const password = readFileSync(path.join(folder, 'password'), 'utf8').trim();
  const ca = path.join(folder, 'ca.pem');
  const redis = new Redis({
    host: 'localhost',
    port,
    password,
    tls: { ca: readFileSync(ca) },
    maxRetriesPerRequest: null,
    retryStrategy: () => 50,
  });
  redis.on('error', () => undefined);
  await redis.ping();
  redis.disconnect();
  return {
    password,
    port,
    environment: {
      WHETSTONE_QUEUE: `rediss://:${password}@localhost:${port}`,
      WHETSTONE_QUEUE_SECRET_FILE: path.join(folder, 'queue-secret'),
      NODE_EXTRA_CA_CERTS: ca,
    },
    kill: async () => {
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
  };
}
