import { UserError } from '../errors.js';

/** Where the queue lies, read from what a person wrote. */
export interface QueueAddress {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly encrypted: boolean;
  /** To be shown: without name and password. */
  readonly shown: string;
}

/** Reads `redis://` of this machine or `rediss://` of any. Texts are never sent in the clear over a network. */
export function readQueueAddress(text: string): QueueAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^rediss?:$/.test(url.protocol) || url.hostname === '') {
    throw new UserError(
      'usage',
      'The address of the queue is none of Redis.',
      'Write it as redis://localhost:6379, or rediss://user:password@host:6380 for another machine, with %2F for a / in the password.',
    );
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const encrypted = url.protocol === 'rediss:';
  const port = url.port === '' ? 6379 : Number(url.port);
  const db = readDatabase(url.pathname);
  const shown = `${url.protocol}//${url.hostname}:${port}${db === 0 ? '' : `/${db}`}`;
  if (!encrypted && !isThisMachine(host)) {
    throw new UserError(
      'usage',
      `The queue at ${shown} is on another machine, and redis:// can be read on the way.`,
      'Use rediss:// (TLS), or a tunnel to this machine.',
    );
  }
  return { host, port, db, username: decoded(url.username), password: decoded(url.password), encrypted, shown };
}

function decoded(part: string): string | undefined {
  if (part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch (error) {
    throw new UserError(
      'usage',
      'A % in the name or the password of the queue’s address stands for no character.',
      'Write %25 for a % that is meant, %2F for a / and %40 for an @.',
      { cause: error },
    );
  }
}

function isThisMachine(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
}

function readDatabase(path: string): number {
  const db = Number(path.slice(1));
  if (Number.isInteger(db) && db >= 0) return db;
  throw new UserError(
    'usage',
    'What stands behind the address of the queue is no number of a database.',
    'Leave it out, or write it as redis://localhost:6379/2.',
  );
}
