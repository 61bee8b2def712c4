import * as vscode from 'vscode';
import { followFile, isAcceptStep, wayBack } from '../../../review/followFile.js';
import { plainText, type ProposalTexts } from '../../../review/proposalTexts.js';
import type { Review } from '../review.js';
import { rewrite } from './textEdits.js';

const pauseMs = 200;
/** A window that nobody looks at lets the other one go first: what that one carried over need not be carried again. */
const pauseUnseenMs = 1_500;
const mostTries = 3;
const mostPast = 100; // texts of the file that are kept, so that a revert to one of them is understood

/** A change of the file that was made in the proposal too. */
interface Carry {
  readonly before: string;
  readonly after: string;
  readonly from: ProposalTexts;
  readonly to: ProposalTexts;
}

/** Keeps a proposal on top of the file: what the person, a pull or a formatter does to the file, it has too. */
export class FileFollower implements vscode.Disposable {
  readonly #review: Review;
  readonly #carried: (review: Review) => void;
  /** What the file went through since the proposal last followed it, beginning with the text from then. */
  #texts: string[];
  /** What it went through before that, in this window. */
  #past: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Carried changes, so that taking one back in the proposal is understood. */
  readonly #carries: Carry[] = [];

  constructor(review: Review, carried: (review: Review) => void) {
    this.#review = review;
    this.#carried = carried;
    this.#texts = [review.memo.real];
  }

  /** The text of the file after a change. Says whether the change was an accept, or took one back. */
  fileChanged(text: string): 'accept-step' | 'change' {
    const before = this.#texts.at(-1) ?? '';
    if (before === text) return 'change';
    this.#texts.push(...wayBack([...this.#past, ...this.#texts], text));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.follow(), vscode.window.state.focused ? pauseMs : pauseUnseenMs);
    return isAcceptStep(this.#review.memo.accepts, before, text) ? 'accept-step' : 'change';
  }

  /** The person took a carried change back in the proposal, or brought it again: then the texts that it stands on go with it. */
  async candidateChanged(before: string, after: string): Promise<void> {
    for (const carry of this.#carries) {
      if (carry.after === before && carry.before === after) await this.#review.remember({ texts: carry.from });
      if (carry.before === before && carry.after === after) await this.#review.remember({ texts: carry.to });
    }
  }

  /** Carries over what is waiting. Also called before anything is accepted, so that nothing is decided on old texts. */
  follow(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#review.exclusively(() => this.#follow(mostTries));
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  async #follow(tries: number): Promise<void> {
    await this.#review.reread();
    const { memo } = this.#review;
    const texts = this.#texts.slice(Math.max(0, this.#texts.lastIndexOf(memo.real)));
    const last = texts.at(-1) ?? memo.real;
    if (texts.length === 1 && last === memo.real) return;
    const { candidate } = await this.#review.snapshot();
    const text = plainText(candidate.getText());
    const followed = followFile(memo, text, texts);
    if (followed.candidate !== text) {
      this.#carries.push({ before: text, after: followed.candidate, from: memo.texts, to: followed.texts });
      const edit = new vscode.WorkspaceEdit();
      rewrite(edit, candidate, followed.candidate);
      // The person typed in the proposal at the same moment: once more, with what it says now.
      if (!(await vscode.workspace.applyEdit(edit))) return tries > 0 ? this.#follow(tries - 1) : undefined;
    }
    const at = this.#texts.lastIndexOf(last);
    this.#past = [...this.#past, ...this.#texts.slice(0, Math.max(0, at))].slice(-mostPast);
    this.#texts = [last, ...this.#texts.slice(at + 1)];
    const isSame = followed.texts.base === memo.texts.base && followed.texts.proposed === memo.texts.proposed;
    await this.#review.remember({ real: last, ...(isSame ? {} : { texts: followed.texts }) });
    if (followed.candidate !== text) await candidate.save();
    this.#carried(this.#review);
  }
}
