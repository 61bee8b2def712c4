import { countTokens } from './countTokens.js';
import { readFrontMatter, type FrontMatter } from './frontMatter.js';
import { countLines, readEol, type Eol } from './lines.js';
import { readBlocks } from './markdownBlocks.js';
import type { MarkdownBlocks } from './markdownStructure.js';
import { findRegions, type ProtectedRegion } from './protectedRegions.js';
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

/** Reads any text without throwing, in time that grows with its length. `known`: its front matter, where it is that of another text. */
export function parseSkill(text: string, known?: FrontMatter): SkillDocument {
  const hasBom = text.startsWith('\uFEFF');
  const { eol, mixed } = readEol(text);
  const frontMatter = known ?? readFrontMatter(text, hasBom ? 1 : 0);
  const body = { start: frontMatter?.next ?? (hasBom ? 1 : 0), end: text.length };
  const blocks = readBlocks(text, body.start);
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

/** The text, byte for byte as it was parsed. */
export function printSkill(document: SkillDocument): string {
  return document.text;
}

export function sizeOf(body: string): SkillSize {
  return { lines: countLines(body), tokens: countTokens(body) };
}
