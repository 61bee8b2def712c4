import * as vscode from 'vscode';
import type { PendingProposal } from '../../app/proposals/pending.js';
import { reportError } from '../reportError.js';
import { AdoptionNotes } from './decisions/adoptionNotes.js';
import { agreeSoon } from './documents/agreeWithDisk.js';
import { CandidateFiles } from './documents/candidateFiles.js';
import { CandidateStore } from './documents/candidateStore.js';
import { candidateLanguage, isCandidate, reviewId } from './documents/candidateUri.js';
import { DecisionSync } from '../../review/decisionSync.js';
import { FileFollower } from './documents/fileFollower.js';
import { plainText } from '../../review/proposalTexts.js';
import type { Review } from './review.js';
import type { ReviewHost } from './reviewHost.js';
import { beginReview, findReview, type ReviewSubject } from './beginReview.js';
import { UndoneFiles } from './decisions/undoneFiles.js';
import { reviewTabs } from './documents/shownCandidates.js';

/** A review with those who keep its surroundings right. */
export interface OpenReview {
  readonly review: Review;
  readonly follower: FileFollower;
  readonly decisions: DecisionSync;
  readonly notes: AdoptionNotes;
  readonly undone: UndoneFiles;
  readonly host: Pick<ReviewHost, 'refuseWrite' | 'saveTogether'>;
  /** Tells everybody who shows it, in this very turn. */
  readonly tell: () => void;
  /** Files in which nothing waits to be saved but what accepting put there. */
  readonly clean: Set<string>;
}

const settleMs = 120;

/** Every review of this window: opened when a proposal is shown or asked about, told of every change to its texts. */
export class Reviews implements vscode.Disposable {
  readonly host: ReviewHost;
  readonly store: CandidateStore;
  readonly #changed = new vscode.EventEmitter<Review>();
  /** Fires a moment after one of its two texts changed. */
  readonly onDidChange = this.#changed.event;
  readonly #files: CandidateFiles;
  readonly #notes: AdoptionNotes;
  readonly #undone: UndoneFiles;
  readonly #open = new Map<string, Promise<OpenReview | undefined>>();
  readonly #ready = new Map<string, OpenReview>();
  readonly #lastTexts = new Map<string, string>();
  readonly #clean = new Set<string>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #disposables: vscode.Disposable[];

