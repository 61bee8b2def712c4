/**
 * The text that the MACs of sealed files and journals are made of, as it was first written: of every object the names
 * that are integers come first, by their size, then the others in code-unit order. Fields that are undefined are left
 * out. Throws on what JSON cannot say. For anything that is not sealed there is `canonicalJson`.
 */
export function sealedJson(value: unknown): string {
  return JSON.stringify(ordered(value));
}

/** The same value with its keys in order, for text that people read as well. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => ordered(item) ?? null);
  if (typeof value === 'object' && value !== null) return orderedObject(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} has no form in JSON.`);
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') {
    throw new TypeError(`JSON has no form for the type ${typeof value}.`);
  }
  return value;
}

function orderedObject(value: object): unknown {
  // Without a prototype, a field named `__proto__` stays a field.
  const result: Record<string, unknown> = Object.create(null);
  for (const [name, field] of Object.entries(value).sort(byName))
    if (field !== undefined) result[name] = ordered(field);
  return result;
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}
