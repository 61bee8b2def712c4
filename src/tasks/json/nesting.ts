/** Deeper than this nobody means it: what writes such values down, or compares them, runs out of stack. */
export const deepestNesting = 100;

/** How deep the brackets of valid JSON are nested; those in texts are no brackets. */
export function nestingIn(json: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') quoted = !quoted;
    else if (quoted) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, (depth += 1));
    else if (character === ']' || character === '}') depth -= 1;
  }
  return deepest;
}
