import type { Say } from '../translate.js';

/** What an agent changed in one file. */
export interface ChangedText {
  /** As git names it, from the folder that the agent worked in. */
  readonly path: string;
  readonly change: 'added' | 'changed' | 'deleted';
  readonly added: number;
  readonly removed: number;
  /** Its hunks, each line with its mark: a space, a plus or a minus. */
  readonly lines: readonly string[];
}

/** A difference by its files, and what is told beside it: what is not shown, and what is ignored. */
export interface WorkDiff {
  readonly files: readonly ChangedText[];
  readonly notes: readonly string[];
}

type Part = { path: string; change: ChangedText['change']; lines: string[] };

/** Reads a difference as git writes it; what git says to itself in the head of a file is left out. */
export function diffFiles(diff: string): WorkDiff {
  const parts: Part[] = [];
  const notes: string[] = [];
  for (const line of diff.split('\n')) {
    const path = pathIn(line);
    const part = parts.at(-1);
    if (path !== undefined) parts.push({ path, change: 'changed', lines: [] });
    else if (isOfHunk(line, part)) part?.lines.push(line);
    else if (isHead(line)) note(line, part);
    else if (line !== '') notes.push(line);
  }
  return { files: parts.map(counted), notes };
}

function pathIn(line: string): string | undefined {
  return /^diff --git "?a\/.*"? "?b\/(.*?)"?$/u.exec(line)?.[1];
}

function isOfHunk(line: string, part: Part | undefined): boolean {
  if (part === undefined) return false;
  if (line.startsWith('@@')) return true;
  return part.lines.length > 0 && /^[ +\\-]/u.test(line);
}

function isHead(line: string): boolean {
  return /^(?:--- |\+\+\+ |index |old mode |new mode |new file mode |deleted file mode |similarity |Binary files )/u.test(
    line,
  );
}

function note(line: string, part: Part | undefined): void {
  if (part === undefined) return;
  if (line.startsWith('new file')) part.change = 'added';
  if (line.startsWith('deleted file')) part.change = 'deleted';
}

function counted({ path, change, lines }: Part): ChangedText {
  const of = (mark: string): number => lines.filter((line) => line.startsWith(mark)).length;
  return { path, change, added: of('+'), removed: of('-'), lines };
}

/** `prices.csv (changed)`: the head of a file, the same wherever a difference is shown. */
export function fileHead({ path, change }: Pick<ChangedText, 'path' | 'change'>, say: Say): string {
  return `${path} (${changeName(change, say)})`;
}

function changeName(change: ChangedText['change'], say: Say): string {
  switch (change) {
    case 'added':
      return say('added');
    case 'changed':
      return say('changed');
    case 'deleted':
      return say('deleted');
  }
}
