import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { prefix } from '../../src/queue/redis.js';
import { leaveOut, mustBeSetUp } from './leaveOut.js';

/** A Redis for the tests of a suite. */
export interface TestRedis {
  readonly url: string;
  dispose(): Promise<void>;
}

/** A redis-server of its own, on a free port with a folder of its own; every write is in its log. */
export interface OwnRedis extends TestRedis {
  readonly port: number;
  /** As by a power switch; what was written is there again after `start`. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

const installed = spawnSync('redis-server', ['--version']).status === 0;
const named = process.env['REDIS_URL'];

/**
 * Leaves the tests of a suite out where there is no redis-server and no REDIS_URL, and says so; under CI that is a
 * failure, but on Windows, which Redis is not made for. What kills its Redis needs one of its `own`.
 */
export function needRedis(context: Mocha.Context, how: 'any' | 'own' = 'any'): void {
  if (installed || (how === 'any' && named !== undefined)) return;
  const missing = `redis-server is missing: install it (Debian: apt-get install redis-server; macOS: brew install redis)${how === 'own' ? '' : ', or name one of this machine in REDIS_URL'}`;
  if (process.platform === 'win32') leaveOut(context, missing);
  else mustBeSetUp(context, missing);
}

/** One of its own where redis-server is installed; else a database of the one that REDIS_URL names. */
export function aRedis(): Promise<TestRedis> {
  return installed || named === undefined ? ownRedis() : redisAt(named);
}

let taken = 0;

/** A database of a Redis that others use too: what is ours in it is deleted, before and after, and nothing else. */
export async function redisAt(address: string): Promise<TestRedis> {
  const url = new URL(address);
  url.pathname = `/${1 + ((process.pid + (taken += 1)) % 15)}`; // of the 16 that there usually are; 0 is what people use
  await deleteOurs(url.href);
  return { url: url.href, dispose: () => deleteOurs(url.href) };
}

async function deleteOurs(url: string): Promise<void> {
  const redis = new Redis(url);
  try {
    for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 500 }))
      if (Array.isArray(keys) && keys.length > 0) await redis.del(...keys.map(String));
  } finally {
    redis.disconnect();
  }
}

export async function ownRedis(): Promise<OwnRedis> {
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

/**
 * A port for a server that is told which one to take. None of those that the system gives to connections that go out
 * (from 32,768 on): beside the other tests one of them is taken between being found free and being used.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const server = createServer().listen(port, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  server.close();
  await once(server, 'close');
  return port;
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
