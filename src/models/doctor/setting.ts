import { publicUrl, type Endpoint } from '../openai/endpoint.js';
import { presetOf } from '../openai/presets.js';
import { failed, ok, warning, type Finding } from './finding.js';

/** Where the check runs: what the machine around it looks like. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `wsl`, `ssh-remote`, `dev-container`…: where VS Code's own window is elsewhere. Undefined where it is not. */
  readonly remoteName: string | undefined;
  /** True inside of VS Code, whose fetch knows the person's proxy; plain Node's does not. */
  readonly proxyAware: boolean;
}

/** What can be said about an endpoint without asking it. */
export function examineSetting(endpoint: Endpoint, surroundings: Surroundings): readonly Finding[] {
  const address = addressFinding(endpoint);
  if (address.state === 'failed') return [address];
  const local = isLocal(endpoint.baseUrl);
  return [
    address,
    ...(local ? surroundingsFinding(endpoint, surroundings) : proxyFinding(endpoint.baseUrl, surroundings)),
    keyFinding(endpoint),
  ];
}

function addressFinding({ baseUrl }: Endpoint): Finding {
  const shown = publicUrl(baseUrl);
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return failed('address', `“${shown}” is not an address.`, 'State an address that starts with https:// or http://.');
  }
  if (url.username !== '' || url.password !== '') {
    return failed(
      'address',
      `The address ${shown} has a login in it.`,
      'Take the login out, and set the API key instead.',
    );
  }
  if (url.protocol === 'http:' && !isLocal(baseUrl)) {
    return warning(
      'address',
      `${shown} is not encrypted: prompts and key can be read on the way.`,
      'Use https://, or a tunnel.',
    );
  }
  return ok('address', shown);
}

/** This machine, or one of the private network. */
function isLocal(address: string): boolean {
  const host = URL.canParse(address) ? new URL(address).hostname : '';
  return /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\]|\[f[cd])|\.local$|^host\.docker\.internal$/.test(
    host,
  );
}

function surroundingsFinding(endpoint: Endpoint, { environment, remoteName }: Surroundings): readonly Finding[] {
  if (!/^https?:\/\/(?:localhost|127\.|\[::1\])/.test(endpoint.baseUrl)) return [];
  const where = remoteName ?? (environment['WSL_DISTRO_NAME'] === undefined ? undefined : 'wsl');
  if (where === undefined) return [ok('surroundings', 'The server and Whetstone run on the same machine.')];
  const cure =
    where === 'wsl'
      ? 'Start the server inside of WSL; or let it listen on 0.0.0.0 in Windows and use the address of Windows (`ip route show default`), or mirrored networking.'
      : 'Start the server on the remote machine, forward its port there, or use an address that the remote machine reaches.';
  return [
    warning(
      'surroundings',
      `Whetstone runs in ${where}: “localhost” is that machine, not the one with the window.`,
      cure,
    ),
  ];
}

function proxyFinding(address: string, { environment, proxyAware }: Surroundings): readonly Finding[] {
  const name = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY'].find(
    (variable) => (environment[variable] ?? '') !== '',
  );
  if (name === undefined) return [];
  const proxy = publicUrl(environment[name] ?? '');
  if (isExempt(new URL(address).hostname, environment))
    return [ok('proxy', `${name} is set; this address is exempt from it.`)];
  if (proxyAware) return [ok('proxy', `Calls go through the proxy ${proxy} (${name}).`)];
  const cure = 'Start Whetstone with NODE_USE_ENV_PROXY=1 (Node.js 24 or later), or run it from VS Code.';
  return [warning('proxy', `${name} names the proxy ${proxy}, which plain Node.js does not use.`, cure)];
}

function isExempt(host: string, environment: Surroundings['environment']): boolean {
  const names = (environment['NO_PROXY'] ?? environment['no_proxy'] ?? '')
    .split(/[\s,]+/)
    .filter((name) => name !== '');
  return names.some((name) => name === '*' || host === name || host.endsWith(`.${name.replace(/^\*?\./, '')}`));
}

function keyFinding({ provider, apiKey, login }: Endpoint): Finding {
  if (login !== undefined) return ok('key', `A login gives the key (${login}).`);
  const preset = presetOf(provider);
  if (apiKey !== undefined && apiKey !== '') return ok('key', 'An API key is set.');
  if (preset === undefined || preset.local) return ok('key', 'No API key is set, and none may be needed.');
  return { ...failed('key', `No API key for ${preset.label}.`, `Set the API key. ${preset.help}`), kind: 'auth' };
}
