/** One file of a unified diff. */
export interface DiffFile {
  /** Where it is now, or was where it is gone. */
  readonly path: string;
  readonly lines: readonly string[];
}

/** The files of a diff as git writes it, each with its lines. */
export function filesInDiff(diff: string): readonly DiffFile[] {
  const files: { path: string; lines: string[] }[] = [];
  for (const line of diff.split('\n')) {
    const header = /^diff --git (?:"?a\/.*"?) "?b\/(.*?)"?$/u.exec(line);
    if (header !== null) files.push({ path: header[1] ?? '', lines: [] });
    else files.at(-1)?.lines.push(line);
  }
  return files;
}

/** What was added, line by line, without the marks. */
export function addedLines(files: readonly DiffFile[]): string {
  return files
    .flatMap(({ lines }) => inHunks(lines))
    .filter((line) => line.startsWith('+'))
    .map((line) => line.slice(1))
    .join('\n');
}

/** What stands before the first hunk names files: `+++ b/…` is no added line. */
function inHunks(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.startsWith('@@'));
  return first < 0 ? [] : lines.slice(first);
}
