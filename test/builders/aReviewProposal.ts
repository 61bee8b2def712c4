import type { GateFigures, Verdict } from '../../src/gate/verdict/verdict.js';
import type { Proposal, ProposedDocument, ProposedEdit } from '../../src/ports/proposal.js';
import { applyEdits } from '../../src/skill/edits/applyEdits.js';
import type { Edit } from '../../src/skill/edits/edit.js';
import { sha256 } from '../../src/hash.js';
import { parseSkill, printSkill } from '../../src/skill/document/skillDocument.js';

/** A proposed edit with a reason, no figure, and no hunks before a document applies it. */
export function aProposedEdit(edit: Edit, more: Partial<ProposedEdit> = {}): ProposedEdit {
  return {
    id: 'E1',
    edit,
    worth: { kind: 'not-measured-singly' },
    source: 'failure',
    lessonsFrom: ['t1'],
    support: 1,
    hunks: [],
    ...more,
  };
}

/** What these edits make of a text, applied as the engine does it; an edit that finds no place is an error of the test. */
export function aReviewDocument(
  base: string,
  edits: readonly (Edit | ProposedEdit)[],
  more: Partial<ProposedDocument> = {},
): ProposedDocument {
  const proposed = edits.map((edit, index) => ('edit' in edit ? edit : aProposedEdit(edit, { id: `E${index + 1}` })));
  const generous = { lines: 100_000, tokens: 1_000_000 };
  const applied = applyEdits(
    parseSkill(base),
    proposed.map(({ edit }) => edit),
    { scope: more.scope ?? 'body', sizeBudget: generous, code: 'allowed' },
  );
  const lost = applied.report.find(({ outcome }) => outcome.kind !== 'applied');
  if (lost !== undefined) throw new Error(`the edit has no place: ${JSON.stringify(lost)}`);
  const candidateText = printSkill(applied.document);
  return {
    kind: 'skill',
    path: 'skills/dates/SKILL.md',
    baseHash: sha256(base),
    baseText: base,
    candidateHash: sha256(candidateText),
    candidateText,
    scope: 'body',
    edits: proposed.map((each, index) => ({ ...each, hunks: applied.hunks[index] ?? [] })),
    ...more,
  };
}

export function someFigures(more: Partial<GateFigures> = {}): GateFigures {
  return {
    rule: 'confident',
    metric: 'hard',
    before: 0.42,
    after: 0.81,
    difference: 0.39,
    interval: [0.2, 0.58],
    p: 0.004,
    pTask: 0.01,
    alpha: 0.0125,
    n: 12,
    passes: 3,
    invalid: 0,
    fixed: ['t3', 't5'],
    regressed: ['t9'],
    warnings: [],
    ...more,
  };
}

export const betterVerdict: Verdict = {
  kind: 'accepted',
  reason:
    'Better: 12 held-out tasks went from 42 % to 81 % in 3 passes, which luck alone gives at most once in 80 certifications.',
  figures: someFigures(),
};

/** An accepted proposal that makes these documents; its id follows from what it proposes. */
export function aReviewProposal(documents: readonly ProposedDocument[], more: Partial<Proposal> = {}): Proposal {
  return {
    id: sha256(JSON.stringify(documents)),
    skillKey: 'key',
    skillName: 'dates',
    documents,
    leftOut: [],
    verdict: betterVerdict,
    comparisons: [],
    sealed: undefined,
    models: { target: 'a-model', optimizer: 'a-model', judge: 'a-model', simulated: false },
    settings: { rule: 'confident', metric: 'hard', seed: 1 },
    answers: { t3: ['hash-before', 'hash-after'], t9: [undefined, undefined] },
    ...more,
  };
}
