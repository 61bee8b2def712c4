import { applyEdit, tooMany, type ApplyLimits } from '../edits/applyEdits.js';
import { fileOf, type ApplyReportRow, type Edit } from '../edits/edit.js';
import { largestAllowed } from '../edits/sizeBudget.js';
import type { NotApplied } from '../edits/splice.js';
import { isPackageDocument, packageScript } from './packageFile.js';
import type { ParseScript } from './parsedScript.js';
import { findScriptError } from './scriptText.js';
import type { SkillDocument, SkillSize } from '../document/skillDocument.js';

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
}

export interface PackageApplied {
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
): Promise<PackageApplied> {
  const report: ApplyReportRow[] = [];
  const looked = new Map<string | undefined, number>();
  let documents = before;
  for (const [index, edit] of edits.entries()) {
    const seen = looked.get(fileOf(edit)) ?? 0;
    const most = limits.mostOn?.(documentOf(before, edit)?.text ?? '') ?? Infinity;
    const result = seen < most ? await applyOne(documents, edit, limits) : tooMany(most);
    looked.set(fileOf(edit), seen + 1);
    report.push({ index, edit, outcome: 'kind' in result ? result : { kind: 'applied' } });
    if (!('kind' in result)) documents = withDocument(documents, fileOf(edit), result);
  }
  return { documents, report };
}

async function applyOne(
  documents: PackageDocuments,
  edit: Edit,
  limits: PackageLimits,
): Promise<SkillDocument | NotApplied> {
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

function noSuchFile(file: string, { files }: PackageDocuments): NotApplied {
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
