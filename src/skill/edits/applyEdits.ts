import { fileOf, type ApplyReportRow, type CodeEdits, type Edit, type EditOutcome, type EditScope } from './edit.js';
import { hunksByEdit, piecesByEdit, type EditHunk, type EditStep } from './editHunks.js';
import { findGaming, type GamingEvidence } from './gaming.js';
import { planInBody } from './planInBody.js';
import { planLearned } from './planLearned.js';
import { ownBlockOf, planOwnBlock } from './planOwnBlock.js';
import { isBlank, withLineFeeds, withoutOuterBlankLines } from '../document/lines.js';
import { carriesMarker } from '../document/protectedRegions.js';
import { advisedSize, findExcess, largestAllowed } from './sizeBudget.js';
import { parseSkill, sizeOf, type SkillDocument, type SkillSize } from '../document/skillDocument.js';
import { textOf } from '../document/span.js';
import { findSecretText, type FindSecrets } from './secretText.js';
import { isSplice, spliced, type NotAppliedReason, type Splice } from './splice.js';
import { findDamage, findTrespass } from './trespass.js';
import { findInvisible, partsCharacter, type InvisibleCharacter } from './visibleText.js';
import { isScript, packageScript } from '../package/packageFile.js';
import { findSyntaxError, readScript } from '../package/scriptText.js';

export interface ApplyLimits {
  readonly scope: EditScope;
  /** Refused where nothing is said: commands in a skill are what agents run. */
  readonly code?: CodeEdits;
  /** What an edit must not give away; nothing is looked for where it is missing. */
  readonly gaming?: GamingEvidence;
  /** Finds secrets, which an edit must not bring in; none are looked for where it is missing. */
  readonly findSecrets?: FindSecrets;
  /** How long the body may become; by default the Agent Skills advice. A document that is longer may not grow. */
  readonly sizeBudget?: SkillSize;
  /** How many are looked at, from the first on; those after them are refused. */
  readonly most?: number;
}

export interface AppliedEdits {
  readonly document: SkillDocument;
  readonly report: readonly ApplyReportRow[];
  /** What each edit changed, by its index, as a diff of the two texts shows it: none where it was not applied, or another one took it back. */
  readonly hunks: readonly (readonly EditHunk[])[];
  /** The same as the edits made it, line by line. */
  readonly pieces: readonly (readonly EditHunk[])[];
}

/**
 * Applies the edits one after the other, each to what those before it left. Every edit has one row in the report: applied,
 * unmatched or refused. Front matter, protected regions and code fences come out as they went in (the code in fences
 * unless its edits are allowed; whole new fences may come into the body, not into blocks of a stage), the size stays in its budget, no character comes in that a person would not see, and no secret that the document does not hold.
 */
export function applyEdits(document: SkillDocument, edits: readonly Edit[], limits: ApplyLimits): AppliedEdits {
  const allowed = largestAllowed(document.size, limits.sizeBudget ?? advisedSize);
  const report: ApplyReportRow[] = [];
  let current = document;
  const steps: EditStep[] = [];
  let hunks: AppliedEdits['hunks'] | undefined;
  let pieces: AppliedEdits['pieces'] | undefined;
  for (const [index, edit] of edits.entries()) {
    const isLooked = limits.most === undefined || index < limits.most;
    const result = isLooked ? applyEdit(current, edit, { ...limits, sizeBudget: allowed }) : tooMany(limits.most);
    const outcome: EditOutcome = 'kind' in result ? result : { kind: 'applied' };
    if (!('kind' in result)) {
      steps.push({ edit: index, before: current.text, after: result.text });
      current = result;
    }
    report.push({ index, edit, outcome });
  }
  return {
    document: current,
    report,
    // A run tries many candidates and proposes one: only for that are they made, and once.
    get hunks() {
      return (hunks ??= hunksByEdit(document.text, steps, edits.length));
    },
    get pieces() {
      return (pieces ??= piecesByEdit(document.text, steps, edits.length));
    },
  };
}

/** What becomes of an edit behind the last one that is looked at. */
export function tooMany(most = 0): NotAppliedReason {
  const detail = `The document is so long that only the first edits (${most}) are applied in one go.`;
  return { kind: 'refused', reason: 'size-budget', detail };
}

/** The limits of one edit: the document may become just so long. */
export type EditLimits = ApplyLimits & { readonly sizeBudget: SkillSize };

/**
 * The document with one edit, or why it is not applied. Of a script no law of Markdown holds; it must parse instead. What a
 * program has to parse is not parsed here: whoever takes the edit asks for that.
 */
export function applyEdit(document: SkillDocument, edit: Edit, limits: EditLimits): SkillDocument | NotAppliedReason {
  return isScript(fileOf(edit)) ? applyToScript(document, edit, limits) : applyToMarkdown(document, edit, limits);
}

function applyToMarkdown(document: SkillDocument, edit: Edit, limits: EditLimits): SkillDocument | NotAppliedReason {
  const planned = planEdit(document, edit, limits);
  if (!isSplice(planned)) return planned;
  const writes = ownBlockOf(edit) ?? limits.scope;
  const trespass = findTrespass(document, planned, writes);
  if (trespass !== undefined) return trespass;
  // The line break stays the document's own, even where the edit took away the last one.
  const next = {
    ...parseSkill(spliced(document.text, planned), { document, span: planned }),
    eol: document.eol,
  };
  return (
    findUnwanted(document, { next, planned }, limits) ??
    findDamage(document, planned, next, { ...limits, scope: writes }) ??
    next
  );
}

