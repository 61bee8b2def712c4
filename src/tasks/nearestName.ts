/** The known name that a mistyped one most likely means, or undefined where none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceOf(name.slice(0, longestName), candidate) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  if (best === undefined || best.distance > Math.max(2, Math.floor(best.candidate.length / 3))) return undefined;
  // With half of its letters changed, a short word is another one.
  return best.distance * 2 < Math.max(name.length, best.candidate.length) ? best.candidate : undefined;
}

/** The same, where half a name means the whole one too. */
export function meantName(name: string, known: readonly string[]): string | undefined {
  return nearestName(name, known) ?? known.find((each) => name.length > 2 && each.startsWith(name));
}

const longestName = 40;

/** How many letters have to be added, dropped or changed. */
function distanceOf(first: string, second: string): number {
  let row = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let at = 0; at < first.length; at += 1) {
    const next = [at + 1];
    for (let other = 0; other < second.length; other += 1) {
      const changed = (row[other] ?? 0) + (first[at] === second[other] ? 0 : 1);
      next.push(Math.min(changed, (row[other + 1] ?? 0) + 1, (next[other] ?? 0) + 1));
    }
    row = next;
  }
  return row[second.length] ?? 0;
}
