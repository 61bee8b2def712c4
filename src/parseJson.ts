/** The value of a JSON text, or undefined where it is none: for files that a crash or a stranger may have broken. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
