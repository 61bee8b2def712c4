import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { alignedHunks } from '../../../src/skill/edits/alignedHunks.js';
import { plainText } from '../../../src/review/proposalTexts.js';
import { applyHunks } from '../../../src/skill/edits/hunks.js';
import { until } from '../until.js';
import { inProposal, onDisk, press, rowsOf, textOf, type ReviewWindow } from './reviewWindow.js';

/** The two texts of a review at one moment. */
interface Moment {
  readonly real: string;
  readonly candidate: string;
}

const actions = ['accept', 'reject', 'typeInProposal', 'typeInFile', 'undo', 'redo', 'revertBlock', 'save'] as const;
export type Action = (typeof actions)[number];

/**
 * A reviewer without a plan: does one thing after the other, chosen by a seed, and looks after each whether all is right.
 * Every edit of the proposal has a reason of its own (`Reason 3.`), by which its row is recognised.
 */
export class ScriptedReviewer {
  readonly #window: ReviewWindow;
  readonly #random: () => number;
  readonly #moments: Moment[] = [];
  /** Words that the person wrote into the file and has not taken back. */
  readonly #written = new Set<string>();
  readonly #decided = new Set<string>();
  readonly #log: string[] = [];
  #words = 0;

  constructor(window: ReviewWindow, random: () => number) {
    this.#window = window;
    this.#random = random;
  }

  /** What was done so far, for the message of a test that fails. */
  get story(): string {
    return this.#log.join(', ');
  }

