import { UserError } from '../../errors.js';
import { sha256 } from '../../hash.js';
import type { Proposal, ProposedDocument } from '../../ports/proposal.js';
import { parseSkill, printSkill } from '../../skill/document/skillDocument.js';
import { applyEdits } from '../../skill/edits/applyEdits.js';
import { grownSize, usualGrowth } from '../../skill/edits/sizeBudget.js';
import { isTooMuchToApply } from '../../skill/edits/codeMarks.js';

/** A proposal that this user did not make here, as far as it may be shown and adopted. */
export interface ForeignProposal {
  /** The skill's own document alone, with the text that its edits make by the laws of edits, and without any figure. */
  readonly proposal: Proposal;
  /** The documents that it wanted to change beside the skill, by their paths. */
  readonly dropped: readonly string[];
  /** Why it is shown and never adopted; undefined where it may be. */
  readonly refusal: UserError | undefined;
}

/**
 * Makes a proposal anew from its base text and its edits: a clone may bring any file under its name, and of what such a
 * file claims only the edits are taken, each by the same laws as an edit of a model. What its own text holds beside them
 * is not shown as proposed, and the whole is refused for it.
 */
export function rebuilt(proposal: Proposal, documentPath: string): ForeignProposal {
  const isOwn = ({ kind, path }: ProposedDocument): boolean => kind === 'skill' && path === documentPath;
  const skill = proposal.documents.find(isOwn);
  const isLarge = skill !== undefined && isTooMuchToApply(skill, skill.edits);
  const made = skill === undefined || isLarge ? undefined : madeOfEdits(skill);
  const { candidates: _figures, dropped: _worths, ...rest } = proposal;
  return {
    proposal: {
      ...rest,
      documents: made === undefined ? [] : [made],
      verdict: { kind: 'unmeasured', cause: 'made-elsewhere', reason: 'Made elsewhere, not measured here.' },
      comparisons: [],
      sealed: undefined,
      answers: {},
    },
    dropped: proposal.documents.filter((document) => document !== skill).map(({ path }) => path),
    refusal: made === undefined ? (isLarge ? refusals.large() : refusals.nothing()) : whyRefused(skill, made),
  };
}

/** Whether a proposal carries the mark of one that was made elsewhere; it never becomes one's own by being written again. */
export function isMadeElsewhere({ verdict }: Proposal): boolean {
  return verdict.kind === 'unmeasured' && verdict.cause === 'made-elsewhere';
}

function madeOfEdits(document: ProposedDocument): ProposedDocument {
  const base = parseSkill(document.baseText);
  const applied = applyEdits(
    base,
    document.edits.map(({ edit }) => edit),
    { scope: document.scope, sizeBudget: grownSize(base.size, usualGrowth) },
  );
  const candidateText = printSkill(applied.document);
  return {
    ...document,
    baseHash: sha256(document.baseText),
    candidateHash: sha256(candidateText),
    candidateText,
    edits: document.edits.map((edit, index) => ({
      ...edit,
      worth: { kind: 'not-measured-singly' },
      hunks: applied.hunks[index] ?? [],
    })),
  };
}

const editId = /^[A-Z]{1,2}\d{1,4}$/;

function whyRefused(claimed: ProposedDocument | undefined, made: ProposedDocument): UserError | undefined {
  const ids = (claimed?.edits ?? []).map(({ id }) => id);
  if (new Set(ids).size < ids.length || !ids.every((id) => editId.test(id))) return refusals.ids();
  if (made.candidateText !== claimed?.candidateText) return refusals.text();
  return made.candidateText === made.baseText ? refusals.nothing() : undefined;
}

const refusals = {
  large: () =>
    new UserError(
      'proposal-not-adoptable',
      'The proposal was made elsewhere and is too large to be looked at.',
      'Reject it, and optimize the skill here.',
    ),
  nothing: () =>
    new UserError(
      'proposal-not-adoptable',
      'The proposal was made elsewhere and changes nothing of this skill.',
      'Reject it, or optimize the skill here.',
    ),
  text: () =>
    new UserError(
      'proposal-not-adoptable',
      'The proposal was made elsewhere, and its text is not what its edits make by the rules for edits.',
      'Reject it, and optimize the skill here.',
    ),
  ids: () =>
    new UserError(
      'proposal-not-adoptable',
      'The proposal was made elsewhere, and its edits are not named one by one.',
      'Reject it, and optimize the skill here.',
    ),
} as const;