  constructor(host: ReviewHost) {
    this.host = host;
    this.store = new CandidateStore(host.storage);
    this.#files = new CandidateFiles(this.store);
    this.#notes = new AdoptionNotes(host);
    this.#undone = new UndoneFiles(host, this.#notes);
    this.#disposables = [
      this.#changed,
      this.#files,
      vscode.workspace.onDidOpenTextDocument((document) => this.#opened(document)),
      vscode.workspace.onDidChangeTextDocument((event) => this.#textChanged(event)),
      vscode.workspace.onDidSaveTextDocument((document) => this.#saved(document)),
      host.onDidChange((skillPath) => void this.#hostChanged(skillPath)),
      new vscode.Disposable(() => {
        for (const timer of this.#timers.values()) clearTimeout(timer);
        for (const { follower } of this.#ready.values()) follower.dispose();
      }),
    ];
    for (const document of vscode.workspace.textDocuments) this.#opened(document);
    void this.#restore().catch(reportError);
  }

  /** The reviews of the documents of a skill's proposal, begun if nobody has looked at them yet. */
  async ofSkill(skillPath: string): Promise<readonly OpenReview[]> {
    const pending = await this.host.pending(skillPath);
    if (pending === undefined) return [];
    const opened = pending.proposal.documents.map((document) => this.#begun({ skillPath, pending, document }));
    return (await Promise.all(opened)).filter((open) => open !== undefined);
  }

  /** A review with those of the proposal's other documents, in its order; without what cannot be opened now, as a file that is gone. */
  async together(own: OpenReview): Promise<readonly OpenReview[]> {
    const { skillPath, pending, document: ownDocument } = own.review;
    const opened = pending.proposal.documents.map(async (document) =>
      document.path === ownDocument.path ? own : this.#begun({ skillPath, pending, document }).catch(() => undefined),
    );
    return (await Promise.all(opened)).filter((open) => open !== undefined);
  }

  /** The review behind a proposal's document. */
  async ofCandidate(uri: vscode.Uri): Promise<OpenReview | undefined> {
    return this.#once(uri.authority, () => findReview(this.host, this.store, uri.authority));
  }

  /** Reviews of a file that have been begun in this window. */
  ofFile(uri: vscode.Uri): readonly OpenReview[] {
    return [...this.#ready.values()].filter(({ review }) => review.file.toString() === uri.toString());
  }

  /** Reviews of a skill's documents that have been begun in this window. */
  begunOf(skillPath: string): readonly OpenReview[] {
    return [...this.#ready.values()].filter(({ review }) => review.skillPath === skillPath);
  }

  /** Reviews of a skill's file, begun if need be; of any other file those that have been. */
  async ofRealFile(uri: vscode.Uri): Promise<readonly OpenReview[]> {
    if (!uri.path.endsWith('/SKILL.md')) return this.ofFile(uri);
    return (await this.ofSkill(uri.fsPath)).filter(({ review }) => review.document.kind === 'skill');
  }

  /** Resolves once everybody knows what was decided on a skill's documents in this window: a press is a moment ahead of that. */
  async settled(skillPath: string): Promise<void> {
    for (const { review } of this.begunOf(skillPath)) await this.#settle(review.id);
  }

  /** Says at once that something about the review changed. */
  touch(review: Review): void {
    this.#soon(review, 0);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #begun(subject: ReviewSubject): Promise<OpenReview | undefined> {
    const { skillPath, pending, document } = subject;
    const id = reviewId(skillPath, pending.proposal.id, document.path);
    return this.#once(id, () => beginReview(this.store, subject));
  }

  /** Whoever asks first opens it; one that is not to be had is looked for again next time. */
  #once(id: string, open: () => Promise<Review | undefined>): Promise<OpenReview | undefined> {
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const opening = open().then((review) => (review === undefined ? undefined : this.#keep(review)));
    this.#open.set(id, opening);
    void opening.then(
      (found) => (found === undefined ? this.#open.delete(id) : true),
      () => this.#open.delete(id),
    );
    return opening;
  }

  #keep(review: Review): OpenReview {
    if (this.#ready.size === 0) this.#watchOtherWindows();
    const open: OpenReview = {
      review,
      follower: new FileFollower(review, (carried) => this.touch(carried)),
      decisions: new DecisionSync(review, this.host),
      notes: this.#notes,
      undone: this.#undone,
      host: this.host,
      tell: () => this.#changed.fire(review),
      clean: this.#clean,
    };
    this.#ready.set(review.id, open);
    const real = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === review.file.toString());
    if (real !== undefined) this.#look(open, real);
    return open;
  }

  /** What an editor shows is told to the review; where nothing in it is unsaved, only once it agrees with the disk, or the disk's own. */
  #look({ review, follower }: OpenReview, document: vscode.TextDocument): void {
    this.#noteClean(document);
    if (document.isDirty) follower.fileChanged(plainText(document.getText()));
    else void agreeSoon(review.file).then(({ text }) => follower.fileChanged(plainText(text)), reportError);
  }

  #opened(document: vscode.TextDocument): void {
    if (isCandidate(document.uri)) {
      this.#lastTexts.set(document.uri.toString(), plainText(document.getText()));
      void this.#attach(document).catch(reportError);
    }
    for (const open of this.ofFile(document.uri)) this.#look(open, document);
  }

  async #attach(document: vscode.TextDocument): Promise<void> {
    // A name like SKILL.md, or an association of the person's, gives another language than the one with our defaults.
    if (document.languageId !== candidateLanguage) {
      await vscode.languages.setTextDocumentLanguage(document, candidateLanguage);
      return;
    }
    const open = await this.ofCandidate(document.uri);
    if (open !== undefined) this.touch(open.review);
  }

  #textChanged({ document, reason, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const concerned = this.#concerned(document.uri);
    // That a document became dirty is told by an event of its own, after the one about its text.
    if (document.isDirty) for (const { decisions } of concerned) decisions.noteTyping();
    if (contentChanges.length === 0) {
      if (concerned.length > 0) this.#noteClean(document);
      if (!document.isDirty) this.#notes.clean(document.uri, plainText(document.getText()));
      return;
    }
    if (isCandidate(document.uri)) this.#candidateChanged(document);
    else for (const open of concerned) this.#fileChanged(open, document, reason);
  }

  #concerned(uri: vscode.Uri): readonly OpenReview[] {
    if (!isCandidate(uri)) return this.ofFile(uri);
    const open = this.#ready.get(uri.authority);
    return open === undefined ? [] : [open];
  }

  #candidateChanged(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    const before = this.#lastTexts.get(key) ?? '';
    const after = plainText(document.getText());
    this.#lastTexts.set(key, after);
    const open = this.#ready.get(document.uri.authority);
    if (open === undefined) return;
    void open.follower.candidateChanged(before, after).catch(reportError);
    this.#soon(open.review, settleMs);
  }

  #fileChanged(
    { review, follower }: OpenReview,
    document: vscode.TextDocument,
    reason: vscode.TextDocumentChangeReason | undefined,
  ): void {
    // Undo brings edits back, also while what it takes back is still being saved: they can be decided anew.
    if (reason !== undefined) review.deciding.clear();
    const wasClean = this.#clean.delete(document.uri.toString());
    const kind = follower.fileChanged(plainText(document.getText()));
    // Undo of what we saved leaves the file dirty: it is put back on disk, as it was before the accept.
    if (kind === 'accept-step' && reason !== undefined && wasClean) {
      void this.host.adoptions
        .saving(review.skillPath, () => this.#undone.saveUndone(review, document))
        .catch(reportError);
    }
    setTimeout(() => this.#noteClean(document), settleMs);
    this.#soon(review, settleMs);
  }

  #noteClean(document: vscode.TextDocument): void {
    if (!document.isDirty) this.#clean.add(document.uri.toString());
  }

  #saved(document: vscode.TextDocument): void {
    if (this.ofFile(document.uri).length === 0) return;
    this.#clean.add(document.uri.toString());
    void this.#notes.saved(document.uri).catch(reportError);
  }

  async #hostChanged(skillPath: string | undefined): Promise<void> {
    const concerned = [...this.#ready.values()].filter(
      ({ review }) => skillPath === undefined || review.skillPath === skillPath,
    );
    for (const { review, decisions } of concerned) {
      const pending: PendingProposal | undefined = await this.host.pending(review.skillPath);
      review.reload(pending);
      if (pending !== undefined) decisions.reload();
      this.touch(review);
    }
  }

  #soon(review: Review, ms: number): void {
    clearTimeout(this.#timers.get(review.id));
    this.#timers.set(
      review.id,
      setTimeout(() => void this.#settle(review.id).catch(reportError), ms),
    );
  }

  async #settle(id: string): Promise<void> {
    const open = this.#ready.get(id);
    if (open === undefined) return;
    this.#changed.fire(open.review);
    // What an accept has begun to save is on disk first: told before, a kill in between would put away a proposal of which
    // nothing was written.
    await open.review.exclusively(() => Promise.resolve());
    await open.decisions.settle(await open.review.snapshot());
  }

  #watchOtherWindows(): void {
    this.#disposables.push(
      this.store.watch((id, what) => {
        if (what === 'text') this.#files.refresh(id);
        const open = this.#ready.get(id);
        if (what === 'memo' && open !== undefined) void open.review.reread().then(() => this.touch(open.review));
      }),
    );
  }

  /** A tab whose proposal is gone would only say that its file was not found. */
  async #restore(): Promise<void> {
    for (const { tab, candidate } of reviewTabs()) {
      if ((await this.ofCandidate(candidate)) === undefined) await vscode.window.tabGroups.close(tab);
    }
  }
}
