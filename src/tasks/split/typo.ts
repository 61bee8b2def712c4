/**
 * Whether one word is the other with a slip of the pen: a letter too many, too few, another one or two that changed places;
 * two such slips in a long word. A short word with another letter is another word.
 */
export function isTypo(first: string, second: string): boolean {
  const longer = Math.max(first.length, second.length);
  if (longer < shortestWord) return false;
  const most = longer < longWord ? 1 : 2;
  return Math.abs(first.length - second.length) <= most && isWithin(most, first, second);
}

const shortestWord = 4;
const longWord = 8;

/** Whether so many slips turn one into the other. Each is tried where the two first differ. */
function isWithin(most: number, first: string, second: string): boolean {
  const from = firstDifference(first, second);
  const [one, other] = [first.slice(from), second.slice(from)];
  if (one === '' || other === '') return one.length + other.length <= most;
  if (most === 0) return false;
  return (
    isWithin(most - 1, one.slice(1), other.slice(1)) ||
    isWithin(most - 1, one.slice(1), other) ||
    isWithin(most - 1, one, other.slice(1)) ||
    (one[0] === other[1] && one[1] === other[0] && isWithin(most - 1, one.slice(2), other.slice(2)))
  );
}

function firstDifference(first: string, second: string): number {
  let at = 0;
  while (at < first.length && first[at] === second[at]) at += 1;
  return at;
}
