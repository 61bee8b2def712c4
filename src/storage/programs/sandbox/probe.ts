import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import type { ProgramResult } from '../../../ports/programs.js';
import { plantedDescriptor, type Containment } from './containment.js';
import type { HelperSettings } from './messages.js';

const timeLimitMs = 15_000;

/**
 * Tries to break out, and gives the reason where that does not fail as it must: a program that prints a token, then wants
 * to write outside of its folder, to read a file in a closed place by its name and where it was left open, to reach a port of this machine directly and through
 * the proxy, and to open a Unix socket. Undefined where the sandbox holds.
 */
export async function probe(containment: Containment, settings: HelperSettings): Promise<string | undefined> {
  const token = randomBytes(16).toString('hex');
  const secret = randomBytes(16).toString('hex');
  const folder = await mkdtemp(path.join(settings.attempts, 'whetstone-probe-'));
  const planted = path.join(folder, 'planted');
  const readable = path.join(settings.own, `probe-${token}`);
  const { server, port, reached } = await listening();
  try {
    await writeFile(planted, secret);
    const script = escaping({ token, planted, readable, port, socat: settings.tools.socat });
    const { result } = await containment.run(
      {
        command: '/bin/bash',
        arguments: ['-c', script],
        folder: undefined,
        input: '',
        timeLimitMs,
        outputLimitBytes: 100_000,
        environment: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      },
      new AbortController().signal,
      { planted },
    );
    const said = result.kind === 'exited' ? `${result.output}${result.errorOutput}` : whyNotStarted(result);
    if (!said.includes(`started ${token}`) || !said.includes(`ended ${token}`)) return whyNot(said);
    if ((await readFile(planted, 'utf8')) !== secret || existsSync(readable))
      return 'The sandbox lets programs write outside of their folder, so nothing runs in it.';
    return leaks.find(([sign]) => said.includes(sign ?? secret) || (sign === 'reached' && reached()))?.[1];
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a program says that got through, and what that means; undefined is the secret itself. */
const leaks = [
  [undefined, 'The sandbox lets programs read files that are closed to them, so nothing runs in it.'],
  ['reached', 'The sandbox lets programs reach other addresses, so nothing runs in it.'],
  ['kernel open', 'The sandbox lets programs change settings of the kernel, so nothing runs in it.'],
  ['socket open', 'The sandbox lets programs open Unix sockets, so nothing runs in it.'],
] as const;

function whyNotStarted(result: Exclude<ProgramResult, { kind: 'exited' }>): string {
  if (result.kind === 'not-started') return result.reason;
  return result.kind === 'timed-out'
    ? `the attempt to break out did not end within ${timeLimitMs / 1000} s. Where this machine is busy, try again later.`
    : 'the attempt to break out wrote too much.';
}

/** Every attempt is made, whatever became of the one before. */
function escaping(planted: {
  readonly token: string;
  /** A file in a closed place. */
  readonly planted: string;
  /** A file that is not there, in a place that may be read. */
  readonly readable: string;
  readonly port: number;
  readonly socat: string;
}): string {
  const { token, port, socat } = planted;
  const file = `'${planted.planted}'`;
  return `echo started ${token}
{ echo broken > ${file}; echo broken > '${planted.readable}'; cat ${file}; cat <&${plantedDescriptor}; } 2>/dev/null
(exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached) 2>/dev/null
proxy="\${HTTP_PROXY#http://}"; proxy="\${proxy%@*}"
printf x | '${socat}' -t1 - "PROXY:localhost:127.0.0.1:${port},proxyport=3128,proxyauth=$proxy" >/dev/null 2>&1 && echo reached
'${socat}' -u OPEN:/dev/null "UNIX-LISTEN:$HOME/s" >/dev/null 2>&1 & sleep 0.05; [ -e "$HOME/s" ] && echo socket open
kill $! 2>/dev/null
[ -w /proc/sys/kernel/core_pattern ] && echo kernel open
echo ended ${token}`;
}

function whyNot(said: string): string {
  const why = said.trim().split('\n').at(-1)?.trim() ?? '';
  return why === '' ? 'The sandbox starts no program.' : `The sandbox starts no program: ${why}`;
}

async function listening(): Promise<{ server: Server; port: number; reached: () => boolean }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { server, port, reached: () => connections > 0 };
}
