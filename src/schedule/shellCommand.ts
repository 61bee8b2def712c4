import { assertEnvironment, assertWritable, type OsEntry } from './osEntry.js';

/**
 * The night as one command for `/bin/sh -c`: everything it says goes to the log from the first moment on, the
 * environment file is read, and the program takes the shell's place.
 */
export function shellCommand(entry: OsEntry): string {
  assertWritable(entry, (path) => path.startsWith('/'));
  const program = [entry.program, ...entry.arguments].map(shellQuote).join(' ');
  return [
    'umask 077',
    `exec >>${shellQuote(entry.logFile)} 2>&1`,
    'set -a',
    `. ${shellQuote(entry.environmentFile)}`,
    'set +a',
    `exec ${program}`,
  ].join('; ');
}

/** The environment file for a POSIX shell: one quoted assignment a line. */
export function shellEnvironmentFile(variables: Readonly<Record<string, string>>): string {
  assertEnvironment(variables);
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${shellQuote(value)}\n`)
    .join('');
}

/** One word for a POSIX shell; plain words stay readable. */
export function shellQuote(word: string): string {
  return /^[\w@%+:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
