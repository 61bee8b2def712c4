/** `42 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** `+39 points`: a difference on the 0..1 scale. */
export function points(difference: number): string {
  const rounded = Math.round(difference * 100);
  return `${rounded > 0 ? '+' : ''}${rounded} ${Math.abs(rounded) === 1 ? 'point' : 'points'}`;
}

/** `1 pass`, `3 passes`. */
export function count(number: number, one: string, many: string = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** `t1, t2 and t3`, or the first three `and 4 more`: a sentence stays one that is read. */
export function list(names: readonly string[]): string {
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}
