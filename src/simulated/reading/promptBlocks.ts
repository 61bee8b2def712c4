/** A fenced or tagged piece of a prompt: data that was put there under a name. */
export interface PromptBlock {
  /** The first word of its label, without the digest: `skill`, `answer`, `criteria`. */
  readonly name: string;
  readonly text: string;
  /** The last heading or line of running text before it. */
  readonly lead: string;
  /** The last Markdown heading before it. */
  readonly heading: string;
}

const opening = /^\s*(`{3,}|~{3,})\s*([A-Za-z][\w-]*)?/;
const tagOpening = /^\s*<([A-Za-z][\w-]*)(?:\s[^<>]*)?>\s*$/;

/** The blocks of a prompt in order, and the text that stands outside all of them. */
export function promptBlocks(prompt: string): { readonly blocks: readonly PromptBlock[]; readonly outside: string } {
  const lines = prompt.split(/\r?\n/);
  const blocks: PromptBlock[] = [];
  const outside: string[] = [];
  let heading = '';
  let lead = '';
  const endless = new Set<string>(); // what has no end here has none further down
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const start = startOf(line);
    const end = start === undefined || endless.has(start.end.source) ? -1 : endFrom(lines, at + 1, start.end);
    if (start === undefined || end < 0) {
      if (start !== undefined) endless.add(start.end.source);
      outside.push(line);
      if (line.trim() !== '') lead = line;
      if (/^#{1,6}\s/.test(line)) heading = line;
      continue;
    }
    blocks.push({ name: start.name, text: lines.slice(at + 1, end).join('\n'), lead, heading });
    at = end;
  }
  return { blocks, outside: outside.join('\n') };
}

function endFrom(lines: readonly string[], from: number, end: RegExp): number {
  for (let at = from; at < lines.length; at += 1) if (end.test(lines[at] ?? '')) return at;
  return -1;
}

function startOf(line: string): { readonly name: string; readonly end: RegExp } | undefined {
  const fence = opening.exec(line);
  if (fence !== null) {
    const marks = fence[1] ?? '```';
    return { name: nameOf(fence[2] ?? ''), end: new RegExp(`^\\s*${marks.charAt(0)}{${marks.length},}\\s*$`) };
  }
  const tag = tagOpening.exec(line)?.[1];
  return tag === undefined ? undefined : { name: nameOf(tag), end: new RegExp(`^\\s*</${tag}>\\s*$`) };
}

function nameOf(label: string): string {
  return label
    .toLowerCase()
    .replace(/[-_](?:[0-9a-f]{6,}|\d+)$/, '')
    .replace(/[-_]\d+$/, '');
}

/** The text of every block of that name. */
export function blocksNamed(blocks: readonly PromptBlock[], name: RegExp): readonly PromptBlock[] {
  return blocks.filter((block) => name.test(block.name) || (block.name === '' && name.test(block.lead.toLowerCase())));
}
