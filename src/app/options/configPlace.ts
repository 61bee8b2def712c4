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
  const before = text.slice(lineStart, offset);
  if (/^\s*#|\s#/.test(before) || /^\s*-/.test(before)) return undefined;
  const [whole = ''] = text.slice(lineStart).split(/\r?\n/, 1);
  const indent = before.length - before.trimStart().length;
  const { key, start, colon } = keyOf(whole, indent);
  return {
    above: namesAbove(text.slice(0, lineStart), indent),
    key,
    keyStart: lineStart + start,
    value: before.length > colon ? before.slice(colon + 1).trimStart() : undefined,
  };
}

/** The name on a line, where it begins and where its colon stands; all of the line is one that is still being written. */
function keyOf(line: string, indent: number): { readonly key: string; readonly start: number; readonly colon: number } {
  const found = keyLine.exec(line);
  if (found === null) return { key: line.trim(), start: indent, colon: Infinity };
  const key = nameIn(found);
  const start = line.indexOf(key, found[1]?.length);
  return { key, start, colon: line.indexOf(':', start + key.length) };
}

/** In quotes or without. */
function nameIn(found: RegExpExecArray): string {
  return found[3] ?? found[4] ?? '';
}

/** The nearest lines above that are indented less, each with its name. */
function namesAbove(text: string, indent: number): readonly string[] {
  const names: string[] = [];
  let least = indent;
  for (const line of text.split(/\r?\n/).toReversed()) {
    const found = keyLine.exec(line);
    const own = found?.[1]?.length ?? Infinity;
    if (found === null || own >= least) continue;
    names.unshift(nameIn(found));
    least = own;
  }
  return names;
}
