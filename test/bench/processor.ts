import { createHash } from 'node:crypto';

/** What the work below takes on the machine that the limits in milliseconds are for: half of what a slow virtual one takes. */
const thereMs = 30;
const tries = 5; // the best of them: what else the machine does is not ours to measure

/**
 * How many times as long as there ordinary work takes here: once where it takes less, and twice at most, since what takes
 * longer is not slow but busy. A time that stands for something outside (the answer of a server, what a person notices)
 * is stretched by it: a bench fails on what the code does, not on the machine that it runs on.
 */
export function slowness(): number {
  const times = Array.from({ length: tries }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return Math.min(2, Math.max(1, Math.min(...times) / thereMs));
}

/** Of the kinds that a run has most of: texts are searched, put into JSON and read again, hashed and looked up. */
function work(): number {
  const seen = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const text = JSON.stringify({ round, lines: lines.map((line) => line.replaceAll(/\b(\w)(\w*)\b/g, '$2$1')) });
    const { lines: read }: { lines: readonly string[] } = JSON.parse(text);
    for (const line of read) seen.set(createHash('sha256').update(line).digest('hex'), round);
  }
  return seen.size;
}

const rounds = 240;
const lines = Array.from({ length: 60 }, (_, at) => `Rule ${at}: state the facts first, then what follows from them.`);
