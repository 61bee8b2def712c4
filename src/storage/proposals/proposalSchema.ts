import * as z from 'zod';
import type { ProposedDocument } from '../../ports/proposal.js';
import { codeMarks, isTooMuchToApply } from '../../skill/edits/codeMarks.js';
import { hunksOfEdits } from '../../skill/edits/hunksOfEdits.js';

/** JSON has no undefined: what was undefined is left out or null in the file, and undefined again when read. */
function maybe<Schema extends z.ZodType>(schema: Schema) {
  return z.nullish(schema).transform((value): z.output<Schema> | undefined => value ?? undefined);
}

const share = z.number();
const interval = z.tuple([z.number(), z.number()]).readonly();
const texts = z.array(z.string()).readonly();
const rationale = z.string();
/** Only of a file beside SKILL.md. */
const file = z.string().exactOptional();

const edit = z.discriminatedUnion('op', [
  z.object({ op: z.literal('append'), file, content: z.string(), rationale }),
  z.object({ op: z.literal('insert_after'), file, anchor: z.string(), content: z.string(), rationale }),
  z.object({ op: z.literal('replace'), file, anchor: z.string(), content: z.string(), rationale }),
  z.object({ op: z.literal('delete'), file, anchor: z.string(), rationale }),
  z.object({ op: z.literal('slow_update'), content: z.string(), rationale }),
  z.object({ op: z.literal('appendix'), content: z.string(), rationale }),
]);

const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('applied') }),
  z.object({
    kind: z.literal('unmatched'),
    reason: z.enum(['anchor-missing', 'anchor-ambiguous', 'file-missing']),
    detail: z.string(),
  }),
  z.object({
    kind: z.literal('refused'),
    reason: z.enum([
      'empty',
      'front-matter',
      'protected-region',
      'kept-region',
      'code-fence',
      'marker',
      'outside-scope',
      'not-list-item',
      'size-budget',
      'duplicate',
      'no-change',
      'gaming',
      'invisible-text',
      'secret',
      'syntax',
    ]),
    detail: z.string(),
  }),
]);

const worth = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), effect: z.number(), interval, group: texts }),
  z.object({ kind: z.literal('not-measured-singly') }),
]);

const count = z.number().int().nonnegative();
const lines = z.object({ start: count, end: count });

// A clone may bring any proposal, and its edits are applied when it is read: no run proposes nearly as much.
const mostEdits = 200;
const text = z.string().max(2_000_000);

const bareEdit = z.object({
  id: z.string(),
  edit,
  worth,
  source: z.enum(['failure', 'success', 'contrast', 'merged', 'environment']),
  /** Only of what an environment proposed. */
  environment: z.string().optional(),
  lessonsFrom: texts,
  support: z.number(),
});

const storedDocument = z.object({
  kind: z.enum(['skill', 'file', 'memory']),
  path: z.string(),
  baseHash: z.string(),
  baseText: text,
  candidateHash: z.string(),
  candidateText: text,
  scope: z.enum(['body', 'learned']),
  edits: z
    .array(
      bareEdit.extend({
        /** Files of version 1 have none. */
        hunks: z
          .array(z.object({ before: lines, after: lines }))
          .readonly()
          .optional(),
      }),
    )
    .max(mostEdits)
    .readonly(),
});

/** What the edits changed, found by applying them to the base text again; for whoever brings no hunks. */
function withHunksMadeAnew(document: z.output<typeof storedDocument>): ProposedDocument {
  const edits = document.edits.map((each) => each.edit);
  const hunks = isTooMuchToApply(document, edits) ? [] : hunksOfEdits(document, edits);
  const marks = codeMarks(document, edits);
  return {
    ...document,
    edits: document.edits.map((each, index) => ({ ...each, hunks: hunks[index] ?? [], ...marks[index] })),
  };
}

