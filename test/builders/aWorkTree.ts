import { createHash } from 'node:crypto';
import type { WorkEntry, WorkTree } from '../../src/ports/agentWork.js';

/** Files as text, by their path; one whose name ends with `*` is a program. */
export function aWorkTree(files: Readonly<Record<string, string>>): WorkTree {
  const entries = Object.entries(files).map(([name, text]): WorkEntry => ({
    kind: 'file',
    path: name.replace(/\*$/u, ''),
    bytes: Buffer.from(text),
    executable: name.endsWith('*'),
  }));
  return { hash: createHash('sha256').update(JSON.stringify(files)).digest('hex'), entries };
}
