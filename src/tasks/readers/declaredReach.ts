import * as z from 'zod';
import { whyNoHost } from './declaredHost.js';

const read = z
  .string({ error: 'must be a path in quotation marks' })
  .min(1)
  .refine((place) => !/^~?\/*$/u.test(place), 'must name a place, not the whole system or the whole home')
  .refine((place) => /^~?\/*$|^(?:~\/|\/)[^/]/u.test(place), 'must be an absolute path, or start with “~/”')
  .refine((place) => !place.split('/').includes('evals'), 'must not lie in a folder of tasks, which hold the answers')
  .refine((place) => !/\p{Cc}/u.test(place) && place.length <= 4096, 'must be a path that a system can have')
  .refine((place) => !place.split('/').includes('..'), 'must not lead upwards with “..”')
  .refine((place) => !/[*?[\]{}]/u.test(place), 'must name one place, without “*”, “?”, brackets or braces');

const mostReads = 50;

const mostHosts = 50;

const host = z
  .string({ error: 'must be a host in quotation marks' })
  .min(1)
  .check((given) => {
    const why = whyNoHost(given.value);
    if (why !== undefined) given.issues.push({ code: 'custom', message: why, input: given.value });
  });

/** What a program of a skill needs beside the system and its own folder, where it runs in the sandbox. */
export const declaredReach = {
  reads: z
    .array(read, { error: 'must be a list in square brackets, such as ["~/data"]' })
    .max(mostReads, `must have at most ${mostReads} entries`)
    .optional()
    .describe('Files and folders of the machine that it reads in the sandbox, beside the system and its own folder.'),
  hosts: z
    .array(host, { error: 'must be a list in square brackets, such as ["api.example.com:443"]' })
    .max(mostHosts, `must have at most ${mostHosts} entries`)
    .optional()
    .describe('Hosts that it reaches from the sandbox, such as “api.example.com:443”.'),
};

interface Reach {
  readonly reads?: readonly string[] | undefined;
  readonly hosts?: readonly string[] | undefined;
}

/** What is declared, without what says nothing. */
export function reachOf({ reads = [], hosts = [] }: Reach): Reach | undefined {
  if (reads.length + hosts.length === 0) return undefined;
  return { ...(reads.length > 0 ? { reads } : {}), ...(hosts.length > 0 ? { hosts } : {}) };
}

/** As words of the command: a yes is to them too. */
export function reachWords(reach: Reach): readonly string[] {
  return Object.entries(reachOf(reach) ?? {}).map(([name, what]) => `${name}=${JSON.stringify(what)}`);
}
