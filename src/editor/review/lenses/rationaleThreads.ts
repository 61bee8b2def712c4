import * as vscode from 'vscode';
import { reportError } from '../../reportError.js';
import { lastLine } from '../../../review/hunkPlace.js';
import { showAnswersCommand, rationaleLabel, rationaleMarkdown } from '../../../wording/rationale.js';
import type { Review, Snapshot } from '../review.js';
import { firstPlaces, withTheirUnits, type ReviewedHunk } from '../../../review/reviewHunks.js';
import type { Reviews } from '../reviews.js';
import { shownLine } from '../../../wording/shownText.js';
import { commentOf } from '../../shown/comment.js';
import { isShown } from '../documents/shownCandidates.js';

interface ShownThread {
  readonly thread: vscode.CommentThread;
  readonly markdown: string;
}

/** What a thread's button acts on: a change, by its name. */
export interface ThreadTarget {
  readonly candidate: string;
  readonly name: string;
}

/** The window draws each reason when it is told of it: all of a large proposal at once would keep the diff from appearing. */
const atOnce = 4;
const restMs = 250;

/** The reasons for the changes, between the lines: all at hand, only one open, gone with the change. */
export class RationaleThreads implements vscode.Disposable {
  readonly #controller = vscode.comments.createCommentController('whetstone', 'Whetstone');
  /** By document and change. */
  readonly #shown = new Map<string, Map<string, ShownThread>>();
  readonly #current = new Map<string, string>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #disposables: vscode.Disposable;

  constructor(reviews: Reviews) {
    this.#disposables = vscode.Disposable.from(
      this.#controller,
      reviews.onDidChange((review) => void this.#refresh(review).catch(reportError)),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => closed.length > 0 && this.#forgetClosed()),
    );
  }

  /** Opens the reason for one change and closes the others. */
  async open(review: Review, candidate: vscode.Uri, name: string | undefined): Promise<void> {
    const document = candidate.toString();
    const { hunks } = await review.snapshot(candidate);
    const first =
      firstPlaces(
        withTheirUnits(
          hunks,
          hunks.filter((hunk) => hunk.name === name),
        ),
      )[0]?.name ?? name;
    if (first === undefined) this.#current.delete(document);
    else this.#current.set(document, first);
    await this.#show(review, candidate);
    for (const [each, { thread }] of this.#shown.get(document) ?? []) thread.collapsibleState = stateOf(each === first);
  }

  /** The change that a thread is about. */
  targetOf(thread: unknown): ThreadTarget | undefined {
    for (const [candidate, threads] of this.#shown) {
      for (const [name, shown] of threads) if (shown.thread === thread) return { candidate, name };
    }
    return undefined;
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#disposables.dispose();
  }

  async #refresh(review: Review): Promise<void> {
    const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.authority === review.id && isShown(uri));
    for (const { uri } of open) await this.#show(review, uri);
  }

  async #show(review: Review, candidate: vscode.Uri): Promise<void> {
    const snapshot = await review.snapshot(candidate);
    const document = candidate.toString();
    const threads = this.#shown.get(document) ?? new Map<string, ShownThread>();
    this.#shown.set(document, threads);
    const hunks = firstPlaces(snapshot.hunks);
    forgetAllBut(threads, new Set(hunks.map(({ name }) => name)));
    let fresh = 0;
    for (const hunk of hunks) {
      const known = threads.get(hunk.name);
      const isCurrent = this.#current.get(document) === hunk.name;
      if (known === undefined && !isCurrent) fresh += 1;
      if (known !== undefined || isCurrent || fresh <= atOnce) {
        threads.set(hunk.name, this.#showOne(review, snapshot, hunk, known));
      }
    }
    if (fresh > atOnce) this.#showRestSoon(review, candidate);
  }

  #showRestSoon(review: Review, candidate: vscode.Uri): void {
    clearTimeout(this.#timers.get(review.id));
    const show = (): void => {
      if (isShown(candidate)) void this.#show(review, candidate).catch(reportError);
    };
    this.#timers.set(review.id, setTimeout(show, restMs));
  }

  #showOne(review: Review, snapshot: Snapshot, hunk: ReviewedHunk, known: ShownThread | undefined): ShownThread {
    const { candidate } = snapshot;
    const { skillPath, pending } = review;
    const range = threadRange(candidate, hunk);
    const markdown = rationaleMarkdown(hunk, { proposal: pending.proposal, skillPath });
    const isCurrent = this.#current.get(candidate.uri.toString()) === hunk.name;
    const thread = known?.thread ?? this.#create(candidate.uri, range, isCurrent);
    update(thread, {
      range,
      label: shownLine(rationaleLabel(hunk)),
      contextValue: canDecide(review, hunk) ? 'open' : 'shown',
    });
    if (known?.markdown !== markdown) thread.comments = [commentOf(markdown, [showAnswersCommand])];
    return { thread, markdown };
  }

  #create(uri: vscode.Uri, range: vscode.Range, isCurrent: boolean): vscode.CommentThread {
    const thread = this.#controller.createCommentThread(uri, range, []);
    thread.canReply = false;
    thread.collapsibleState = stateOf(isCurrent);
    return thread;
  }

  /** Reasons of a proposal that is in no tab any more would stay in the list of comments. */
  #forgetClosed(): void {
    for (const [document, threads] of this.#shown) {
      if (isShown(vscode.Uri.parse(document, true))) continue;
      for (const { thread } of threads.values()) thread.dispose();
      this.#shown.delete(document);
      this.#current.delete(document);
    }
  }
}

function forgetAllBut(threads: Map<string, ShownThread>, present: ReadonlySet<string>): void {
  for (const [name, { thread }] of threads) {
    if (present.has(name)) continue;
    thread.dispose();
    threads.delete(name);
  }
}

/** Only what is different is sent to the window: every property that is set is a message. */
function update(
  thread: vscode.CommentThread,
  next: { readonly range: vscode.Range; readonly label: string; readonly contextValue: string },
): void {
  if (thread.range?.isEqual(next.range) !== true) thread.range = next.range;
  if (thread.label !== next.label) thread.label = next.label;
  if (thread.contextValue !== next.contextValue) thread.contextValue = next.contextValue;
}

/** The end of the last line and nothing before it: any other range puts the zone into the middle of a wrapped line. */
function threadRange(document: vscode.TextDocument, hunk: ReviewedHunk): vscode.Range {
  const { end } = document.lineAt(lastLine(hunk, document.lineCount)).range;
  return new vscode.Range(end, end);
}

function stateOf(isOpen: boolean): vscode.CommentThreadCollapsibleState {
  return isOpen ? vscode.CommentThreadCollapsibleState.Expanded : vscode.CommentThreadCollapsibleState.Collapsed;
}

/** Whether the thread of a change offers to decide on it. */
function canDecide(review: Review, hunk: ReviewedHunk): boolean {
  return review.whyNotAcceptable() === undefined && hunk.origin.kind !== 'file' && !review.isBeingDecided(hunk);
}
