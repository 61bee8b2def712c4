import { UserError } from './errors.js';

/** Whom a key is for: scheme, host and port of the server. Undefined where the text is no address of a server. */
export function keyOriginOf(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

/** A key goes out encrypted, or not out at all: plain http reaches this machine alone. */
export function maySendKey(address: string): boolean {
  const origin = keyOriginOf(address);
  if (origin === undefined) return false;
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** Throws where a key may not be sent to an address; `otherwise` says what to do about the key that is there. */
export function refuseExposedKey(address: string, otherwise: string): void {
  if (maySendKey(address)) return;
  throw new UserError(
    'model-key-exposed',
    `The API key is not sent to ${keyOriginOf(address) ?? address}: plain http can be read on the way.`,
    `Use an https:// address, or reach the server through a tunnel to this machine, such as http://localhost. ${otherwise}`,
  );
}

/**
 * The key that was stored for an address. `read` looks one up by its name: whom it is for, or the host alone, as earlier
 * versions named it. Throws where there is one that may not be sent there.
 */
export async function storedKeyFor(
  address: string,
  read: (name: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const origin = keyOriginOf(address);
  if (origin === undefined) return undefined;
  const key = (await read(origin)) ?? (await read(new URL(origin).host));
  if (key !== undefined) refuseExposedKey(address, 'Where the server needs no key, set an empty one for it.');
  return key;
}
