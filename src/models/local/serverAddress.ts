/**
 * One name for one server, however its address is written: what waits in its queue waits there for everyone. Undefined
 * parts, such as a wrong port, stay as they are.
 */
export function serverAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const { protocol, hostname, port, pathname } = new URL(baseUrl);
  const host = thisMachine.has(hostname) ? '127.0.0.1' : hostname;
  return `${protocol}//${host}:${port}${pathname.replace(/\/+$/, '')}`;
}

const thisMachine: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0']);
