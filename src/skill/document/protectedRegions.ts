import { contains, type Span } from './span.js';
import type { Fence } from './markdownStructure.js';

export type RegionKind = 'slow-update' | 'appendix' | 'learned' | 'keep';

/** A part of the document that edits leave alone, from its first marker to its last. */
export interface ProtectedRegion {
  readonly kind: RegionKind;
  readonly span: Span;
  /** What lies between the markers. */
  readonly inner: Span;
  /** An unclosed one reaches to the end of the text, whatever is added there; an orphan is a closing marker alone. */
  readonly state: 'closed' | 'unclosed' | 'orphan';
}

const marker =
  /<!--[ \t]*(?:(\/?)(whetstone:keep)|(SLOW_UPDATE|APPENDIX)_(START|END)|(SKILLOPT-SLEEP:LEARNED)[ \t]+(START|END))[ \t]*-->/gi;
const looksLikeMarker = /<!--\s*(?:\/\s*)?(?:whetstone:|SLOW_UPDATE|APPENDIX_(?:START|END)|SKILLOPT-SLEEP)/i;

const kinds: readonly RegionKind[] = ['slow-update', 'appendix', 'learned', 'keep'];

/** The markers of the learned block, in the spelling that SkillOpt-Sleep writes and looks for. */
export const learnedStart = '<!-- SKILLOPT-SLEEP:LEARNED START -->';
export const learnedEnd = '<!-- SKILLOPT-SLEEP:LEARNED END -->';

/** The markers of the block that the slow update writes, in upstream's spelling. */
export const slowUpdateStart = '<!-- SLOW_UPDATE_START -->';
export const slowUpdateEnd = '<!-- SLOW_UPDATE_END -->';

/** The markers of the block of reminders, in upstream's spelling. */
export const appendixStart = '<!-- APPENDIX_START -->';
export const appendixEnd = '<!-- APPENDIX_END -->';

/**
 * Every protected region, in the order they begin. A person keeps a part with `<!-- whetstone:keep -->` and ends it with
 * `<!-- /whetstone:keep -->`; without the closing marker the rest of the file is kept. Kinds may lie in one another, a
 * kind in itself counts its depth, and a closing marker on its own protects itself. Markers quoted as code do not count.
 */
export function findRegions(text: string, from: number, fences: readonly Fence[]): readonly ProtectedRegion[] {
  const marks = findMarks(text, from, fences);
  return kinds
    .flatMap((kind) =>
      pairMarks(
        marks.filter((mark) => mark.kind === kind),
        text.length,
      ),
    )
    .toSorted((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
}

/** True where a text carries, or tries to carry, one of the markers. */
export function carriesMarker(text: string): boolean {
  return looksLikeMarker.test(text);
}

interface Mark {
  readonly kind: RegionKind;
  readonly opens: boolean;
  readonly span: Span;
}

function findMarks(text: string, from: number, fences: readonly Fence[]): readonly Mark[] {
  const marks: Mark[] = [];
  let fence = 0;
  let seen = from;
  let isInCodeSpan = false;
  for (const match of text.matchAll(marker)) {
    const span = { start: match.index, end: match.index + match[0].length };
    if (span.start < from) continue;
    isInCodeSpan = opensCodeSpan(text.slice(seen, span.start), isInCodeSpan);
    seen = span.start;
    while ((fences[fence]?.span.end ?? Infinity) <= span.start) fence += 1;
    const here = fences[fence];
    const isInFence = here !== undefined && contains(here.span, span);
    if (!isInCodeSpan && !isInFence) marks.push({ ...readMark(match), span });
  }
  return marks;
}

/** An odd number of backticks before it on its line: what comes next is being talked about. */
function opensCodeSpan(text: string, wasOpen: boolean): boolean {
  const lineStart = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  const count = text.slice(lineStart).split('`').length - 1;
  return (count % 2 === 1) !== (wasOpen && lineStart === 0);
}

function readMark(match: RegExpExecArray): Omit<Mark, 'span'> {
  const [, slash, keep, block, blockEdge, , learnedEdge] = match;
  if (keep !== undefined) return { kind: 'keep', opens: slash === '' };
  if (block === undefined) return { kind: 'learned', opens: learnedEdge?.toUpperCase() === 'START' };
  const kind = block.toUpperCase() === 'APPENDIX' ? 'appendix' : 'slow-update';
  return { kind, opens: blockEdge?.toUpperCase() === 'START' };
}

function pairMarks(marks: readonly Mark[], end: number): readonly ProtectedRegion[] {
  const regions: ProtectedRegion[] = [];
  let depth = 0;
  let opener: Mark | undefined;
  for (const mark of marks) {
    if (mark.opens) {
      opener ??= mark;
      depth += 1;
    } else if (opener === undefined) {
      regions.push({ ...regionOf(mark, mark), state: 'orphan' });
    } else {
      depth -= 1;
      if (depth === 0) {
        regions.push(regionOf(opener, mark));
        opener = undefined;
      }
    }
  }
  if (opener !== undefined) {
    const span = { start: opener.span.start, end };
    regions.push({ kind: opener.kind, span, inner: { start: opener.span.end, end }, state: 'unclosed' });
  }
  return regions;
}

function regionOf(opener: Mark, closer: Mark): ProtectedRegion {
  return {
    kind: opener.kind,
    span: { start: opener.span.start, end: closer.span.end },
    inner: { start: opener.span.end, end: Math.max(opener.span.end, closer.span.start) },
    state: 'closed',
  };
}
