import { grownSize, mostEditsOn } from '../../skill/edits/sizeBudget.js';
import { sha256 } from '../../hash.js';
import type { ApplyReportRow, OwnBlockEdit } from '../../skill/edits/edit.js';
import { parseSkill, printSkill, type SkillDocument, type SkillSize } from '../../skill/document/skillDocument.js';
import type { PackageFiles } from '../../skill/package/packageFile.js';
import type { ParseScript } from '../../skill/package/parsedScript.js';
import { applyPackageEdits, sumOf, type PackageDocuments } from '../../skill/package/applyPackageEdits.js';
import { filesIn, storedText, textsOf, type Candidate, type Update } from '../candidate.js';
import type { PatchEdit, PatchItem } from '../patch.js';
import { askPlaces } from '../placing/askPlaces.js';
import type { RunContext } from '../runContext.js';
import { editsToApply, shrinkingFirst, type UpdateStart } from './rewrite.js';

/** The fifth stage of a step: the changed skill, with what became of each edit in the journal. */
export async function update(
  context: RunContext,
  items: readonly PatchItem[],
  { from, ...at }: UpdateStart & { readonly from: Candidate },
  signal: AbortSignal,
): Promise<Update> {
  const { edits, changes, noRewrite } = await editsToApply(context, from, { items, at }, signal);
  const updated = await askedAgain(context, { from, edits, at }, signal);
  const { candidate, report } = updated;
  notePlaced(context, at.step, report);
  const counted = (kind: ApplyReportRow['outcome']['kind']): number =>
    report.filter((row) => row.outcome.kind === kind).length;
  context.record({
    kind: 'applied',
    step: at.step,
    applied: counted('applied'),
    unmatched: counted('unmatched'),
    refused: counted('refused'),
    candidateHash: await context.texts.put(storedText(textsOf(candidate))),
    reportHash: await context.texts.put(JSON.stringify(report, undefined, 2)),
  });
  return { ...updated, changes, noRewrite };
}

/** Where no edit finds its place the optimizer is asked for them once more; what then finds one is taken. */
async function askedAgain(
  context: RunContext,
  { from, edits, at }: { readonly from: Candidate; readonly edits: readonly PatchEdit[]; readonly at: UpdateStart },
  signal: AbortSignal,
): Promise<Update> {
  const first = await inLawfulOrder(context, from, edits, signal);
  const again = await askPlaces(context, { from, edits, report: first.report, at }, signal);
  if (again === undefined) return first;
  const second = await inLawfulOrder(context, from, again, signal);
  return second.candidate.edits.length > first.candidate.edits.length ? second : first;
}

/** Edits whose anchor was not written as the document has it. */
function notePlaced({ record }: RunContext, step: number, report: readonly ApplyReportRow[]): void {
  const placed = report.filter(({ outcome }) => outcome.kind === 'applied' && outcome.matched !== undefined);
  if (placed.length === 0) return;
  const what = `Edits of step ${step} that were matched after white space, list marks and line breaks were set aside: ${placed.length}.`;
  record({ kind: 'note', text: `${what} ${notAsWritten}` });
}

const notAsWritten = 'The optimizer did not write their places as the skill has them.';

/** In the order of the edits; those of a rewrite in one that keeps to the size on the way, where theirs does not. */
async function inLawfulOrder(
  context: RunContext,
  from: Candidate,
  edits: readonly PatchEdit[],
  signal: AbortSignal,
): Promise<Update> {
  const updated = await applied(context, { from, edits, asWritten: true }, signal);
  if (tooLong(updated) === 0 || !edits.some(({ ofRewrite }) => ofRewrite)) return updated;
  const other = await withEdits(context, from, shrinkingFirst(edits), signal);
  return tooLong(other) < tooLong(updated) ? other : updated;
}

/** How many edits would make the skill longer than it may be. */
function tooLong({ report }: Update): number {
  return report.filter(({ outcome }) => outcome.kind === 'refused' && outcome.reason === 'size-budget').length;
}

/** The skill with the edits that are lawful and find their place; every other one is in the report with its reason. */
export function withEdits(
  context: RunContext,
  from: Candidate,
  edits: readonly PatchEdit[],
  signal: AbortSignal,
): Promise<Update> {
  return applied(context, { from, edits, asWritten: false }, signal);
}

interface Applying {
  readonly from: Candidate;
  readonly edits: readonly PatchEdit[];
  /** They come from the optimizer as it wrote them; the candidate has those that were placed with the document's own text. */
  readonly asWritten: boolean;
}

