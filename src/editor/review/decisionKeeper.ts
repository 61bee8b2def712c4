import { UserError } from '../../errors.js';
import type { EditDecision } from '../../app/useCases.js';
import { decisionSeen } from './reviewDecision.js';
import { openEdits } from './reviewHunks.js';
import type { Review, Snapshot } from './review.js';
import type { ReviewHost } from './reviewHost.js';

type ReviewInHand = Pick<Review, 'skillPath' | 'edits' | 'pending' | 'superseded'>;
type Told = Pick<ReviewHost, 'decide' | 'reopen'>;

/** Tells the rest of Whetstone what was decided, as the texts show it: also what was reverted, undone or typed away. */
export class DecisionKeeper {
  readonly #review: ReviewInHand;
  readonly #host: Told;
  /** What the rest of Whetstone knows, by edit. */
  #known: Map<string, EditDecision>;
  /** What was told from here and not taken back: what is learned may have been read before it was told. */
  readonly #told = new Set<string>();
  /** What the person said with a command, until the texts show it. */
  readonly #said = new Map<string, EditDecision>();
  #typedHere = false;
  #work: Promise<void> = Promise.resolve();

  constructor(review: ReviewInHand, host: Told) {
    this.#review = review;
    this.#host = host;
    this.#known = new Map(Object.entries(review.pending.decisions));
  }

  /** What a command does to these edits. Without it, what the file says in the end is taken for the decision. */
  say(edits: readonly string[], decision: EditDecision): void {
    for (const id of edits) this.#said.set(id, decision);
  }

  /** The command did nothing after all. */
  unsay(edits: readonly string[]): void {
    for (const id of edits) this.#said.delete(id);
  }

  /** A change came from this window: only then are its decisions ours to tell, another window tells its own. */
  noteTyping(): void {
    this.#typedHere = true;
  }

  /** What the rest of Whetstone knows by now. */
  learn(): void {
    this.#known = new Map(Object.entries(this.#review.pending.decisions));
  }

  settle(snapshot: Pick<Snapshot, 'hunks' | 'realText'>): Promise<void> {
    this.#work = this.#work.then(() => this.#settle(snapshot));
    return this.#work;
  }

  /** Adds what a person said after the fact, such as the reason for a rejection. */
  async amend(edits: readonly string[], decision: EditDecision): Promise<void> {
    const told = edits.filter((id) => this.#known.has(id));
    this.say(
      edits.filter((id) => !this.#known.has(id)),
      decision,
    );
    if (told.length > 0) await this.#tell(Object.fromEntries(told.map((id) => [id, decision])));
  }

  /** Edits that have no place in the file any more. */
  async putAway(edits: readonly string[]): Promise<void> {
    const decision: EditDecision = { kind: 'rejected', reason: 'it no longer fits the file' };
    await this.#tell(Object.fromEntries(edits.map((id) => [id, decision])));
  }

  async #settle({ hunks, realText }: Pick<Snapshot, 'hunks' | 'realText'>): Promise<void> {
    if (this.#review.superseded) return;
    const open = openEdits(hunks);
    const reopened = this.#review.edits.filter(({ id }) => open.has(id) && (this.#known.has(id) || this.#told.has(id)));
    const closed = this.#review.edits.filter(({ id }) => !open.has(id) && !this.#known.has(id));
    const mine = closed.filter(({ id }) => this.#typedHere || this.#said.has(id));
    this.#typedHere = false;
    if (reopened.length > 0) await this.#reopen(reopened.map(({ id }) => id));
    if (mine.length === 0) return;
    const decisions = mine.map((edit) => [edit.id, this.#said.get(edit.id) ?? decisionSeen(edit, realText)] as const);
    this.unsay(mine.map(({ id }) => id));
    await this.#tell(Object.fromEntries(decisions));
  }

  async #reopen(edits: readonly string[]): Promise<void> {
    for (const id of edits) {
      this.#known.delete(id);
      this.#told.delete(id);
    }
    this.unsay(edits);
    await this.#host.reopen(this.#review.skillPath, this.#review.pending.proposal, edits);
  }

  async #tell(decisions: Readonly<Record<string, EditDecision>>): Promise<void> {
    for (const [id, decision] of Object.entries(decisions)) {
      this.#known.set(id, decision);
      this.#told.add(id);
    }
    try {
      await this.#host.decide(this.#review.skillPath, decisions);
    } catch (error) {
      // Another window or the command line decided the rest meanwhile: the proposal is put away, and nothing is to be told.
      if (!(error instanceof UserError && error.code === 'proposal-missing')) throw error;
    }
  }
}
