/** Where in a `.whetstone/config.yaml` a position stands, told by its lines: what is being written seldom parses. */
export interface ConfigPlace {
  /** The names above it, the outermost first. */
  readonly above: readonly string[];
  /** The name on its line; empty where none is written yet. */
  readonly key: string;
  readonly keyStart: number;
  /** What stands behind the name, as far as the position; undefined where the position is in the name. */
  readonly value: string | undefined;
}

const keyLine = /^(\s*)(?:(['"])(.*?)\2|([^\s#:'"][^#:'"]*?))\s*:(\s|$)/;

/** The place of an offset; undefined in a remark or in a list. */
export function configPlaceAt(text: string, offset: number): ConfigPlace | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = text.indexOf('\n', offset);
  const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd).replace(/\r$/, '');
  const before = text.slice(lineStart, offset);
  if (/^\s*#|\s#/.test(before) || /^\s*-/.test(before)) return undefined;
  const indent = /^\s*/.exec(before)?.[0].length ?? 0;
  const above = namesAbove(text.slice(0, lineStart), indent);
  const found = keyLine.exec(line);
  const key = found?.[3] ?? found?.[4] ?? line.trim();
  const keyStart = lineStart + (found === null ? indent : line.indexOf(key, found[1]?.length ?? 0));
  const colon = found === null ? -1 : line.indexOf(':', keyStart - lineStart + key.length);
  const isInValue = colon >= 0 && before.length > colon;
  return { above, key, keyStart, value: isInValue ? before.slice(colon + 1).trimStart() : undefined };
}

/** The nearest lines above that are indented less, each with its name. */
function namesAbove(text: string, indent: number): readonly string[] {
  const names: string[] = [];
  let least = indent;
  for (const line of text.split(/\r?\n/).toReversed()) {
    const found = keyLine.exec(line);
    const own = found?.[1]?.length ?? Infinity;
    if (found === null || own >= least) continue;
    names.unshift(found[3] ?? found[4] ?? '');
    least = own;
  }
  return names;
}
