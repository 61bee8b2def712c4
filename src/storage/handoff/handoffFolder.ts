import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { canonicalJson } from '../../hash.js';
import type { HandoffAnswer, HandoffPrompts, HandoffQuestion } from '../../ports/handoff.js';
import type { ModelRequest } from '../../ports/languageModel.js';
import { unlessMissing } from '../files/fileErrors.js';
import { refuseLeaving, removeInside, writeInside } from '../files/writeInside.js';
import type { Places } from '../state/places.js';
import type { SkillStore } from '../state/store.js';
import { readAnswer } from './answerFile.js';
import {
  answerEnding,
  indexName,
  indexText,
  promptEnding,
  promptText,
  wantsOf,
  type RefusedAnswer,
  type WaitingPrompt,
} from './promptText.js';

/** Whose prompts these are. `name` is that of their folder. */
export interface HandoffSubject {
  readonly name: string;
  readonly skill: string;
  readonly run: string;
  readonly skillPath: string;
  /** Whether it is resumed once they have answered, or begun again, which finds the answers. */
  readonly goesOn: 'resume' | 'again';
}

/** What a run leaves that has asked all that it can. */
export interface HandoffRound {
  readonly folder: string;
  readonly waiting: number;
  readonly refused: readonly RefusedAnswer[];
}

/** The prompts of a run, and what ends a round of them. */
export interface OpenHandoff extends HandoffPrompts {
  /** How many of those that were asked now have no answer, and what they would take at most. */
  promised(): { readonly calls: number; readonly tokens: number };
  /** Writes what waits, and the index; takes away prompts that nobody asks for any more and that have no answer. */
  endRound(): Promise<HandoffRound>;
  /** The run is over: nothing of it waits. */
  remove(): Promise<void>;
}

/** All folders of prompts lie in one. */
export function handoffsFolder({ workspaceState }: Pick<Places, 'workspaceState'>): string {
  return path.join(workspaceState, 'handoff');
}

/**
 * Prompts as files, each named by a keyed hash of all that its answer depends on, the number of the sample included: the
 * same question finds its answer whenever it comes again, repeats are files of their own, and neither name nor order tells
 * anything about a task. Answers stay until the run is over, so that a kill loses none.
 */
export function openHandoff(store: SkillStore, subject: HandoffSubject): OpenHandoff {
  return new FolderOfPrompts(store, subject);
}

type Asked = WaitingPrompt & { readonly tokens: number; readonly text: string };

class FolderOfPrompts implements OpenHandoff {
  readonly #store: SkillStore;
  readonly #subject: HandoffSubject;
  readonly #folder: string;
  readonly #waiting = new Map<string, Asked>();
  readonly #refused = new Map<string, RefusedAnswer>();
  readonly #asking = new Map<string, Promise<HandoffAnswer>>();
  #opened: Promise<void> | undefined;

  constructor(store: SkillStore, subject: HandoffSubject) {
    this.#store = store;
    this.#subject = subject;
    this.#folder = path.join(handoffsFolder(store.places), subject.name);
  }

  ask(asked: HandoffQuestion, signal: AbortSignal): Promise<HandoffAnswer> {
    const name = nameOf(this.#store, asked);
    const known = this.#asking.get(name) ?? this.#ask(name, asked.request, signal);
    this.#asking.set(name, known);
    known.catch(() => this.#asking.delete(name));
    return known;
  }

  promised(): { readonly calls: number; readonly tokens: number } {
    const tokens = [...this.#waiting.values()].reduce((sum, asked) => sum + asked.tokens, 0);
    return { calls: this.#waiting.size, tokens };
  }

  async endRound(): Promise<HandoffRound> {
    await Promise.allSettled(this.#asking.values());
    const unasked = await this.#dropForgotten();
    // In the order of their names: that in which they were asked would tell the tasks apart, and so would their times.
    const waiting = [...this.#waiting.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const asked of waiting) await this.#writePrompt(asked);
    const own = [...this.#refused.values()].filter(({ name }) => this.#waiting.has(name));
    const refused = [...own, ...unasked.slice(0, mostNamed).map((name) => ({ name, why: 'no prompt has that name' }))];
    await this.#write(indexName, indexText(this.#subject, waiting, refused));
    return { folder: this.#folder, waiting: waiting.length, refused };
  }

  async remove(): Promise<void> {
    await removeInside(this.#store.places.workspaceState, this.#folder);
  }

  async #ask(name: string, request: ModelRequest, signal: AbortSignal): Promise<HandoffAnswer> {
    await this.#open();
    const answer = await readAnswer(path.join(this.#folder, `${name}${answerEnding}`), this.#store.clock, signal);
    if (answer.kind === 'complete') return { kind: 'answered', text: answer.text };
    if (answer.kind === 'refused') this.#refused.set(name, { name, why: answer.why });
    const text = promptText(name, request);
    const tokens = Math.ceil(text.length / 4) + request.maxOutputTokens;
    this.#waiting.set(name, { name, wants: wantsOf(request), tokens, text });
    return { kind: 'waiting' };
  }

  /** Nothing is read through a link that somebody put in the place of the folder. */
  #open(): Promise<void> {
    const about = { format: 'whetstone-handoff', version: 1, skill: this.#subject.skill, run: this.#subject.run };
    this.#opened ??= this.#write(aboutName, `${JSON.stringify(about)}\n`).then(() =>
      refuseLeaving(this.#store.places.workspaceState, this.#folder),
    );
    return this.#opened;
  }

  /** Gives the answers that no prompt asks for. */
  async #dropForgotten(): Promise<readonly string[]> {
    const { prompts, answers } = await promptsIn(this.#folder);
    const forgotten = prompts.filter((name) => !answers.has(name) && !this.#waiting.has(name));
    for (const name of forgotten)
      await removeInside(this.#store.places.workspaceState, path.join(this.#folder, `${name}${promptEnding}`));
    return [...answers].filter((name) => !prompts.includes(name) && !this.#waiting.has(name));
  }

  /** A file that somebody wrote into is left as it is: what they wrote may be an answer. */
  async #writePrompt({ name, text }: Asked): Promise<void> {
    const file = `${name}${promptEnding}`;
    const found = await unlessMissing(lstat(path.join(this.#folder, file)));
    if (found?.isFile() !== true) await this.#write(file, text);
    else if (found.size !== Buffer.byteLength(text) && !this.#refused.has(name))
      this.#refused.set(name, { name, why: 'the prompt was changed instead, and the reply belongs into this file' });
  }

  #write(file: string, text: string): Promise<void> {
    const { places, probe } = this.#store;
    const how = { mode: 0o600, survives: 'process', probe } as const;
    return writeInside(places.workspaceState, path.join(this.#folder, file), text, how);
  }
}

/** Of answers that nothing asks for. */
const mostNamed = 5;

const aboutName = 'about.json';

/** The names of the prompts in a folder, and of the answers there, whatever they hold. */
export async function promptsIn(
  folder: string,
): Promise<{ readonly prompts: readonly string[]; readonly answers: ReadonlySet<string> }> {
  const files = (await unlessMissing(readdir(folder))) ?? [];
  const named = (ending: string): readonly string[] =>
    files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length));
  return { prompts: named(promptEnding), answers: new Set(named(answerEnding)) };
}

/** How long the person waits, and that a stored reply cannot be read, change no answer. */
export function nameOf({ key }: Pick<SkillStore, 'key'>, { request, answeredBy }: HandoffQuestion): string {
  const { timeoutMs: _waits, again: _anew, ...asked } = request;
  return key.mac(`handoff ${canonicalJson({ answeredBy, asked })}`).slice(0, 16);
}
