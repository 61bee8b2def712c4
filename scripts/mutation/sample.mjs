/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function chosenRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** So many of them: each room by its size, but at least `leastOfRoom` of each where it has as many. */
export function sample(all, { count, leastOfRoom, random }) {
  if (all.length <= count) return all;
  const rooms = [...new Set(all.map(({ room }) => room))];
  const drawn = rooms.flatMap((room) => {
    const own = shuffled(
      all.filter((each) => each.room === room),
      random,
    );
    return own.map((mutant, at) => ({ mutant, rank: at < leastOfRoom ? -1 : at / own.length }));
  });
  return drawn
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

function shuffled(list, random) {
  return list
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}
