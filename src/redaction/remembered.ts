/** The same function of a text, which keeps its last results: a run works on the same few long texts a thousand times. */
export function remembered<T>(compute: (text: string) => T, most: number): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const result = known.get(text) ?? compute(text);
    known.delete(text);
    known.set(text, result);
    const [oldest] = known.keys();
    if (known.size > most && oldest !== undefined) known.delete(oldest);
    return result;
  };
}
