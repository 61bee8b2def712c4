import type { ProgramReach, ProgramRequest } from '../../../ports/programs.js';
import type { HelperSettings } from './messages.js';

/**
 * What the sandbox starts: a script, because the library lays a command in several shells, one in the other. It opens the
 * declared ports of this machine at the same addresses inside, where there is no other machine, and sets the limits. All
 * other addresses are asked for through the proxy, also those of the local network: it lets the declared ones pass.
 */
export function startScript(
  { command, arguments: words, reach }: Pick<ProgramRequest, 'command' | 'arguments' | 'reach'>,
  { tools, limits }: Pick<HelperSettings, 'tools' | 'limits'>,
): string {
  const bounds = [
    '--core=0',
    `--fsize=${limits.diskBytes}`,
    `--data=${limits.memoryBytes}`,
    `--nproc=${limits.processes}`,
  ];
  const started = [tools.prlimit, ...bounds, '--', command, ...words].map(quoted).join(' ');
  const forwards = localPorts(reach).map((port) => forwarded(port, tools.socat));
  return [...forwards, `export NO_PROXY=${inside} no_proxy=${inside}`, `exec ${started}`, ''].join('\n');
}

const inside = 'localhost,127.0.0.1,::1';

/** The ports of this machine that it may reach: those that it is given, and those that are declared among its hosts. */
export function localPorts({ ports = [], hosts = [] }: ProgramReach = {}): readonly number[] {
  const declared = hosts.flatMap((host) => /^(?:localhost|127\.0\.0\.1):(\d+)$/u.exec(host)?.[1] ?? []);
  return [...new Set([...ports, ...declared.map(Number)])];
}

/**
 * Many clients ask no proxy for an address of this machine, and inside it is another machine: so the address is served
 * there too, and led through the proxy, which lets this port pass and no other.
 */
function forwarded(port: number, socat: string): string {
  const listening = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const to = `PROXY:localhost:127.0.0.1:${port},proxyport=3128`;
  return `proxy="\${HTTP_PROXY#http://}"; proxy="\${proxy%@*}"
${quoted(socat)} TCP4-LISTEN:${port},bind=127.0.0.1,fork,reuseaddr "${to},proxyauth=$proxy" </dev/null >/dev/null 2>&1 &
round=0; open=no
while [ "$open" = no ] && [ "$round" -lt 2000 ]; do
  round=$((round + 1))
  while read -r _ address _; do [ "$address" = ${listening} ] && open=yes; done </proc/net/tcp
done`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
