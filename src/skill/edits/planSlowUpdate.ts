import { slowUpdateEnd, slowUpdateStart } from '../document/protectedRegions.js';
import { withEol } from '../document/lines.js';
import type { SkillDocument } from '../document/skillDocument.js';
import { findOpenFence, gapAtStart } from './planInsert.js';
import type { NotApplied, Splice } from './splice.js';

/**
 * Puts guidance into the slow-update block in place of what it held, where the block stands; at the end of the document
 * where there is none. Refused where the block lacks a marker: nobody can tell what belongs to it.
 */
export function planSlowUpdate(document: SkillDocument, content: string): Splice | NotApplied {
  const { eol } = document;
  const blocks = document.regions.filter(({ kind }) => kind === 'slow-update');
  if (blocks.some(({ state }) => state !== 'closed')) {
    const detail = 'The slow-update block lacks one of its two markers.';
    return { kind: 'refused', reason: 'protected-region', detail };
  }
  const [block] = blocks;
  const text = withEol(content, eol);
  return block === undefined ? newBlock(document, text) : { ...block.inner, text: eol + text + eol };
}

/** What the slow-update block holds; empty where there is none, or where a marker is missing. */
export function slowUpdateGuidance({ text, regions }: SkillDocument): string {
  const block = regions.find(({ kind, state }) => kind === 'slow-update' && state === 'closed');
  return block === undefined ? '' : text.slice(block.inner.start, block.inner.end).trim();
}

function newBlock(document: SkillDocument, guidance: string): Splice | NotApplied {
  const { text, body, eol } = document;
  const at = body.start + text.slice(body.start).trimEnd().length;
  const openFence = findOpenFence(document, at);
  if (openFence !== undefined) return openFence;
  const isStart = at === body.start;
  const block = [slowUpdateStart, guidance, slowUpdateEnd].join(eol);
  const after = isStart && at === text.length ? eol : '';
  return { start: at, end: at, text: (isStart ? gapAtStart(document) : eol + eol) + block + after };
}
