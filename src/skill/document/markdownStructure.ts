import type { Span } from './span.js';

export interface Heading {
  readonly span: Span;
  readonly depth: number;
  readonly text: string;
}

/** A fenced code block, from its opener to its closer. An unclosed one reaches to the end of what holds it. */
export interface Fence {
  readonly span: Span;
  /** The lines between opener and closer. */
  readonly body: Span;
  readonly closed: boolean;
}

export interface Paragraph {
  readonly span: Span;
}

/** A list item with everything nested in it, without the blank lines after it. */
export interface ListItem {
  readonly span: Span;
  readonly marker: string;
  /** The column of its marker. */
  readonly indent: number;
  /** 0 for an item of an outer list, 1 for one nested in it, and so on. */
  readonly level: number;
}

export interface MarkdownBlocks {
  readonly headings: readonly Heading[];
  readonly fences: readonly Fence[];
  readonly paragraphs: readonly Paragraph[];
  /** In the order they begin: an item comes before those nested in it. */
  readonly items: readonly ListItem[];
  /** Where lines begin before which no block is open: reading can start there anew. */
  readonly restarts: readonly number[];
}
