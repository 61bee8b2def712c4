/**
 * What small models write in the place of a reply is often almost right: its keys in another case, under another name, one
 * level too deep. These read fields by every name that can mean only one thing; what else there is stays as it is, for the
 * schema to refuse.
 */
export type Fields = ReadonlyMap<string, unknown>;

/** The fields of an object by their names in one spelling: `insertAfter`, `Insert-After` and `insert_after` are one. */
export function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value).filter(([name]) => name !== '__proto__');
  // A name that is written as it should be comes before one that is not.
  const exact = new Map<string, unknown>(entries.filter(([name]) => spelled(name) === name));
  return new Map([...entries.map(([name, field]) => [spelled(name), field] as const), ...exact]);
}

export function spelled(name: string): string {
  return name
    .trim()
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}

/** The first of these names that the fields have with something in it. */
export function firstOf(fields: Fields, names: readonly string[]): unknown {
  const name = names.find((each) => !isEmpty(fields.get(each)));
  return name === undefined ? undefined : fields.get(name);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** A text that was given as the list of its lines. */
export function asText(value: unknown): unknown {
  return Array.isArray(value) && value.every((line) => typeof line === 'string') ? value.join('\n') : value;
}

/** The one field that holds an object which this fits, as in `{"result": {…}}`. */
export function wrappedIn(fields: Fields, fits: (inner: Fields) => boolean): Fields | undefined {
  const inner = [...fields.values()].flatMap((value) => fieldsOf(value) ?? []).filter(fits);
  return inner.length === 1 ? inner[0] : undefined;
}

/** The entries of a list, or of an object that numbers them, where they are objects and this fits one at least. */
export function entriesOf(value: unknown, fits: (entry: unknown) => boolean): readonly unknown[] | undefined {
  const entries = Array.isArray(value) ? value : [...(fieldsOf(value)?.values() ?? [])];
  const isList = entries.every((entry) => fieldsOf(entry) !== undefined) && entries.some(fits);
  return isList ? entries : undefined;
}

/** A list that was given as the text of one. */
export function parsedList(value: unknown): unknown {
  if (typeof value !== 'string' || !value.trim().startsWith('[')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value; // a text, then
  }
}
