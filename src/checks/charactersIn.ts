/** Whole characters: a pair of surrogates is one, as people and Python count. */
export function charactersIn(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ((text.codePointAt(at) ?? 0) > 0xffff) {
      pairs += 1;
      at += 1;
    }
  }
  return text.length - pairs;
}
