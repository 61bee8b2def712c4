/** The same value with every text inside it changed, however deep; names of fields stay. */
export function mapTexts<Value>(value: Value, change: (text: string) => string): Value;
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, change));
  if (!(value instanceof Object)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapTexts<unknown>(part, change)]));
}
