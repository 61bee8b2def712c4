import type { EvalRow } from './readEvals.js';
import type { WhetstoneRow } from './readWhetstone.js';

/** How a task and its checks found each other. */
export interface JoinedRow {
  readonly row: EvalRow;
  readonly whetstone: WhetstoneRow | undefined;
  readonly match: 'same' | 'changed' | 'renamed' | 'alone';
}

export interface JoinedTasks {
  readonly joined: readonly JoinedRow[];
  /** Entries of `whetstone.json` that no task claims. */
  readonly orphans: readonly WhetstoneRow[];
}

/**
 * Joins by id and content hash. Where both agree there is no question; where the ids were renumbered the content
 * wins, so that no task is judged by another one's checks; where the text was edited the id does.
 */
export function joinTasks(rows: readonly EvalRow[], entries: readonly WhetstoneRow[]): JoinedTasks {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byHash = new Map(rows.map((row) => [row.publicHash, row]));
  const found = new Map<EvalRow, JoinedRow>();
  const left = new Set(entries);
  const claim = (entry: WhetstoneRow, row: EvalRow | undefined, match: JoinedRow['match']): void => {
    if (row === undefined || found.has(row)) return;
    found.set(row, { row, whetstone: entry, match });
    left.delete(entry);
  };
  for (const entry of entries) {
    const row = byId.get(entry.id);
    const hash = entry.entry.contentHash;
    if (row !== undefined && (hash === undefined || hash === row.publicHash)) claim(entry, row, 'same');
  }
  for (const entry of left) {
    const hash = entry.entry.contentHash;
    if (hash !== undefined) claim(entry, byHash.get(hash), 'renamed');
  }
  for (const entry of left) claim(entry, byId.get(entry.id), 'changed');
  return {
    joined: rows.map((row) => found.get(row) ?? { row, whetstone: undefined, match: 'alone' }),
    orphans: [...left],
  };
}