function applyToScript({ text, eol }: SkillDocument, edit: Edit, limits: EditLimits): SkillDocument | NotAppliedReason {
  const document = { ...readScript(text), eol };
  const planned = planEdit(document, edit, { ...limits, scope: 'body' });
  if (!isSplice(planned)) return planned;
  const next = { ...readScript(spliced(text, planned)), eol };
  return findUnwanted(document, { next, planned }, limits) ?? findBroken(fileOf(edit), text, next.text) ?? next;
}

/** Why a text would be no script any more, or one for another program than before. */
function findBroken(file: string | undefined, before: string, after: string): NotAppliedReason | undefined {
  const [was, is] = [packageScript(file, before), packageScript(file, after)];
  if (is !== undefined && isOneLanguage(was?.language, is.language)) return findSyntaxError(is, after);
  const detail = `The first line of ${file ?? ''} would name another program to run it.`;
  return { kind: 'refused', reason: 'syntax', detail };
}

/** A script for any shell may become one for bash. */
function isOneLanguage(before: string | undefined, after: string): boolean {
  const shells = ['sh', 'bash'];
  return before === after || (before !== undefined && shells.includes(before) && shells.includes(after));
}

/** Where the edit goes and what stands there then, or why it may not be made wherever it goes. */
function planEdit(document: SkillDocument, edit: Edit, limits: EditLimits): Splice | NotAppliedReason {
  const unlawful = findUnlawful(document, edit, limits);
  if (unlawful !== undefined) return unlawful;
  const planned = placeOf(document, tidy(edit), limits.scope);
  if (!isSplice(planned)) return planned;
  if (textOf(document.text, planned) === planned.text) {
    return { kind: 'refused', reason: 'no-change', detail: 'The document says exactly this already.' };
  }
  const unseen = findUnseen(document, planned);
  return unseen === undefined ? planned : { kind: 'refused', reason: 'invisible-text', detail: unseen };
}

/** What nobody wants in any document: a secret, or more than fits. */
function findUnwanted(
  { text }: SkillDocument,
  { next, planned }: { readonly next: SkillDocument; readonly planned: Splice },
  { findSecrets, sizeBudget }: EditLimits,
): NotAppliedReason | undefined {
  const secret = findSecretText(text, { next: next.text, planned }, findSecrets);
  if (secret !== undefined) return { kind: 'refused', reason: 'secret', detail: secret };
  const excess = findExcess(next.size, sizeBudget);
  return excess === undefined ? undefined : { kind: 'refused', reason: 'size-budget', detail: excess };
}

function placeOf(document: SkillDocument, edit: Edit, scope: EditScope): Splice | NotAppliedReason {
  if (scope === 'learned') return planLearned(document, edit);
  switch (edit.op) {
    case 'slow_update':
      return planOwnBlock(document, 'slow-update', edit.content);
    case 'appendix':
      return planOwnBlock(document, 'appendix', edit.content);
    case 'append':
    case 'insert_after':
    case 'replace':
    case 'delete':
      return planInBody(document, edit);
  }
}

/** What is longer than everything that it is for needs no closer look: a reply may hold any length. */
function findOversize({ text }: SkillDocument, edit: Edit, allowed: SkillSize): NotAppliedReason | undefined {
  if ('anchor' in edit && edit.anchor.length > longestAnchor(text)) {
    return { kind: 'unmatched', reason: 'anchor-missing', detail: 'The anchor is longer than the document.' };
  }
  const excess = 'content' in edit ? findExcess(sizeOf(edit.content.trim()), allowed) : undefined;
  return excess === undefined ? undefined : { kind: 'refused', reason: 'size-budget', detail: excess };
}

/** Line breaks may be written in two characters, and blank lines around an anchor do not count. */
function longestAnchor(text: string): number {
  return 2 * text.length + 1_000;
}

/** What is wrong with the edit, wherever in the document it goes. */
function findUnlawful(
  document: SkillDocument,
  edit: Edit,
  { sizeBudget, gaming }: EditLimits,
): NotAppliedReason | undefined {
  const oversize = findOversize(document, edit, sizeBudget);
  if (oversize !== undefined || edit.op === 'delete') return oversize;
  if (edit.op !== 'replace' && isBlank(edit.content)) {
    return { kind: 'refused', reason: 'empty', detail: 'The edit adds nothing.' };
  }
  if (carriesMarker(edit.content)) {
    return { kind: 'refused', reason: 'marker', detail: 'The edit carries the marker of a protected region.' };
  }
  const detail = gaming === undefined ? undefined : findGaming(edit, gaming);
  return detail === undefined ? undefined : { kind: 'refused', reason: 'gaming', detail };
}

/** In words, what would come in that nobody sees. An anchor can end between the two halves of one character. */
function findUnseen({ text }: SkillDocument, planned: Splice): string | undefined {
  if (partsCharacter(text, planned.start) || partsCharacter(text, planned.end)) {
    return 'The edit would leave half a character behind.';
  }
  const unseen = findInvisible(planned.text, textOf(text, planned));
  if (unseen === undefined) return undefined;
  return bringsIn(unseen);
}

/** A sentence for each, because their articles differ. */
function bringsIn({ what, name }: InvisibleCharacter): string {
  switch (what) {
    case 'control character':
      return `The edit brings in a control character (${name}): what an agent reads, a person must see.`;
    case 'half a character':
      return `The edit brings in half a character (${name}): what an agent reads, a person must see.`;
    case 'invisible character':
      return `The edit brings in an invisible character (${name}): what an agent reads, a person must see.`;
    case 'character without a meaning':
      return `The edit brings in a character without a meaning (${name}): what an agent reads, a person must see.`;
  }
}

/** Line feeds only and no blank lines around: how models wrap text says nothing about where it goes. */
function tidy(edit: Edit): Edit {
  if (edit.op === 'delete') return edit;
  return { ...edit, content: withoutOuterBlankLines(withLineFeeds(edit.content)) };
}