async function applied(
  context: RunContext,
  { from, edits, asWritten }: Applying,
  signal: AbortSignal,
): Promise<Update> {
  const documents = documentsOf(from);
  const grownFrom = from.grownFrom ?? documents.skill.size;
  const made = await applyPackageEdits(
    documents,
    edits.map((each) => each.edit),
    {
      scope: context.options.edits.scope,
      code: context.options.edits.code ? 'allowed' : 'refused',
      gaming: context.gaming,
      sizeBudget: grownSize(grownFrom, context.options.edits.growth),
      filesSize: filesSizeOf(from),
      mostOn: (text) => Math.max(1, mostEditsOn(text)),
      ...(context.findSecrets === undefined ? {} : { findSecrets: context.findSecrets }),
      parseScript: parsing(context, signal),
      roughAnchors: asWritten,
    },
  );
  const taken = made.report.flatMap(({ index, edit, outcome }) => {
    const proposed = outcome.kind === 'applied' ? edits[index] : undefined;
    // One that is as it was stays the same object: attribution knows edits by that.
    return proposed === undefined ? [] : [proposed.edit === edit ? proposed : { ...proposed, edit }];
  });
  const texts = { text: printSkill(made.documents.skill), ...filesMade(from, made.documents) };
  return {
    candidate: { ...texts, hash: sha256(storedText(textsOf(texts))), edits: [...from.edits, ...taken], grownFrom },
    report: made.report,
  };
}

/** Parsers quote the text: secrets are taken out before anything is shortened. */
function parsing({ scriptParser, redact }: RunContext, signal: AbortSignal): ParseScript | undefined {
  if (scriptParser === undefined) return undefined;
  return async (language, text) => {
    const parsed = await scriptParser.parse(language, text, signal);
    return parsed.kind === 'broken' ? { ...parsed, message: redact?.(parsed.message) ?? parsed.message } : parsed;
  };
}

/** The files of a candidate after its edits; one that is as it was before the run is not among the changed ones. */
function filesMade({ files }: Candidate, { files: documents }: PackageDocuments): Pick<Candidate, 'files'> {
  if (files === undefined) return {};
  const texts = [...documents].map(([name, document]) => [name, printSkill(document)] as const);
  const changed = Object.fromEntries(texts.filter(([name, text]) => text !== files.before[name]));
  return { files: { before: files.before, changed } };
}

/**
 * The same without earlier edits of a block that the last one wrote anew: where nothing is left of them, they are no part
 * of the candidate. The last one stays in its place, or takes that of the first, whichever gives the same text.
 */
export async function withoutOverwritten(
  context: RunContext,
  { original, op }: { readonly original: Candidate; readonly op: OwnBlockEdit['op'] },
  updated: Update,
  signal: AbortSignal,
): Promise<Update> {
  const { candidate } = updated;
  const own = candidate.edits.filter(({ edit }) => edit.op === op);
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined || first === last) return updated;
  const orders = [last, first].map((place) =>
    candidate.edits.flatMap((each) => (each === place ? [last] : each.edit.op === op ? [] : [each])),
  );
  for (const edits of orders) {
    const { candidate: again } = await withEdits(context, original, edits, signal);
    if (again.hash === candidate.hash && again.edits.length === edits.length)
      return { ...updated, candidate: { ...candidate, edits: again.edits } };
  }
  return updated;
}

const parsed = new WeakMap<Candidate, PackageDocuments>();

/** Parsed once: edits are tried on the same texts again and again. */
function documentsOf(candidate: Candidate): PackageDocuments {
  const documents = parsed.get(candidate) ?? {
    skill: parseSkill(candidate.text),
    files: new Map(Object.entries(filesIn(candidate)).map(([name, text]) => [name, parseSkill(text)])),
  };
  parsed.set(candidate, documents);
  return documents;
}

/** SKILL.md of a candidate. */
export function documentOf(candidate: Candidate): SkillDocument {
  return documentsOf(candidate).skill;
}

const sizes = new WeakMap<PackageFiles, SkillSize>();

/** What the documents beside SKILL.md had together when the run began. */
function filesSizeOf({ files }: Candidate): SkillSize {
  const before = files?.before ?? {};
  const size = sizes.get(before) ?? sumOf(Object.values(before).map((text) => parseSkill(text).size));
  sizes.set(before, size);
  return size;
}
