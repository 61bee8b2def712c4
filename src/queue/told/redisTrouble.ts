import { UserError } from '../../errors.js';
import type { QueueAddress } from '../queueAddress.js';

/** What a person is told of a queue that cannot be used, by what the connection said of it. */
export function redisTrouble({ shown, encrypted }: Pick<QueueAddress, 'shown' | 'encrypted'>, said: string): UserError {
  const why = said.replace(/\.+$/u, '');
  if (isAnsweredByTls(said))
    return new UserError(
      'usage',
      `The queue at ${shown} cannot be used: it speaks TLS.`,
      'Write rediss:// for redis://.',
    );
  if (/^Protocol error\b/.test(said))
    return new UserError(
      'usage',
      `The queue at ${shown} cannot be used: something else than Redis answers there.`,
      'See which port Redis listens at, and write that one.',
    );
  if (/self[- ]signed|unable to (?:get|verify)/i.test(said))
    return new UserError(
      'usage',
      `The queue at ${shown} cannot be used: ${why}.`,
      'Name the certificate authority that signed its certificate: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
    );
  if (encrypted && isWithoutTls(said))
    return new UserError(
      'usage',
      `The queue at ${shown} cannot be used: ${why}. It may speak no TLS.`,
      'See that Redis listens with TLS at that port; where it is on this machine, redis:// goes without.',
    );
  return new UserError(
    'usage',
    `The queue at ${shown} cannot be used: ${why}.`,
    'See that Redis runs there and that address, name and password are right.',
  );
}

/** What waiting does not mend. */
export function isLastWord(said: string): boolean {
  return /WRONGPASS|NOAUTH|NOPERM|certificate|^Protocol error\b|wrong version number/i.test(said);
}

/** A record of TLS in the place of a reply. */
function isAnsweredByTls(said: string): boolean {
  return ['\u0015', String.raw`\u0015`, String.raw`\x15`].some((byte) =>
    said.startsWith(`Protocol error, got "${byte}"`),
  );
}

function isWithoutTls(said: string): boolean {
  return /wrong version number|packet length|before secure TLS|EPROTO|no answer|Connection is closed|ECONNRESET/i.test(
    said,
  );
}
