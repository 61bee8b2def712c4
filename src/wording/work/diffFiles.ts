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

/** `told`: the head says what became of it. */
type Part = { path: string; change: ChangedText['change']; told: boolean; lines: string[] };

/** Reads a difference as git writes it; what git says to itself in the head of a file is left out. */
export function diffFiles(diff: string): WorkDiff {
  const parts: Part[] = [];
  const notes: string[] = [];
  for (const line of diff.split('\n')) {
    const path = pathIn(line);
    const part = parts.at(-1);
    if (path !== undefined) parts.push({ path, change: 'changed', told: false, lines: [] });
    else if (isOfHunk(line, part)) part?.lines.push(line);
    else if (isHead(line)) note(line, part);
    else if (line !== '') notes.push(line);
  }
  return { files: parts.map(counted), notes };
}

const head = 'diff --git ';

/**
 * The name of the file that a line begins. A name that looks like a secret was taken out, on each side by itself and with
 * what stood around it: what stands there instead is its name then. A file that is not told would lend its lines to another.
 */
function pathIn(line: string): string | undefined {
  if (!line.startsWith(head)) return undefined;
  const names = line.slice(head.length);
  const middle = Math.floor(names.length / 2); // most often both are the same, but for the letter before them
  const second = names.slice(middle + 1);
  if (names[middle] === ' ' && withoutSide(names.slice(0, middle)) === withoutSide(second)) return withoutSide(second);
  const at = Math.max(names.lastIndexOf(' b/'), names.lastIndexOf(' "b/'));
  return withoutSide(names.slice((at < 0 ? names.lastIndexOf(' ') : at) + 1));
}

function withoutSide(name: string): string {
  return name.replace(/^"(.*)"$/u, '$1').replace(/^[ab]\//u, '');
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
  part.told = true;
  if (line.startsWith('new file')) part.change = 'added';
  if (line.startsWith('deleted file')) part.change = 'deleted';
}

function counted(part: Part): ChangedText {
  const { path, lines } = part;
  const of = (mark: string): number => lines.filter((line) => line.startsWith(mark)).length;
  return { path, change: changeOf(part), added: of('+'), removed: of('-'), lines };
}

/** Where the head went with a name, the first hunk says whether there was nothing before, or is nothing after. */
function changeOf({ change, told, lines: [hunk = ''] }: Part): Part['change'] {
  if (told) return change;
  if (hunk.startsWith('@@ -0,0 ')) return 'added';
  return hunk.includes(' +0,0 @@') ? 'deleted' : change;
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
