import { sha256 } from '../hash.js';

/** Text written by others, set so that nothing in it can end its fence: the fence is longer than any run of backticks inside. */
export function fence(label: string, data: string): string {
  const ticks = '`'.repeat(Math.max(minimumTicks, longestRunOfTicks(data) + 1));
  const lineEnd = data.endsWith('\n') ? '' : '\n';
  return `${ticks}${label}-${digestOf(data)}\n${data}${lineEnd}${ticks}`;
}

const minimumTicks = 3;
const digestLength = 12;

function longestRunOfTicks(data: string): number {
  let longest = 0;
  for (const [run] of data.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

// A name that the data would have to contain the hash of itself to guess, and that is the same in every run.
function digestOf(data: string): string {
  return sha256(data).slice(0, digestLength);
}
