/**
 * A value as JSON for a file: what steers a terminal is escaped, also those characters of it that JSON lets stand (C1, such
 * as U+009B), and the line breaks that only some programs take for such. `space` as for `JSON.stringify`.
 */
export function jsonFile(value: unknown, space?: string | number): string {
  return JSON.stringify(value, undefined, space).replaceAll(
    /[\u007F-\u009F\u2028\u2029]/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
