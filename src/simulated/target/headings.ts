/** The ATX headings of a text, without their marks. */
export function headingsIn(text: string): readonly string[] {
  return [...text.matchAll(/^\s{0,3}#{1,6}\s+(.*?)\s*#*$/gm)].map((match) => match[1] ?? '');
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
