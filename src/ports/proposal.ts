import type { ApplyReportRow, Edit, EditScope } from '../skill/edits/edit.js';
import type { EditHunk } from '../skill/edits/editHunks.js';
import type { GateMetric, GateRule, TaskComparison, Verdict } from '../gate/verdict/verdict.js';

/** What an edit is worth, measured on training tasks; in points of the gate metric (0..1). */
export type EditWorth =
  | {
      readonly kind: 'measured';
      readonly effect: number;
      readonly interval: readonly [number, number];
      readonly group: readonly string[];
    }
  | { readonly kind: 'not-measured-singly' };

export interface ProposedEdit {
  /** `E1`, `E2`, ... in the order applied. */
  readonly id: string;
  readonly edit: Edit;
  readonly worth: EditWorth;
  /** Where the lesson came from. */
  readonly source: 'failure' | 'success' | 'contrast' | 'merged' | 'environment';
  /** The name of the environment that proposed it itself; missing where the optimizer did. */
  readonly environment?: string | undefined;
  /** Training tasks whose failures taught it. */
  readonly lessonsFrom: readonly string[];
  readonly support: number;
  /**
   * What it changes between the base text and the candidate text of its document, since it was applied; in both line by
   * line, so that two neighbours have each their own. None where another edit took it back.
   */
  readonly hunks: readonly EditHunk[];
  /** It changes code in a fence that was there, or a script: what agents run. Follows from the texts and the edits. */
  readonly changesCode?: true;
}

/** An edit that was tried with the others and dropped before they were measured together. */
export interface DroppedEdit {
  readonly edit: Edit;
  readonly worth: EditWorth;
}

/** What a document is: the skill itself, a file of its package (Markdown, or a script by its name), or the memory file that goes with it. */
export type DocumentKind = 'skill' | 'file' | 'memory';

/** One document of a proposal. */
export interface ProposedDocument {
  readonly kind: DocumentKind;
  /**
   * Relative to the root of the workspace state, with forward slashes; absolute only for skills outside every root. A file
   * of the package is named from the folder of the skill, wherever that lies: `./references/tone.md`.
   */
  readonly path: string;
  /** Pinned: the proposal is adopted only onto exactly these bytes. */
  readonly baseHash: string;
  readonly baseText: string;
  readonly candidateHash: string;
  readonly candidateText: string;
  /** Where its edits were allowed to land: whoever applies a part of them again keeps to the same. */
  readonly scope: EditScope;
  readonly edits: readonly ProposedEdit[];
}

/** What a candidate came to on training tasks, where a run chose by more than the score. */
export interface CandidateMeasures {
  /** Over so many training tasks; undefined where it was not tried as it stands. */
  readonly score: number | undefined;
  readonly tasks: number;
  readonly skillTokens: number;
  /** Of an answer, as a mean; undefined where it was not measured. */
  readonly answerTokens: number | undefined;
  readonly answerMs: number | undefined;
}

/** A candidate by its name, `C1`, `C2`, ..., which it keeps whichever of them is proposed. */
export interface NamedCandidate extends CandidateMeasures {
  readonly id: string;
  /** Against the skill as it was, on training tasks. */
  readonly outcome: 'higher' | 'equal' | 'lower' | undefined;
  /** What the rule chose, where so many edits of it were dropped before it was measured on held-out tasks. */
  readonly asChosen?: (CandidateMeasures & { readonly dropped: number }) | undefined;
}

/** What held-out tasks said of a candidate. */
export type CandidateEvidence = Pick<Proposal, 'verdict' | 'comparisons' | 'sealed' | 'answers'>;

/** A file of the package that a candidate changes, named as documents are. */
export type CandidateFile = Pick<ProposedDocument, 'path' | 'baseText' | 'candidateText'>;

/** A candidate of the run that is not proposed. */
export interface OtherCandidate extends NamedCandidate {
  readonly candidateHash: string;
  readonly candidateText: string;
  /** Only where it changes files beside SKILL.md. */
  readonly files?: readonly CandidateFile[] | undefined;
  readonly edits: readonly Omit<ProposedEdit, 'hunks' | 'changesCode'>[];
  readonly dropped?: readonly DroppedEdit[] | undefined;
  /** Missing until it is certified: it was measured on training tasks alone. */
  readonly evidence?: CandidateEvidence | undefined;
}

/** The candidates that a run left on its front, and which of them is proposed. */
export interface ProposedCandidates {
  /** What named the one that was certified first. */
  readonly rule: string;
  readonly original: CandidateMeasures;
  readonly proposed: NamedCandidate;
  readonly others: readonly OtherCandidate[];
  /** The one that was in front before this one was adopted in its place: it is so again where that is undone. */
  readonly insteadOf?: { readonly candidate: string; readonly proposalId: string } | undefined;
}

/**
 * What a run leaves for a person to decide on. Same skill, tasks, options, seed and user state give the same bytes:
 * times and run ids live in the journal.
 */
export interface Proposal {
  /** Hash of the content: the same proposal has the same id everywhere. */
  readonly id: string;
  /** Hash of the skill's path relative to its root. */
  readonly skillKey: string;
  readonly skillName: string;
  readonly documents: readonly ProposedDocument[];
  /** Edits that found no place or were refused, with the reason. */
  readonly leftOut: readonly ApplyReportRow[];
  readonly verdict: Verdict;
  readonly comparisons: readonly TaskComparison[];
  /** Scored once before and once after; decides nothing. */
  readonly sealed: { readonly before: number; readonly after: number; readonly n: number } | undefined;
  readonly models: {
    readonly target: string;
    readonly optimizer: string;
    readonly judge: string;
    readonly simulated: boolean;
  };
  readonly settings: { readonly rule: GateRule; readonly metric: GateMetric; readonly seed: number };
  /** Hashes under which the answers of each held-out task lie in the reply store: task id -> [before, after]. */
  readonly answers: Readonly<Record<string, readonly [string | undefined, string | undefined]>>;
  /**
   * Keys of the words and files of every task that its run learned from: on none of them can it be proved, whichever side
   * they are on later. Proposals of earlier versions have none.
   */
  readonly trainedOn?: readonly string[] | undefined;
  /** Only where the run chose by more than the score. */
  readonly candidates?: ProposedCandidates | undefined;
  /** Only where edits were tried and dropped. */
  readonly dropped?: readonly DroppedEdit[] | undefined;
}
