import { UserError } from '../errors.js';
import type { Proposal, ProposedEdit } from '../ports/proposal.js';
import { decisionSeen, type EditDecision } from './reviewDecision.js';
import { openEdits, type ReviewedHunk } from './reviewHunks.js';

/** The review whose decisions are kept in step, as it is now. */
export interface ReviewState {
  readonly skillPath: string;
  readonly edits: readonly ProposedEdit[];
  readonly pending: {
    readonly proposal: Proposal;
    readonly decisions: Readonly<Record<string, EditDecision>>;
  };
  /** True where a newer proposal took its place: then nothing is decided any more. */
  readonly superseded: boolean;
}

/** Where decisions are kept for everybody. */
export interface DecisionStore {
  decide(skillPath: string, decisions: Readonly<Record<string, EditDecision>>): Promise<void>;
  /** The person said why they rejected edits, also where the last of them had put the proposal away. */
  explain(skillPath: string, proposal: Proposal, edits: readonly string[], reason: string): Promise<void>;
  /** The person took decisions back; the proposal is staged again where the last of them had put it away. */
  reopen(skillPath: string, proposal: Proposal, edits: readonly string[]): Promise<void>;
}

/** What is open between the two texts, and what the file says. */
interface TextsSeen {
  readonly hunks: readonly ReviewedHunk[];
  readonly realText: string;
}

/** Tells the rest of Whetstone what was decided, as the texts show it: also what was reverted, undone or typed away. */
export class DecisionSync {
  readonly #review: ReviewState;
  readonly #store: DecisionStore;
  /** What the rest of Whetstone knows, by edit. */
  #known: Map<string, EditDecision>;
  /** What was sent from here and not taken back: what is reloaded may have been read before it was sent. */
  readonly #sent = new Set<string>();
  /** What a command of the person decides, until the texts show it. */
  readonly #expected = new Map<string, EditDecision>();
  #typedHere = false;
  #work: Promise<void> = Promise.resolve();

  constructor(review: ReviewState, store: DecisionStore) {
    this.#review = review;
    this.#store = store;
    this.#known = new Map(Object.entries(review.pending.decisions));
  }

  /** What a command does to these edits. Without it, what the file says in the end is taken for the decision. */
  expect(edits: readonly string[], decision: EditDecision): void {
    for (const id of edits) this.#expected.set(id, decision);
  }

  /** The command did nothing after all. */
  forget(edits: readonly string[]): void {
    for (const id of edits) this.#expected.delete(id);
  }

  /** A change came from this window: only then are its decisions ours to tell, another window tells its own. */
  noteTyping(): void {
    this.#typedHere = true;
  }

  /** What the rest of Whetstone knows by now. */
  reload(): void {
    this.#known = new Map(Object.entries(this.#review.pending.decisions));
  }

  /** Rejects where something could not be told; it is told with what is seen next. */
  settle(snapshot: TextsSeen): Promise<void> {
    const settled = this.#work.then(() => this.#settle(snapshot));
    this.#work = settled.catch(() => undefined);
    return settled;
  }

  /** Adds, after the fact, why the person rejected edits. */
  async explain(edits: readonly string[], reason: string): Promise<void> {
    const decision: EditDecision = { kind: 'rejected', reason };
    // Those that are not told yet are told with it.
    this.expect(
      edits.filter((id) => !this.#known.has(id)),
      decision,
    );
    await this.#work;
    const sent = edits.filter((id) => this.#known.get(id)?.kind === 'rejected');
    for (const id of sent) this.#known.set(id, decision);
    const { skillPath, pending } = this.#review;
    if (sent.length > 0) await this.#store.explain(skillPath, pending.proposal, sent, reason);
  }

  /** Edits that have no place in the file any more. */
  async reject(edits: readonly string[]): Promise<void> {
    const decision: EditDecision = { kind: 'rejected', reason: 'it no longer fits the file' };
    await this.#send(Object.fromEntries(edits.map((id) => [id, decision])));
  }

  async #settle({ hunks, realText }: TextsSeen): Promise<void> {
    if (this.#review.superseded) return;
    const open = openEdits(hunks);
    const reopened = this.#review.edits.filter(({ id }) => open.has(id) && (this.#known.has(id) || this.#sent.has(id)));
    const closed = this.#review.edits.filter(({ id }) => !open.has(id) && !this.#known.has(id));
    const typedHere = this.#typedHere;
    const mine = closed.filter(({ id }) => typedHere || this.#expected.has(id));
    this.#typedHere = false;
    try {
      if (reopened.length > 0) await this.#reopen(reopened.map(({ id }) => id));
    } catch (error) {
      this.#typedHere ||= typedHere;
      throw error;
    }
    if (mine.length === 0) return;
    const decisions = mine.map(
      (edit) => [edit.id, this.#expected.get(edit.id) ?? decisionSeen(edit, realText)] as const,
    );
    this.forget(mine.map(({ id }) => id));
    await this.#send(Object.fromEntries(decisions));
  }

  async #reopen(edits: readonly string[]): Promise<void> {
    for (const id of edits) {
      this.#known.delete(id);
      this.#sent.delete(id);
    }
    this.forget(edits);
    try {
      await this.#store.reopen(this.#review.skillPath, this.#review.pending.proposal, edits);
    } catch (error) {
      for (const id of edits) this.#sent.add(id);
      throw error;
    }
  }

  async #send(decisions: Readonly<Record<string, EditDecision>>): Promise<void> {
    for (const [id, decision] of Object.entries(decisions)) {
      this.#known.set(id, decision);
      this.#sent.add(id);
    }
    try {
      await this.#store.decide(this.#review.skillPath, decisions);
    } catch (error) {
      // Another window or the command line decided the rest meanwhile: the proposal is put away, and nothing is to be told.
      if (error instanceof UserError && error.code === 'proposal-missing') return;
      for (const [id, decision] of Object.entries(decisions)) {
        this.#known.delete(id);
        this.#expected.set(id, decision);
      }
      throw error;
    }
  }
}
