/** Takes out of a text what its reader must not see. */
export type Clean = (text: string) => string;

/** Longer than any secret but a key block: what begins before a cut is known whole. */
const margin = 4_096;

/**
 * A text of at most about `most` characters: without what must not be seen, then, where it is too long, without its middle,
 * and it says how much is missing. Cleaned first, because half a secret looks like none; of a very long text only what is
 * near to what stays is looked at.
 */
export function shortened(text: string, most: number, clean: Clean): string {
  const half = Math.floor(most / 2);
  if (text.length > most + 2 * margin) {
    const [head, tail] = [clean(text.slice(0, half + margin)), clean(text.slice(-half - margin))];
    return withoutMiddle(head.slice(0, half), tail.slice(-half), text.length - 2 * half);
  }
  const whole = clean(text);
  if (whole.length <= most) return whole;
  return withoutMiddle(whole.slice(0, half), whole.slice(-half), whole.length - 2 * half);
}

/** Both ends with what is missing between them; half a character at a cut is left out. */
function withoutMiddle(head: string, tail: string, missing: number): string {
  const [start, end] = [head.replace(/[\uD800-\uDBFF]$/u, ''), tail.replace(/^[\uDC00-\uDFFF]/u, '')];
  return `${start}\n[... ${missing} characters left out ...]\n${end}`;
}
