import type { ChangedFile, WorkTree } from '../../ports/agentWork.js';

/** The folder of one attempt, in memory: its text files can be read and written, and what became of them is told. */
export interface WorkFolder {
  readonly names: () => readonly string[];
  readonly read: (path: string) => string | undefined;
  readonly write: (path: string, text: string) => void;
  readonly changed: () => readonly ChangedFile[];
  /** Unified, as git writes it. */
  readonly diff: () => string;
}

/** A copy of the tree; what is no text is there and cannot be read. */
export function openFolder({ entries }: WorkTree): WorkFolder {
  const before = new Map(
    entries.flatMap((entry) => (entry.kind === 'file' ? [[entry.path, textOf(entry.bytes)]] : [])),
  );
  const now = new Map(before);
  const changed = (): readonly ChangedFile[] =>
    [...now.keys()]
      .filter((path) => now.get(path) !== before.get(path))
      .sort()
      .map((path) => ({ path, change: before.has(path) ? 'changed' : 'added' }));
  return {
    names: () => [...now.keys()].sort(),
    read: (path) => now.get(path),
    write: (path, text) => void now.set(path, text),
    changed,
    diff: () =>
      changed()
        .map(({ path }) => diffOf(path, before.get(path), now.get(path) ?? ''))
        .join(''),
  };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const context = 3; // lines around what changed

/** One hunk from the first line that differs to the last: what this agent does is small. */
function diffOf(path: string, before: string | undefined, after: string): string {
  const [old, fresh] = [linesOf(before ?? ''), linesOf(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let same = 0;
  while (same < old.length - start && same < fresh.length - start && old.at(-1 - same) === fresh.at(-1 - same))
    same += 1;
  const from = Math.max(0, start - context);
  const lead = old.slice(from, start);
  const tail = old.slice(old.length - same, old.length - same + context);
  const [gone, come] = [old.slice(start, old.length - same), fresh.slice(start, fresh.length - same)];
  const size = (lines: readonly string[]): number => lead.length + lines.length + tail.length;
  const span = (lines: readonly string[]): string => `${size(lines) === 0 ? 0 : from + 1},${size(lines)}`;
  return [
    `diff --git a/${path} b/${path}`,
    ...(before === undefined ? ['new file mode 100644', '--- /dev/null'] : [`--- a/${path}`]),
    `+++ b/${path}`,
    `@@ -${span(gone)} +${span(come)} @@`,
    ...lead.map((line) => ` ${line}`),
    ...gone.map((line) => `-${line}`),
    ...come.map((line) => `+${line}`),
    ...tail.map((line) => ` ${line}`),
    '',
  ].join('\n');
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
