import type { Redactor } from '../../redaction/redactor.js';

/** Too short to hide anything that a pattern could tell from a word. */
const shortest = 8;

/** A value with every text inside it redacted; names of fields stay. The same text is looked at once. */
export function redactedDeep(redactor: Redactor): (value: unknown) => Promise<unknown> {
  const known = new Map<string, string>();
  const text = async (value: string): Promise<string> => {
    if (value.length < shortest) return value;
    const found = known.get(value) ?? (await redactor.redact(value)).text;
    known.set(value, found);
    return found;
  };
  const walk = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return Promise.all(value.map(walk));
    if (!(value instanceof Object)) return value;
    const entries = Object.entries(value).map(async ([name, part]) => [name, await walk(part)] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  return walk;
}
