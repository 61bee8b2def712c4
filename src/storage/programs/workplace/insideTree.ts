import path from 'node:path';
import { UserError } from '../../../errors.js';
import type { WorkEntry } from '../../../ports/agentWork.js';

/** A name that no entry may have: outside, or where git keeps what it runs. */
export function namesClosed(name: string): boolean {
  return name.split('/').some((part) => part === '..' || isClosed(part));
}

function isClosed(part: string): boolean {
  return part.toLowerCase() === '.git' || part.includes('\0');
}

/** Names that the system takes for one are one here. */
function keyOf(name: string): string {
  return process.platform === 'linux' ? name : name.normalize('NFC').toLowerCase();
}

/** Without links that lead out of the tree, by whichever way over other links of it. */
export function withoutLinksOut(entries: readonly WorkEntry[]): readonly WorkEntry[] {
  const links = new Map(entries.flatMap((each) => (each.kind === 'link' ? [[keyOf(each.path), each.to]] : [])));
  return entries.filter((entry) => entry.kind === 'file' || staysInside(entry, links));
}

const mostFollowed = 40; // as the system does

/**
 * Goes the way part by part, as the system does: `..` after a link is what is above the place that the link leads to. What
 * is not there counts as a folder.
 */
function staysInside({ path: name, to }: WorkEntry & { kind: 'link' }, links: ReadonlyMap<string, string>): boolean {
  const at = name.split('/').slice(0, -1);
  const ahead = partsOf(to);
  for (let followed = 1, part = ahead.pop(); part !== undefined; part = ahead.pop()) {
    if (part === '/' || isClosed(part)) return false;
    if (part === '..' && at.pop() === undefined) return false;
    if (part === '..') continue;
    const next = links.get(keyOf([...at, part].join('/')));
    if (next === undefined) at.push(part);
    else ahead.push(...partsOf(next));
    followed += next === undefined ? 0 : 1;
    if (followed > mostFollowed) return false;
  }
  return true;
}

/** The last first; the root as a part of its own. */
function partsOf(to: string): string[] {
  const parts = to.split('/').filter((part) => part !== '' && part !== '.');
  return [...(path.posix.isAbsolute(to) ? ['/'] : []), ...parts].toReversed();
}

/** Refuses a tree with a path that is there twice, or as a folder and as something else: one would be written through it. */
export function refuseDoubled(entries: readonly WorkEntry[]): void {
  const known = new Set<string>();
  for (const { path: name } of entries) {
    if (known.has(keyOf(name))) throw doubled(name);
    known.add(keyOf(name));
  }
  const folders = new Set(entries.flatMap(({ path: name }) => foldersAbove(name)));
  for (const folder of folders) if (known.has(keyOf(folder))) throw doubled(folder);
}

function doubled(name: string): UserError {
  return new UserError(
    'tasks-malformed',
    `“${name}” is there twice in what an agent is given, or as a folder and as a file or link.`,
    'Give every path one meaning.',
  );
}

/** The nearest first; the root is none of them. */
export function foldersAbove(name: string): readonly string[] {
  const above = path.posix.dirname(name);
  return above === '.' ? [] : [above, ...foldersAbove(above)];
}
