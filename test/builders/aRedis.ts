import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** A redis-server of its own, on a free port with a folder of its own; every write is in its log. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** As by a power switch; what was written is there again after `start`. */
  kill(): Promise<void>;
  start(): Promise<void>;
  dispose(): Promise<void>;
}

/** Leaves the tests of a suite out where there is no redis-server, and says so; under CI that is a failure. */
export function needRedis(context: Mocha.Context): void {
  if (spawnSync('redis-server', ['--version']).status === 0) return;
  const missing = 'redis-server is missing: install it (Debian: apt-get install redis-server)';
  assert.notEqual(process.env['CI'], 'true', missing);
  process.stdout.write(`      ${missing}\n`);
  context.skip();
}

export async function aRedis(): Promise<TestRedis> {
  const folder = mkdtempSync(path.join(tmpdir(), 'whetstone-redis-'));
  const port = await freePort();
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const words = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
    server = spawn('redis-server', [...words, '--save', '', '--appendonly', 'yes'], { stdio: 'ignore' });
    await answering(port);
  };
  const kill = async (): Promise<void> => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill,
    start,
    dispose: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}

async function answering(port: number): Promise<void> {
  const redis = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null, retryStrategy: () => 30 });
  redis.on('error', () => undefined);
  try {
    // While it reads its log, it says so.
    while (!(await redis.ping().then(isPong, () => false))) await wait(20);
  } finally {
    redis.disconnect();
  }
}

function isPong(answer: string): boolean {
  return answer === 'PONG';
}
