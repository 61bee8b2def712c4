import { countTokens } from './countTokens.js';
import { readFrontMatter, type FrontMatter } from './frontMatter.js';
import { countLines, readEol, type Eol } from './lines.js';
import { readBlocks } from './markdownBlocks.js';
import type { MarkdownBlocks } from './markdownStructure.js';
import { findRegions, type ProtectedRegion } from './protectedRegions.js';
import { rereadBlocks } from './rereadBlocks.js';
import { textOf, type Span } from './span.js';

/** How long a body is: what the Agent Skills advice limits. */
export interface SkillSize {
  readonly lines: number;
  readonly tokens: number;
}

/**
 * A SKILL.md, or a memory file without front matter, as a value. It keeps the text it was read from, so nothing is lost;
 * every span points into that text.
 */
export interface SkillDocument extends MarkdownBlocks {
  readonly text: string;
  readonly hasBom: boolean;
  /** The line break that inserted lines get. */
  readonly eol: Eol;
  readonly mixedEol: boolean;
  readonly frontMatter: FrontMatter | undefined;
  /** Everything after the front matter. */
  readonly body: Span;
  readonly regions: readonly ProtectedRegion[];
  /** Of the body. */
  readonly size: SkillSize;
}

/** A document and the span of it that was then written anew. */
export interface Rewritten {
  readonly document: SkillDocument;
  readonly span: Span;
}

/**
 * Reads any text without throwing, in time that grows with its length. `earlier`: what it was before one span of it was
 * rewritten; what that leaves as it was is taken from there.
 */
export function parseSkill(text: string, earlier?: Rewritten): SkillDocument {
  const hasBom = text.startsWith('\uFEFF');
  const { eol, mixed } = readEol(text);
  const frontMatter = frontMatterBefore(earlier) ?? readFrontMatter(text, hasBom ? 1 : 0);
  const body = { start: frontMatter?.next ?? (hasBom ? 1 : 0), end: text.length };
  const blocks = readBody(text, body.start, earlier);
  return {
    text,
    hasBom,
    eol,
    mixedEol: mixed,
    frontMatter,
    body,
    ...blocks,
    regions: findRegions(text, body.start, blocks.fences),
    size: sizeOf(textOf(text, body)),
  };
}

/** The front matter that stays as it is, for the span begins on a line behind it. */
function frontMatterBefore(earlier: Rewritten | undefined): FrontMatter | undefined {
  if (earlier === undefined) return undefined;
  const { text, frontMatter } = earlier.document;
  if (frontMatter?.closed !== true || earlier.span.start < frontMatter.next) return undefined;
  return text[frontMatter.next - 1] === '\n' ? frontMatter : undefined;
}

function readBody(text: string, from: number, earlier: Rewritten | undefined): MarkdownBlocks {
  if (earlier?.document.body.start !== from) return readBlocks(text, from);
  const { document, span } = earlier;
  return rereadBlocks(text, document, { from, span, longer: text.length - document.text.length });
}

/** The text, byte for byte as it was parsed. */
export function printSkill(document: SkillDocument): string {
  return document.text;
}

export function sizeOf(body: string): SkillSize {
  return { lines: countLines(body), tokens: countTokens(body) };
}
