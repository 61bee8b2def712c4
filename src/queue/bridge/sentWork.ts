import * as z from 'zod';
import type { AgentWork, WorkEntry, WorkTree } from '../../ports/agentWork.js';
import type { BridgeQuestion } from './bridgeMessages.js';

type SentTree = Extract<BridgeQuestion, { readonly kind: 'tree' }>;

/** An agent's work as a line of JSON holds it: folders by their hashes. Each of them is given to `folder`. */
export function sentWork(work: AgentWork, folder: (tree: WorkTree) => void): unknown {
  const text = JSON.stringify(work, (_name, value: unknown) => {
    if (!isTree(value)) return value;
    folder(value);
    return { [treeMark]: value.hash };
  });
  return JSON.parse(text);
}

/** A folder that a work names is not there, or not any more. */
export class FolderGone extends Error {}

/** The same on the other side. Throws where a folder is not there. */
export function takenWork(sent: unknown, find: (hash: string) => WorkTree | undefined): AgentWork | undefined {
  if (sent === undefined) return undefined;
  const work: AgentWork = JSON.parse(JSON.stringify(sent), (_name, value: unknown) => {
    const named = Named.safeParse(value);
    if (!named.success) return value;
    const folder = find(named.data[treeMark]);
    if (folder === undefined) throw new FolderGone();
    return folder;
  });
  return work;
}

export function sentTree({ hash, entries }: WorkTree): SentTree {
  const plain = entries.map((entry) =>
    entry.kind === 'file' ? { ...entry, bytes: Buffer.from(entry.bytes).toString('base64') } : entry,
  );
  return { kind: 'tree', hash, entries: plain };
}

export function takenTree({ hash, entries }: SentTree): WorkTree {
  const taken = entries.map((entry): WorkEntry =>
    entry.kind === 'file' ? { ...entry, bytes: new Uint8Array(Buffer.from(entry.bytes, 'base64')) } : entry,
  );
  return { hash, entries: taken };
}

/** No field of a work is called so. */
const treeMark = 'folder-by-hash';
const Named = z.strictObject({ [treeMark]: z.string() });

function isTree(value: unknown): value is WorkTree {
  return typeof value === 'object' && value !== null && 'hash' in value && 'entries' in value;
}
