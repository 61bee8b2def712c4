import type { Fence, Heading, Paragraph } from './markdownStructure.js';

export interface OpenItem {
  readonly kind: 'item';
  readonly start: number;
  end: number;
  readonly marker: string;
  readonly indent: number;
  readonly level: number;
  /** Columns that a line must be indented by to belong to the item. */
  readonly contentIndent: number;
  hasContent: boolean;
}

export type Container = OpenItem | { readonly kind: 'quote' };

export type Leaf =
  | { readonly kind: 'paragraph'; readonly start: number; end: number }
  | { readonly kind: 'html'; readonly until: RegExp | undefined }
  | {
      readonly kind: 'fence';
      readonly start: number;
      readonly character: string;
      readonly length: number;
      readonly bodyStart: number;
      end: number;
    };

export interface Scan {
  readonly text: string;
  readonly containers: Container[];
  leaf: Leaf | undefined;
  readonly headings: Heading[];
  readonly fences: Fence[];
  readonly paragraphs: Paragraph[];
  readonly items: OpenItem[];
}

/** Closes the open leaf and every container beyond the first `kept`. */
export function closeDownTo(scan: Scan, kept: number): void {
  const { leaf } = scan;
  if (leaf?.kind === 'paragraph') {
    const end = leaf.start + scan.text.slice(leaf.start, leaf.end).trimEnd().length;
    scan.paragraphs.push({ span: { start: leaf.start, end } });
  }
  if (leaf?.kind === 'fence') addFence(scan, leaf, { bodyEnd: leaf.end, end: leaf.end, closed: false });
  scan.leaf = undefined;
  if (scan.containers.length > kept) scan.containers.length = kept;
}

export function addFence(
  scan: Scan,
  fence: Leaf & { readonly kind: 'fence' },
  closing: { readonly bodyEnd: number; readonly end: number; readonly closed: boolean },
): void {
  scan.fences.push({
    span: { start: fence.start, end: closing.end },
    body: { start: fence.bodyStart, end: closing.bodyEnd },
    closed: closing.closed,
  });
}

/** The line belongs to every open item. `isBareMarker`: it is nothing but the marker of the innermost one. */
export function markContent(scan: Scan, end: number, isBareMarker = false): void {
  for (const container of scan.containers) {
    if (container.kind === 'quote') continue;
    container.end = end;
    if (!isBareMarker || container !== scan.containers.at(-1)) container.hasContent = true;
  }
}
