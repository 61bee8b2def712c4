/** What stands at a path of names; undefined where something on the way is missing. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}

export function textAt(value: unknown, ...names: readonly string[]): string | undefined {
  const found = at(value, ...names);
  return typeof found === 'string' ? found : undefined;
}

export function listAt(value: unknown, ...names: readonly string[]): readonly unknown[] {
  const found = at(value, ...names);
  return Array.isArray(found) ? found : [];
}

/** An instant: milliseconds since 1970, or a text that says its zone. One without a zone is no instant. */
export function timeAt(value: unknown, ...names: readonly string[]): number | undefined {
  const found = at(value, ...names);
  const time = typeof found === 'string' && hasZone.test(found) ? Date.parse(found) : found;
  return typeof time === 'number' && time > 0 && time < latest ? time : undefined;
}

const hasZone = /T.*(?:Z|[+-]\d\d:?\d\d)$/u;
const latest = Date.UTC(3000);

/** The texts of a message's content: a text, or blocks of which some are text. */
export function textOf(content: unknown, type = 'text'): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((block) => (at(block, 'type') === type ? [textAt(block, 'text') ?? ''] : [])).join('\n');
}
