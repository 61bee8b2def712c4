import * as z from 'zod';
import type { Verdict } from '../gate/verdict/verdict.js';
import type { ProposedDocument } from '../ports/proposal.js';
import type { MeasuredText } from './measurementStatus.js';
import { movedTexts, textsOf, type ProposalTexts } from './proposalTexts.js';
import { rebase, type LostEdit } from './rebase.js';

/** What a review has to remember beside the text of the proposal, so that a reload or another window goes on with it. */
export interface ReviewMemo {
  readonly skillPath: string;
  /** The file that is reviewed: the skill itself, or the memory file that goes with it. */
  readonly file: string;
  readonly proposalId: string;
  readonly documentPath: string;
  readonly texts: ProposalTexts;
  /** The file as the proposal last followed it. */
  readonly real: string;
  /** True where the proposal was put onto another text than it was made from. */
  readonly rebased: boolean;
  readonly lost: readonly LostEdit[];
  /** Hashes of the file before and after each accept: going back from one to the other is an undo, not a change. */
  readonly accepts: readonly (readonly [string, string])[];
  readonly measured: MeasuredText | undefined;
}

/** What a review is about. */
export interface ReviewSubject {
  readonly skillPath: string;
  readonly file: string;
  readonly proposalId: string;
  readonly document: ProposedDocument;
}

/** The memo of a review that begins. A proposal made from another text than the file holds is moved onto it first. */
export function firstMemo({ document, ...about }: ReviewSubject, real: string): ReviewMemo {
  const made = textsOf(document);
  const moved = made.base === real ? undefined : rebase(document, real);
  return {
    ...about,
    documentPath: document.path,
    texts: moved === undefined ? made : textsOf(moved.document),
    real,
    rebased: moved !== undefined,
    lost: moved?.lost ?? [],
    accepts: [],
    measured: undefined,
  };
}

/** A memo as its file holds it: one of version 1 does not say who made which lines. */
export type StoredMemo = Omit<ReviewMemo, 'texts'> & {
  readonly texts: Omit<ProposalTexts, 'hunks'> & { readonly hunks?: ProposalTexts['hunks'] | undefined };
};

const format = 'whetstone-review';
const version = 2;
const mostAccepts = 200;

/** The text of a memo's file. `ground` is what the two texts have been called there since version 1. */
export function printMemo({ texts, accepts, ...memo }: ReviewMemo): string {
  return JSON.stringify({ format, version, ...memo, ground: texts, accepts: accepts.slice(-mostAccepts) });
}

/** The memo, or undefined where the file holds anything else: a review that cannot be read is begun anew. */
export function readMemo(text: string): StoredMemo | undefined {
  const parsed = recordFile.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { format: _format, version: _version, ground, ...memo } = parsed.data;
  return { ...memo, texts: ground };
}

/** The whole memo of a document's review. Without hunks of its own it has those that the edits kept, moved to its texts. */
export function wholeMemo({ texts, ...memo }: StoredMemo, document: ProposedDocument): ReviewMemo {
  const { base, proposed, hunks } = texts;
  if (hunks !== undefined) return { ...memo, texts: { base, proposed, hunks } };
  return { ...memo, texts: movedTexts(textsOf(document), { base, proposed }) };
}

const line = z.number().int().nonnegative();
const lines = z.object({ start: line, end: line });
const verdict = z.custom<Verdict>((value) => knownVerdict.safeParse(value).success);
const knownVerdict = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('accepted'), reason: z.string(), figures: z.looseObject({}) }),
  z.looseObject({ kind: z.enum(['rejected', 'inconclusive', 'unmeasured']), reason: z.string() }),
]);

const recordFile = z.object({
  format: z.literal(format),
  version: z.number().int().min(1).max(version),
  skillPath: z.string(),
  file: z.string(),
  proposalId: z.string(),
  documentPath: z.string(),
  ground: z.object({
    base: z.string(),
    proposed: z.string(),
    hunks: z.record(z.string(), z.array(z.object({ before: lines, after: lines }))).optional(),
  }),
  real: z.string(),
  rebased: z.boolean(),
  lost: z.array(z.object({ id: z.string(), reason: z.string() })),
  accepts: z.array(z.tuple([z.string(), z.string()])),
  measured: z
    .object({ hash: z.string(), verdict, simulated: z.boolean().optional() })
    .optional()
    .transform((value): MeasuredText | undefined => value),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
