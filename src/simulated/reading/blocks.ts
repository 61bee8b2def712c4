/** A piece of a Markdown text, markup taken off. `items` of a list and sentences of a paragraph are told apart later. */
export type Block =
  | { readonly kind: 'heading' | 'paragraph'; readonly text: string; readonly indent: number }
  | { readonly kind: 'item'; readonly text: string; readonly indent: number }
  | { readonly kind: 'code'; readonly text: string; readonly indent: number };

const fencePattern = /^\s*(`{3,}|~{3,})\s*([\w-]*)/;
const itemPattern = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/;
const headingPattern = /^\s{0,3}#{1,6}\s+(.*?)\s*#*$/;
const furniturePattern = /^\s*(?:<\/?[\w:-]+(?:\s[^<>]*)?>|[-*_=~]{3,}|\|?[\s:|-]+\|)\s*$/;

/**
 * Headings, list items, paragraphs (wrapped lines joined) and code fences of a text. A fence that holds Markdown, or of
 * four marks or more (the way a whole document is quoted), is opened; with `everything`, every fence is.
 */
export function blocksOf(text: string, everything = false): readonly Block[] {
  const blocks: Block[] = [];
  const lines = withoutComments(withoutFrontMatter(text)).split(/\r?\n/).map(readable);
  let open = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const fence = fencePattern.exec(line);
    if (fence !== null) {
      const end = closingFence(lines, at, fence[1] ?? '');
      const inside = lines.slice(at + 1, end).join('\n');
      if (everything || isDocument(fence)) blocks.push(...blocksOf(inside, everything));
      else blocks.push({ kind: 'code', text: inside, indent: indentOf(line) });
      at = end;
      open = false;
      continue;
    }
    open = addLine(blocks, line, open);
  }
  return blocks;
}

/** Adds one line; says whether the next line may continue what it began. */
function addLine(blocks: Block[], line: string, open: boolean): boolean {
  if (line.trim() === '' || furniturePattern.test(line.trim())) return false;
  const heading = headingPattern.exec(line);
  if (heading !== null) {
    blocks.push({ kind: 'heading', text: clean(heading[1] ?? ''), indent: -1 });
    return false;
  }
  const item = itemPattern.exec(line);
  if (item !== null) {
    blocks.push({ kind: 'item', text: clean(item[2] ?? ''), indent: indentOf(line) });
    return true;
  }
  const last = blocks.at(-1);
  if (open && last !== undefined) {
    blocks[blocks.length - 1] = { ...last, text: `${last.text} ${clean(line)}` };
    return true;
  }
  blocks.push({ kind: 'paragraph', text: clean(line), indent: indentOf(line) });
  return true;
}

function isDocument(fence: RegExpExecArray): boolean {
  return (fence[1] ?? '').length > 3 || /^(?:markdown|md|mdx|skill|memory|reference)(?:-|$)/i.test(fence[2] ?? '');
}

function closingFence(lines: readonly string[], from: number, marks: string): number {
  const closing = new RegExp(`^\\s*${marks.charAt(0)}{${marks.length},}\\s*$`);
  for (let at = from + 1; at < lines.length; at += 1) if (closing.test(lines[at] ?? '')) return at;
  return lines.length;
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, '');
}

/** Found by their ends: a pattern would look for the end of a comment that has none from every beginning of one. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf('<!--', at);
    const end = start < 0 ? -1 : text.indexOf('-->', start + 4);
    if (end < 0) return [...kept, text.slice(at)].join('');
    kept.push(text.slice(at, start));
    at = end + 3;
  }
}

const longestLine = 1_000; // characters: beyond them no line is one that a person wrote, and every pattern takes longer

function readable(line: string): string {
  return line.length > longestLine ? line.slice(0, longestLine) : line;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function clean(line: string): string {
  return line
    .trim()
    .replace(/^(?:>\s*)+/, '')
    .replaceAll(/\*\*(.+?)\*\*/g, '$1')
    .replaceAll(/(?<![\w*])\*(\S(?:.*?\S)?)\*(?![\w*])/g, '$1')
    .trim();
}