const document = storedDocument.transform((stored): ProposedDocument => {
  const marks = codeMarks(
    stored,
    stored.edits.map((each) => each.edit),
  );
  const known = stored.edits.flatMap(({ hunks, ...rest }, index) =>
    hunks === undefined ? [] : [{ ...rest, hunks, ...marks[index] }],
  );
  return known.length === stored.edits.length ? { ...stored, edits: known } : withHunksMadeAnew(stored);
});

const rule = z.enum(['confident', 'strict', 'off']);
const metric = z.enum(['hard', 'soft', 'mixed']);

const figures = z.object({
  rule,
  metric,
  before: share,
  after: share,
  difference: z.number(),
  interval: maybe(interval),
  p: maybe(z.number()),
  pTask: maybe(z.number()),
  alpha: maybe(z.number()),
  n: count,
  notNeeded: count.optional(),
  unpaired: count.optional(),
  passes: count,
  invalid: count,
  fixed: texts,
  regressed: texts,
  warnings: texts,
});

const verdict = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted'), reason: z.string(), figures }),
  z.object({ kind: z.literal('rejected'), reason: z.string(), figures }),
  z.object({
    kind: z.literal('inconclusive'),
    reason: z.string(),
    cause: z.enum(['too-few-tasks', 'too-many-invalid', 'error-budget-empty', 'cap']),
    cure: z.string(),
    figures: maybe(figures),
  }),
  z.object({
    kind: z.literal('unmeasured'),
    reason: z.string(),
    cause: z.enum([
      'gate-off',
      'no-held-out',
      'leaked',
      'partly-accepted',
      'edited-by-hand',
      'nothing-proposed',
      'made-elsewhere',
      'not-certified',
    ]),
  }),
]);

const sideResult = z.object({ passes: count, valid: count, invalid: count, score: maybe(share) });

const comparisons = z.array(z.object({ id: z.string(), before: sideResult, after: sideResult })).readonly();
const sealed = maybe(z.object({ before: share, after: share, n: count }));
const answers = z.record(z.string(), z.tuple([maybe(z.string()), maybe(z.string())]).readonly());

const measures = z.object({
  score: maybe(share),
  tasks: count,
  skillTokens: z.number(),
  answerTokens: maybe(z.number()),
  answerMs: maybe(z.number()),
});
const namedCandidate = measures.extend({
  id: z.string(),
  outcome: maybe(z.enum(['higher', 'equal', 'lower'])),
  asChosen: measures.extend({ dropped: count }).optional(),
});
const dropped = z.array(z.object({ edit, worth })).max(mostEdits).readonly().optional();

const mostFiles = 200; // a package that people read has far fewer
const mostCandidates = 50; // a run keeps far fewer

const candidates = z.object({
  rule: z.string(),
  original: measures,
  proposed: namedCandidate,
  others: z
    .array(
      namedCandidate.extend({
        candidateHash: z.string(),
        candidateText: text,
        files: z
          .array(z.object({ path: z.string(), baseText: text, candidateText: text }))
          .max(mostFiles)
          .readonly()
          .optional(),
        edits: z.array(bareEdit).max(mostEdits).readonly(),
        dropped,
        evidence: z.object({ verdict, comparisons, sealed, answers }).optional(),
      }),
    )
    .max(mostCandidates)
    .readonly(),
  insteadOf: z.object({ candidate: z.string(), proposalId: z.string() }).optional(),
});

/** A proposal as its file holds it. Every field is checked: a clone may bring any file under its name. */
export const proposalObject = z.object({
  id: z.string(),
  skillKey: z.string(),
  skillName: z.string(),
  documents: z.array(document).readonly(),
  leftOut: z.array(z.object({ index: count, edit, outcome })).readonly(),
  verdict,
  comparisons,
  sealed,
  models: z.object({ target: z.string(), optimizer: z.string(), judge: z.string(), simulated: z.boolean() }),
  settings: z.object({ rule, metric, seed: z.number() }),
  answers,
  trainedOn: texts.optional(),
  candidates: candidates.optional(),
  dropped,
});
