/** The ATX headings of a text, without their marks. */
export function headingsIn(text: string): readonly string[] {
  return [...text.matchAll(/^\s{0,3}#{1,6}\s+(.*)$/gm)].map(([, title = '']) => withoutClosing(title));
}

/** `Risks ##` is closed by its marks; looked at from its end, for a long row of blanks would be looked at from each of them. */
function withoutClosing(title: string): string {
  return title.replace(/(?<!#)#+$/, '').trimEnd();
}

export function hasHeading(text: string, name: string): boolean {
  return headingsIn(text).some((heading) => heading.toLowerCase() === name.toLowerCase());
}

/** What stands beneath a heading, to the next one. */
export function beneath(text: string, name: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => headingsIn(line)[0]?.toLowerCase() === name.toLowerCase());
  if (start < 0) return '';
  const end = lines.findIndex((line, index) => index > start && headingsIn(line).length > 0);
  return lines.slice(start + 1, end < 0 ? undefined : end).join('\n');
}