  async act(): Promise<void> {
    const before = await this.#look();
    if (this.#moments.length === 0) this.#moments.push(before);
    const action = this.#pick(actions);
    this.#log.push(action);
    await this.#do(action, before);
    await this.#check(action, before);
  }

  /** Takes all that is left and takes that back: the file is then the proposal, and after it what it was, on disk too. */
  async finish(): Promise<void> {
    const before = await this.#settled();
    if (!/^Accept All(?: in This File)? \|/m.test(before.rows)) return;
    this.#log.push('acceptAll');
    await vscode.commands.executeCommand('whetstone.acceptAllHunks', { candidate: this.#window.candidate.toString() });
    const { now, rows } = await this.#settled();
    const left = rows.split('\n').filter((row) => /\d+ of \d+ · /.test(row));
    for (const row of left)
      assert.match(row, /you changed (?:the|this in the) file/i, 'left to decide without a reason');
    if (left.length === 0) assert.equal(now.real, now.candidate, 'the file with all that was left is the proposal');
    this.#log.push('undo');
    await inProposal('undo');
    assert.equal((await this.#settled()).now.real, before.now.real, 'one undo takes all of it back');
  }

  async #do(action: Action, { real, candidate }: Moment): Promise<void> {
    switch (action) {
      case 'accept':
      case 'reject':
        return this.#decide(action);
      case 'typeInProposal':
        return this.#type(this.#window.candidate, candidate);
      case 'typeInFile':
        return this.#type(this.#window.file, real);
      case 'undo':
      case 'redo':
        return inProposal(action);
      case 'revertBlock':
        return this.#revert(real, candidate);
      case 'save':
        await (await vscode.workspace.openTextDocument(this.#window.file)).save();
    }
  }

  async #decide(action: 'accept' | 'reject'): Promise<void> {
    const rows = (await rowsOf(this.#window.candidate)).filter((row) => /\d+ of \d+ · E\d/.test(row));
    if (rows.length === 0) return;
    const together = editsOf(this.#pick(rows));
    const [edit = ''] = together;
    this.#log.push(edit);
    if (action === 'accept') await press(this.#window.candidate, 'Accept', new RegExp(`\\b${edit}\\b`));
    else {
      const { skillPath } = this.#window;
      await vscode.commands.executeCommand('whetstone.rejectHunk', { skillPath, edits: [edit], reason: undefined });
    }
    for (const each of together) this.#decided.add(each);
  }

  async #type(uri: vscode.Uri, text: string): Promise<void> {
    this.#words += 1;
    const words = `Own words ${this.#words}.`;
    const line = Math.floor(this.#random() * text.split('\n').length);
    const change = new vscode.WorkspaceEdit();
    change.insert(uri, new vscode.Position(line, 0), `${words}\n`);
    await vscode.workspace.applyEdit(change);
    if (uri === this.#window.file) this.#written.add(words);
  }

  /** What the arrow in the diff does: the proposal's lines become the file's. */
  async #revert(real: string, candidate: string): Promise<void> {
    const hunks = alignedHunks(real, candidate);
    if (hunks.length === 0) return;
    const hunk = this.#pick(hunks);
    const change = new vscode.WorkspaceEdit();
    const document = await vscode.workspace.openTextDocument(this.#window.candidate);
    const end = document.validatePosition(new vscode.Position(hunk.after.end, 0));
    const range = new vscode.Range(new vscode.Position(hunk.after.start, 0), end);
    change.replace(this.#window.candidate, range, hunk.beforeText);
    await vscode.workspace.applyEdit(change);
    for (const word of this.#written) if (!real.includes(word)) this.#written.delete(word);
  }

  async #check(action: Action, before: Moment): Promise<void> {
    const { now, rows } = await this.#settled();
    const hunks = alignedHunks(now.real, now.candidate);
    assert.equal(applyHunks(now.real, hunks), now.candidate, 'the file with all that is left is the proposal');
    const counted = [...rows.matchAll(/(\d+) of (\d+) · /g)].map(
      ([, number, of]) => [Number(number), Number(of)] as const,
    );
    const numbers = [...new Set(counted.map(([number]) => number))].toSorted((a, b) => a - b);
    assert.deepEqual(
      numbers,
      Array.from({ length: counted[0]?.[1] ?? 0 }, (_, at) => at + 1),
      `a number for each change:\n${rows}`,
    );
    assert.equal(counted.length > 0, hunks.length > 0, `rows while something is open:\n${rows}`);
    if (action === 'undo' || action === 'redo') this.#checkStep(now, before, rows);
    else {
      for (const word of this.#written) assert.ok(now.real.includes(word), `${word} is lost from the file`);
      for (const reason of this.#decided) {
        assert.ok(!editsOf(rows).includes(reason), `${reason} was decided and came back:\n${rows}`);
      }
    }
    this.#moments.push(now);
  }

  /** Undo and redo lead to texts that were there before, byte for byte; what they take back is open again. */
  #checkStep(now: Moment, before: Moment, rows: string): void {
    if (now.real !== before.real) {
      assert.ok(
        this.#moments.some(({ real }) => real === now.real),
        `an undo made another file:\n${now.real}`,
      );
    }
    for (const word of this.#written) if (!now.real.includes(word)) this.#written.delete(word);
    for (const reason of this.#decided) {
      if (editsOf(rows).includes(reason)) this.#decided.delete(reason);
    }
  }

  /** The proposal follows the file a moment later: looks until nothing moved for longer than that. */
  async #settled(): Promise<{ readonly now: Moment; readonly rows: string }> {
    let now = await this.#look();
    let since = Date.now();
    let waitsFor = 'the texts come to rest';
    const isStill = async (): Promise<boolean> => {
      const next = await this.#look();
      if (next.real === now.real && next.candidate === now.candidate) return true;
      [now, since] = [next, Date.now()];
      return false;
    };
    return until(
      async () => {
        waitsFor = 'the texts come to rest';
        if (!(await isStill()) || Date.now() - since < quietMs) return undefined;
        waitsFor = `the file on disk is what its editor says:\n${now.real}`;
        if (!(await this.#isOnDisk())) return undefined;
        const rows = (await rowsOf(this.#window.candidate)).join('\n');
        return (await isStill()) ? { now, rows } : undefined;
      },
      () => waitsFor,
    );
  }

  /** What the editor calls saved is what lies on disk. */
  async #isOnDisk(): Promise<boolean> {
    const file = await vscode.workspace.openTextDocument(this.#window.file);
    return file.isDirty || (await onDisk(this.#window.skillPath)) === file.getText();
  }

  async #look(): Promise<Moment> {
    const [real, candidate] = [await textOf(this.#window.file), await textOf(this.#window.candidate)];
    return { real: plainText(real), candidate: plainText(candidate) };
  }

  #pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.#random() * values.length)];
    if (value === undefined) throw new Error('there is nothing to choose from');
    return value;
  }
}

const quietMs = 320; // longer than the proposal waits before it follows the file

/** The same numbers for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The edits that rows are about. */
function editsOf(rows: string): readonly string[] {
  return [...rows.matchAll(/of \d+ · (E\d+(?:, E\d+)*)/g)].flatMap(([, ids = '']) => ids.split(', '));
}
