import {
  appendixEnd,
  appendixStart,
  slowUpdateEnd,
  slowUpdateStart,
  type RegionKind,
} from '../document/protectedRegions.js';
import { withEol } from '../document/lines.js';
import type { SkillDocument } from '../document/skillDocument.js';
import type { Edit } from './edit.js';
import { findOpenFence, gapAtStart } from './planInsert.js';
import type { NotAppliedReason, Splice } from './splice.js';

/** The blocks that a stage of their own writes whole, and no other edit. */
export type OwnBlock = Extract<RegionKind, 'slow-update' | 'appendix'>;

const markers: Readonly<Record<OwnBlock, readonly [start: string, end: string]>> = {
  'slow-update': [slowUpdateStart, slowUpdateEnd],
  appendix: [appendixStart, appendixEnd],
};

const blocksByOp: Readonly<Partial<Record<Edit['op'], OwnBlock>>> = {
  slow_update: 'slow-update',
  appendix: 'appendix',
};

/** The block that an edit writes; undefined for one that goes elsewhere. */
export function ownBlockOf({ op }: Pick<Edit, 'op'>): OwnBlock | undefined {
  return blocksByOp[op];
}

/**
 * Puts a text into the block in place of what it held, where the block stands; at the end of the document where there is
 * none. Refused where the block lacks a marker: nobody can tell what belongs to it.
 */
export function planOwnBlock(document: SkillDocument, own: OwnBlock, content: string): Splice | NotAppliedReason {
  const { eol } = document;
  const blocks = document.regions.filter(({ kind }) => kind === own);
  if (blocks.some(({ state }) => state !== 'closed')) {
    const detail = `The ${own} block lacks one of its two markers.`;
    return { kind: 'refused', reason: 'protected-region', detail };
  }
  const [block] = blocks;
  const text = withEol(content, eol);
  return block === undefined ? newBlock(document, own, text) : { ...block.inner, text: eol + text + eol };
}

/** What the block holds; empty where there is none, or where a marker is missing. */
export function ownBlockText({ text, regions }: SkillDocument, own: OwnBlock): string {
  const block = regions.find(({ kind, state }) => kind === own && state === 'closed');
  return block === undefined ? '' : text.slice(block.inner.start, block.inner.end).trim();
}

function newBlock(document: SkillDocument, own: OwnBlock, content: string): Splice | NotAppliedReason {
  const { text, body, eol } = document;
  const at = body.start + text.slice(body.start).trimEnd().length;
  const openFence = findOpenFence(document, at);
  if (openFence !== undefined) return openFence;
  const isStart = at === body.start;
  const [start, end] = markers[own];
  const block = [start, content, end].join(eol);
  const after = isStart && at === text.length ? eol : '';
  return { start: at, end: at, text: (isStart ? gapAtStart(document) : eol + eol) + block + after };
}
