import { applyEdit, tooMany, type ApplyLimits } from '../edits/applyEdits.js';
import { fileOf, type ApplyReportRow, type Edit, type EditOutcome } from '../edits/edit.js';
import { findAnchor } from '../edits/findAnchor.js';
import { largestAllowed } from '../edits/sizeBudget.js';
import type { NotAppliedReason } from '../edits/splice.js';
import { isPackageDocument, isScript, packageScript } from './packageFile.js';
import type { ParseScript } from './parsedScript.js';
import { findScriptError } from './scriptText.js';
import { withLineFeeds } from '../document/lines.js';
import { roughPlaceOf } from '../document/roughPlace.js';
import type { SkillDocument, SkillSize } from '../document/skillDocument.js';
import { textOf } from '../document/span.js';

/** The documents of a package: SKILL.md, and those beside it by their names. */
export interface PackageDocuments {
  readonly skill: SkillDocument;
  readonly files: ReadonlyMap<string, SkillDocument>;
}

/** The limits of every document; `sizeBudget` is what SKILL.md may become. */
export interface PackageLimits extends Omit<ApplyLimits, 'most'> {
  readonly sizeBudget: SkillSize;
  /** What the documents beside SKILL.md had together before the first edit: they grow at its expense alone. */
  readonly filesSize: SkillSize;
  /** Parses scripts that are not parsed in this process: without it no edit of such a script is taken. */
  readonly parseScript?: ParseScript | undefined;
  /** How many edits of one document are looked at, by its text before the first. */
  readonly mostOn?: (text: string) => number;
  /**
   * For edits as a model wrote them: an anchor that differs from the document in white space, list marks or line breaks
   * alone, and then stands in one place, is that place. The report has the edit with the document's own text for it.
   */
  readonly roughAnchors?: boolean;
}

export interface AppliedPackageEdits {
  readonly documents: PackageDocuments;
  readonly report: readonly ApplyReportRow[];
}

/**
 * Applies the edits one after the other, each to the document that it names, under the laws of a single one. The package
 * as a whole may become as long as SKILL.md may with the others as they were: what one document takes another has not.
 */
export async function applyPackageEdits(
  before: PackageDocuments,
  edits: readonly Edit[],
  limits: PackageLimits,
): Promise<AppliedPackageEdits> {
  const report: ApplyReportRow[] = [];
  const looked = new Map<string | undefined, number>();
  let documents = before;
  for (const [index, written] of edits.entries()) {
    const seen = looked.get(fileOf(written)) ?? 0;
    const most = limits.mostOn?.(documentOf(before, written)?.text ?? '') ?? Infinity;
    const { edit, result } = await applyWritten(documents, { written, seen, most }, limits);
    looked.set(fileOf(edit), seen + 1);
    const isApplied = !('kind' in result);
    report.push({ index, edit, outcome: isApplied ? appliedAs(edit, written) : result });
    if (isApplied) documents = withDocument(documents, fileOf(edit), result);
  }
  return { documents, report };
}

async function applyWritten(
  documents: PackageDocuments,
  { written, seen, most }: { readonly written: Edit; readonly seen: number; readonly most: number },
  limits: PackageLimits,
): Promise<{ readonly edit: Edit; readonly result: SkillDocument | NotAppliedReason }> {
  if (seen >= most) return { edit: written, result: tooMany(most) };
  const edit = placedEdit(documents, written, limits);
  return { edit, result: await applyOne(documents, edit, limits) };
}

function appliedAs(edit: Edit, written: Edit): EditOutcome {
  if (edit === written) return { kind: 'applied' };
  return { kind: 'applied', matched: 'matched after white space, list marks and line breaks were set aside' };
}

/** The edit with the document's own text as its anchor, where its own is not there and only one place can be meant. */
function placedEdit(documents: PackageDocuments, edit: Edit, { roughAnchors, scope }: PackageLimits): Edit {
  if (roughAnchors !== true || scope === 'learned' || !('anchor' in edit) || isScript(fileOf(edit))) return edit;
  const document = documentOf(documents, edit);
  const anchor = document === undefined ? undefined : ownText(document, edit.anchor);
  return anchor === undefined ? edit : { ...edit, anchor };
}

/** What the document has in the one place that a text can mean which is not there as it is written. */
function ownText(document: SkillDocument, written: string): string | undefined {
  const found = findAnchor(document.text, written);
  const isMissing = 'kind' in found && found.reason === 'anchor-missing';
  const place = isMissing ? roughPlaceOf(document, written) : undefined;
  if (place === undefined) return undefined;
  const own = withLineFeeds(textOf(document.text, place));
  const there = findAnchor(document.text, own);
  return 'kind' in there || there.start !== place.start || there.end !== place.end ? undefined : own;
}

async function applyOne(
  documents: PackageDocuments,
  edit: Edit,
  limits: PackageLimits,
): Promise<SkillDocument | NotAppliedReason> {
  const document = documentOf(documents, edit);
  if (document === undefined) return noSuchFile(fileOf(edit) ?? '', documents);
  const allowed = allowedFor(documents, document, limits);
  const next = applyEdit(document, edit, { ...limits, sizeBudget: largestAllowed(document.size, allowed) });
  const script = 'kind' in next ? undefined : packageScript(fileOf(edit), next.text);
  if (script === undefined || 'kind' in next) return next;
  return (await findScriptError(script, next.text, limits.parseScript)) ?? next;
}

function documentOf({ skill, files }: PackageDocuments, edit: Edit): SkillDocument | undefined {
  const file = fileOf(edit);
  return file === undefined ? skill : files.get(file);
}

/** What the others leave of the package's budget; SKILL.md keeps to its own besides. */
function allowedFor(
  { skill, files }: PackageDocuments,
  document: SkillDocument,
  { sizeBudget, filesSize }: PackageLimits,
): SkillSize {
  const others = sumOf([skill, ...files.values()].filter((each) => each !== document).map(({ size }) => size));
  const left = {
    lines: sizeBudget.lines + filesSize.lines - others.lines,
    tokens: sizeBudget.tokens + filesSize.tokens - others.tokens,
  };
  if (document !== skill) return left;
  return { lines: Math.min(left.lines, sizeBudget.lines), tokens: Math.min(left.tokens, sizeBudget.tokens) };
}

/** Sizes together. */
export function sumOf(sizes: readonly SkillSize[]): SkillSize {
  return sizes.reduce((sum, { lines, tokens }) => ({ lines: sum.lines + lines, tokens: sum.tokens + tokens }), {
    lines: 0,
    tokens: 0,
  });
}

const whyNoScript =
  'A script is changed only where you turned that on, agents attempt every task, and it can be told without running it that it still parses.';

function noSuchFile(file: string, { files }: PackageDocuments): NotAppliedReason {
  const known = ['SKILL.md', ...files.keys()].join(', ');
  const why = isPackageDocument(file) ? '' : ` ${whyNoScript}`;
  const detail = `There is no file “${file}” that edits may change. They may change: ${known}.${why}`;
  return { kind: 'unmatched', reason: 'file-missing', detail };
}

function withDocument(
  documents: PackageDocuments,
  file: string | undefined,
  document: SkillDocument,
): PackageDocuments {
  if (file === undefined) return { ...documents, skill: document };
  return { ...documents, files: new Map([...documents.files, [file, document]]) };
}
