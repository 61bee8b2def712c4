import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Sandbox } from '../../src/ports/sandbox.js';
import { aSandbox, aScript, needsSandbox } from '../builders/aSandbox.js';
import { isFull } from '../builders/few.js';
import { neverAborted } from '../builders/storage.js';
import { hostilePrograms, type Bait, type HostileProgram } from './attack/hostilePrograms.js';
import { figure, isWhole } from './figures.js';

/** One of each kind in `npm test`. */
const inShort = [
  'reads the home',
  'reads the environment of all processes',
  'writes to the home',
  'writes to settings of the kernel',
  'calls this machine by the proxy',
  'connects to a Unix socket',
  'follows links of its folder',
  'ignores that it is to end',
];

describe('hostile programs in the sandbox', function () {
  let place: Place;
  let sandbox: Sandbox;
  before(async function () {
    await needsSandbox(this);
    place = await aPlace();
    process.env['WHETSTONE_HOSTILE_KEY'] = place.secrets[0];
    const limits = { processes: 200, memoryBytes: 400 * 1024 ** 2, diskBytes: 60 * 1024 ** 2 };
    const { home, workspace, state } = place.bait;
    sandbox = aSandbox({ home, closed: [workspace, state], limits });
  });
  after(async () => {
    delete process.env['WHETSTONE_HOSTILE_KEY'];
    await place?.dispose();
  });

  it('get nothing out, leave nothing behind, and end within their limits', async () => {
    const all = hostilePrograms(place.bait);
    assert.equal(all.length, 60);
    const chosen = isFull || isWhole ? all : all.filter(({ name }) => inShort.includes(name));
    const before = place.look();
    const broken: string[] = [];
    for (const hostile of chosen) broken.push(...(await whatBroke(hostile)));
    const left = place.look();
    if (left !== before) broken.push(`What is outside changed:\n${left}\ninstead of\n${before}`);
    figure({
      what: 'hostile programs in the sandbox',
      tried: chosen.length,
      result: `${broken.length} broke out, got a secret, left a byte or ran on`,
    });
    assert.deepEqual(broken, []);
  });

  async function whatBroke({ name, script, endless = false }: HostileProgram): Promise<readonly string[]> {
    const timeLimitMs = endless ? 2_000 : 25_000;
    const began = performance.now();
    const request = aScript(script, { folder: place.folder, timeLimitMs, outputLimitBytes: 2_000_000 });
    const result = await sandbox.run(request, neverAborted);
    const took = performance.now() - began;
    const said = JSON.stringify(result);
    return [
      ...(result.kind === 'not-started' ? [`${name} was not started: ${said}`] : []),
      ...place.secrets
        .filter((secret) => said.includes(secret))
        .map(() => `${name} got a secret: ${said.slice(0, 500)}`),
      ...(took > timeLimitMs + 5_000 ? [`${name} took ${took} ms`] : []),
      ...place.markedFiles().map((file) => `${name} left ${file}`),
      ...place.visitors.splice(0).map((visitor) => `${name} came to ${visitor}`),
      ...place.processes().map((line) => `${name} left the process ${line}`),
    ];
  }
});

interface Place {
  readonly bait: Bait;
  readonly secrets: readonly string[];
  /** The folder of the programs, with links that lead out of it. */
  readonly folder: string;
  /** Who came to the port or to the socket. */
  readonly visitors: string[];
  /** All that lies outside, with contents and permissions. */
  look(): string;
  markedFiles(): readonly string[];
  processes(): readonly string[];
  dispose(): Promise<void>;
}

async function aPlace(): Promise<Place> {
  const base = await realpath(await mkdtemp('/var/tmp/whetstone-hostile-'));
  const mark = `hostile-${randomBytes(6).toString('hex')}`;
  const names = ['home', 'workspace', 'state', 'attempt', 'temporary'] as const;
  const inTmp = await realpath(await mkdtemp('/tmp/whetstone-hostile-'));
  const at = (name: string): string => path.join(name === 'temporary' || name === 'attempt' ? inTmp : base, name);
  const secrets = [randomSecret()];
  for (const name of names) {
    await mkdir(at(name), { recursive: true });
    const secret = randomSecret();
    secrets.push(secret);
    await writeFile(path.join(at(name), 'secret'), secret);
  }
  await mkdir(path.join(at('workspace'), 'evals'));
  await writeFile(path.join(at('workspace'), 'evals', 'secret'), secrets[1] ?? '');
  const folder = path.join(at('workspace'), 'programs');
  await mkdir(path.join(folder, 'inner'), { recursive: true });
  await writeFile(path.join(folder, 'own'), 'own');
  await symlink(path.join(at('home'), 'secret'), path.join(folder, 'out'));
  await symlink('../../home/secret', path.join(folder, 'up'));
  await symlink('../../../../../../../../etc/shadow', path.join(folder, 'inner', 'deep'));
  const visitors: string[] = [];
  const socket = path.join(base, 'socket');
  const servers = await Promise.all([visited(0, 'the port', visitors), visited(socket, 'the socket', visitors)]);
  const address = Object.values(os.networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address;
  const port = portOf(servers[0]);
  const outside = [base, inTmp];
  return {
    bait: {
      home: at('home'),
      workspace: at('workspace'),
      state: at('state'),
      attempt: at('attempt'),
      temporary: at('temporary'),
      mark,
      port,
      socket,
      address: address ?? '127.0.0.1',
    },
    secrets,
    folder,
    visitors,
    look: () => outside.map(everythingIn).join('\n'),
    markedFiles: () => markedIn([...places, ...outside, ...names.map(at)], mark),
    processes: () => runningWith(mark),
    async dispose() {
      for (const server of servers) server.close();
      for (const each of outside) await rm(each, { recursive: true, force: true });
    },
  };
}

/** Where hostile programs want to leave something. */
const systemPlaces = [
  '/',
  '/etc',
  '/etc/cron.d',
  '/usr/bin',
  '/usr/local/bin',
  '/opt',
  '/srv',
  '/var/lib',
  '/run',
  '/lib',
];
const openPlaces = [
  '/tmp',
  '/var/tmp',
  '/dev/shm',
  '/root',
  '/mnt',
  '/media',
  '/var/spool/cron/crontabs',
  os.homedir(),
];
const places = [...systemPlaces, ...openPlaces];

function randomSecret(): string {
  return `secret-${randomBytes(12).toString('hex')}`;
}

async function visited(where: number | string, name: string, visitors: string[]): Promise<Server> {
  const server = createServer((socket) => {
    visitors.push(name);
    socket.destroy();
  });
  await new Promise<void>((resolve) => {
    if (typeof where === 'number') server.listen(where, '0.0.0.0', resolve);
    else server.listen(where, resolve);
  });
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const place = path.join(folder, name);
      const found = statSync(place, { throwIfNoEntry: false });
      const text =
        found?.isFile() === true && !place.includes('shadow') ? readFileSync(place, 'utf8').slice(0, 100) : '';
      return `${place} ${found?.mode} ${found?.mtimeMs} ${place.endsWith('deep') ? '' : text}`;
    })
    .join('\n');
}

function markedIn(folders: readonly string[], mark: string): readonly string[] {
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.startsWith(mark))
        .map((name) => path.join(folder, name)),
    );
}

function runningWith(mark: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && name !== String(process.pid))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return ''; // It has ended.
      }
    })
    .filter((line) => line.startsWith(mark));
}
