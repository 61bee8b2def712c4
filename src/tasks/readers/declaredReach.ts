import * as z from 'zod';

const read = z
  .string()
  .min(1)
  .refine((place) => /^(?:~\/|\/)[^/]/u.test(place), 'must be an absolute path, or start with “~/”')
  .refine((place) => !place.split('/').includes('..'), 'must not lead upwards with “..”')
  .refine((place) => !/[*?[\]{}]/u.test(place), 'must name one place, without “*”, “?”, brackets or braces');

const mostReads = 50;

const host = z
  .string()
  .regex(/^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/iu, 'must be the name of a host, with or without a port')
  .refine((name) => name !== '*', 'must name a host');

/** What a program of a skill needs beside the system and its own folder, where it runs in the sandbox. */
export const declaredReach = {
  reads: z
    .array(read)
    .max(mostReads)
    .optional()
    .describe('Files and folders of the machine that it reads in the sandbox, beside the system and its own folder.'),
  hosts: z.array(host).optional().describe('Hosts that it reaches from the sandbox, such as “api.example.com:443”.'),
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
