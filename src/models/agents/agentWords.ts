/** Arguments, as they would be written in a terminal: texts are split at their spaces, lists are taken as they are. */
export function words(...parts: readonly (string | readonly string[])[]): readonly string[] {
  return parts.flatMap((part) => (typeof part === 'string' ? part.split(' ') : part));
}
