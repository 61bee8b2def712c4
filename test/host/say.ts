import { appendFileSync } from 'node:fs';

/** Adds a line to what the person who started the tests reads. Inside VS Code there is no terminal to write to. */
export function say(line: string): void {
  appendFileSync(hostFile('WHETSTONE_HOST_OUTPUT'), `${line}\n`);
}

/** A file through which the tests speak to the process that started VS Code. */
export function hostFile(variable: 'WHETSTONE_HOST_OUTPUT' | 'WHETSTONE_HOST_RESULT'): string {
  const file = process.env[variable];
  if (file === undefined) throw new Error(`${variable} is not set: start the tests with scripts/host/run.mjs.`);
  return file;
}
