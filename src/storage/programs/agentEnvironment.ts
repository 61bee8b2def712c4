import path from 'node:path';
import type { AgentFolders } from '../../ports/agentPrograms.js';

/** How programs speak, what Windows cannot do without, and how they get out of the house. Values change no answer. */
const inherited = new Set([
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'PROGRAMFILES',
  'PROGRAMDATA',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
]);

/** The whole environment of an agent program, but for what its own kind adds: by allow-list, homes all replaced. */
export function agentEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  searched: readonly string[],
  { home, temporary }: AgentFolders,
): Readonly<Record<string, string>> {
  const kept = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && inherited.has(name.toUpperCase()) ? [[name, value]] : [],
  );
  return {
    ...Object.fromEntries(kept),
    PATH: searched.join(path.delimiter),
    TERM: 'dumb',
    NO_COLOR: '1',
    HOME: home,
    TMPDIR: temporary,
    ...(process.platform === 'win32' ? windowsHome(home, temporary) : {}),
  };
}

function windowsHome(home: string, temporary: string): Readonly<Record<string, string>> {
  const data = path.join(home, 'AppData');
  return {
    USERPROFILE: home,
    APPDATA: path.join(data, 'Roaming'),
    LOCALAPPDATA: path.join(data, 'Local'),
    TEMP: temporary,
    TMP: temporary,
  };
}
