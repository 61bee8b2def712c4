import type { Proposal, ProposedDocument, ProposedEdit } from '../ports/proposal.js';
import { fileOf } from '../skill/edits/edit.js';
import { documentName, isScript } from '../skill/package/packageFile.js';
import { count } from './amounts.js';
import { shownLine } from './shownText.js';
import { t, type Say } from './translate.js';

/** What stands above the edits of a document. */
export function documentTitle({ path }: Pick<ProposedDocument, 'path'>): string {
  return documentName(path);
}

/** How many edits a proposal has, how many of them nobody decided, and how many were rejected. */
export interface DecidedEdits {
  readonly all: number;
  readonly open: number;
  readonly rejected: number;
}

/** What was decided so far, by edit id, as counts. */
export function countDecisions(
  { documents }: Pick<Proposal, 'documents'>,
  decisions: Readonly<Record<string, { readonly kind: string }>>,
): DecidedEdits {
  const kinds = documents.flatMap(({ edits }) => edits).map(({ id }) => decisions[id]?.kind);
  const of = (wanted: string | undefined): number => kinds.filter((kind) => kind === wanted).length;
  return { all: kinds.length, open: of(undefined), rejected: of('rejected') };
}

/**
 * `with all 5 edits; 1 is rejected`: a verdict is about all the edits of its proposal, and where some were rejected it says
 * nothing of the rest. Undefined where none were.
 */
export function rejectedPart({ all, rejected }: Pick<DecidedEdits, 'all' | 'rejected'>): string | undefined {
  if (rejected === 0) return undefined;
  const edits = count(all, 'edit', t);
  return rejected === 1
    ? t('with all {0}; 1 is rejected', edits)
    : t('with all {0}; {1} are rejected', edits, rejected);
}

/** Of edits that nobody can take apart, such as several of one rewrite: that it is so, and why. */
export function togetherSentence(ids: readonly string[], say: Say): string {
  const text = '{0} can only be decided together: they change the same lines, or one stands in what another wrote.';
  return say(text, ids.join(', '));
}

/** That one of these edits changes what agents run: a script of the package, or code in a fence. */
export function codeWarning(edits: readonly Pick<ProposedEdit, 'edit' | 'changesCode'>[], say: Say): readonly string[] {
  if (edits.some(changesScript)) return [say('changes a script that agents run')];
  return edits.some(({ changesCode }) => changesCode) ? [say('changes what agents run')] : [];
}

/** Whether an edit changes a script of the package. */
export function changesScript({ edit }: Pick<ProposedEdit, 'edit'>): boolean {
  return isScript(fileOf(edit));
}

const longestName = 80; // characters; an environment may be called anything

/** `proposed by the environment “post”`, for each of these edits that the optimizer did not propose; one for each name. */
export function proposedBy(edits: readonly Pick<ProposedEdit, 'environment'>[], say: Say): readonly string[] {
  const names = new Set(edits.flatMap(({ environment }) => environment ?? []));
  return [...names].map((name) => say('proposed by the environment “{0}”', shownLine(name, longestName)));
}

/** A sentence about the verdict with that part behind it, ended as it was. */
export function sentenceWith(sentence: string, part: string | undefined): string {
  if (part === undefined) return sentence;
  const [stop = ''] = /[.。]$/u.exec(sentence) ?? [];
  return `${sentence.slice(0, sentence.length - stop.length)} · ${part}${stop}`;
}
