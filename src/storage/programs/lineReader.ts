/** As long as a line may be, which is one event: the longest answers take a tenth of it. */
const longestLineBytes = 8 * 1024 * 1024;

/** Whole lines, and false once one is too long. What has no end yet is kept in pieces: joined for each it would take a square of time. */
export function lineReader(onLine: (line: string) => void): { take(chunk: Uint8Array): boolean; end(): void } {
  let pieces: Uint8Array[] = [];
  let size = 0;
  const pass = (last: Uint8Array): void => {
    const text = Buffer.concat([...pieces, last]).toString('utf8');
    [pieces, size] = [[], 0];
    for (const line of text.split('\n')) if (line.trim() !== '') onLine(line);
  };
  const keep = (rest: Uint8Array): boolean => {
    size += rest.length;
    if (size > longestLineBytes) [pieces, size] = [[], Infinity];
    else if (rest.length > 0) pieces.push(rest);
    return size !== Infinity;
  };
  return {
    take: (chunk) => {
      if (size === Infinity) return false;
      const end = chunk.lastIndexOf(lineBreak);
      if (end >= 0) pass(chunk.subarray(0, end));
      return keep(chunk.subarray(end + 1));
    },
    end: () => pass(Buffer.alloc(0)),
  };
}

const lineBreak = 10;
