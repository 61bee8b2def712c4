/** What a line can open, as CommonMark has it. Each reads the line from its first character that is not white space. */

/** A code fence's opener, or undefined: three or more of one character, and no backtick in what follows backticks. */
export function readFenceOpener(rest: string): { readonly character: string; readonly length: number } | undefined {
  const run = /^(?:`{3,}|~{3,})/.exec(rest)?.[0];
  if (run === undefined) return undefined;
  const character = run.charAt(0);
  if (character === '`' && rest.includes('`', run.length)) return undefined;
  return { character, length: run.length };
}

/** True where the line closes a fence of that character and length. */
export function closesFence(rest: string, fence: { readonly character: string; readonly length: number }): boolean {
  const run = rest.trimEnd();
  return run.length >= fence.length && run === fence.character.repeat(run.length);
}

/** An ATX heading's depth and text. */
export function readHeading(rest: string): { readonly depth: number; readonly text: string } | undefined {
  const hashes = /^#{1,6}(?=[ \t]|$)/.exec(rest)?.[0];
  if (hashes === undefined) return undefined;
  const text = rest.slice(hashes.length).trim();
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  const open = text.slice(0, end);
  const closes = open !== text && (open === '' || /[ \t]$/.test(open));
  return { depth: hashes.length, text: closes ? open.trim() : text };
}

/** The depth of the heading that this underline makes of the paragraph above it. */
export function readUnderline(rest: string): 1 | 2 | undefined {
  const run = rest.trimEnd();
  if (run === '') return undefined;
  if (run === '='.repeat(run.length)) return 1;
  return run === '-'.repeat(run.length) ? 2 : undefined;
}

const otherThan = { '*': /[^* \t]/, '-': /[^- \t]/, _: /[^_ \t]/ } as const;

export function isThematicBreak(rest: string): boolean {
  const character = rest.charAt(0);
  if (character !== '*' && character !== '-' && character !== '_') return false;
  return !otherThan[character].test(rest) && rest.split(character).length > 3;
}

/** A list item's marker, without the white space after it. */
export function readListMarker(rest: string): { readonly marker: string; readonly interrupts: boolean } | undefined {
  const marker = /^(?:[*+-]|\d{1,9}[.)])(?=[ \t]|$)/.exec(rest)?.[0];
  if (marker === undefined) return undefined;
  const hasContent = rest.slice(marker.length).trim() !== '';
  return { marker, interrupts: hasContent && (/^[*+-]/.test(marker) || Number.parseInt(marker, 10) === 1) };
}

/** How an HTML block goes on: to a line that holds `until`, or to a blank line. */
export interface HtmlBlock {
  readonly until: RegExp | undefined;
  readonly interruptsParagraph: boolean;
  /** How far into the line the search for `until` starts. */
  readonly searchFrom: number;
}

const htmlStarts: readonly { readonly start: RegExp; readonly until: RegExp; readonly searchFrom: number }[] = [
  { start: /^<(?:script|pre|textarea|style)(?:\s|>|$)/i, until: /<\/(?:script|pre|textarea|style)>/i, searchFrom: 1 },
  { start: /^<!--/, until: /-->/, searchFrom: 2 },
  { start: /^<\?/, until: /\?>/, searchFrom: 2 },
  { start: /^<![A-Za-z]/, until: />/, searchFrom: 2 },
  { start: /^<!\[CDATA\[/, until: /\]\]>/, searchFrom: 9 },
];

const htmlBlockName =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$)/i;
const htmlWholeLine = /^<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>[ \t]*$/i;

export function readHtmlStart(rest: string): HtmlBlock | undefined {
  if (!rest.startsWith('<')) return undefined;
  const known = htmlStarts.find(({ start }) => start.test(rest));
  if (known !== undefined) return { until: known.until, interruptsParagraph: true, searchFrom: known.searchFrom };
  if (htmlBlockName.test(rest)) return { until: undefined, interruptsParagraph: true, searchFrom: 0 };
  return htmlWholeLine.test(rest) ? { until: undefined, interruptsParagraph: false, searchFrom: 0 } : undefined;
}
