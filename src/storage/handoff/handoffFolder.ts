import { randomUUID } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { canonicalJson } from '../../hash.js';
import type { HandoffAnswer, HandoffPrompts, HandoffQuestion } from '../../ports/handoff.js';
import type { ModelRequest } from '../../ports/languageModel.js';
import type { ReplyStore } from '../../ports/stores.js';
import { unlessMissing } from '../files/fileErrors.js';
import { refuseLeaving, removeInside, writeInside } from '../files/writeInside.js';
import type { Places } from '../state/places.js';
import type { SkillStore } from '../state/store.js';
import { lookAtAnswer, readAnswer, type AnswerReading } from './answerFile.js';
import {
  aboutName,
  aboutOf,
  aboutText,
  closeToOthers,
  isOwnDraft,
  isPlainName,
  refuseStrangers,
  removeOwnFolder,
} from './ownFolder.js';
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
  /** How many more were left whose names are no names of prompts, and not told: anything may stand in them. */
  readonly unnamed: number;
  /** Prompts that wait because the last reply to them was not of the form that was asked for. */
  readonly formless: number;
}

/** The prompts of a run, and what ends a round of them. */
export interface OpenHandoff extends HandoffPrompts {
  /** How many of those that were asked now have no answer, and what they would take at most. */
  promised(): { readonly calls: number; readonly tokens: number };
  /** Takes the answers that lie there, takes their files away and prompts that nobody asks for now, then writes what waits. */
  endRound(): Promise<HandoffRound>;
  /** The run is over: nothing of it waits. */
  remove(): Promise<void>;
}

/** All folders of prompts lie in one. */
export function handoffsFolder({ workspaceState }: Pick<Places, 'workspaceState'>): string {
  return path.join(workspaceState, 'handoff');
}

/**
 * Prompts as files, each named by a keyed hash of the run and of all that its answer depends on, the number of the sample
 * included: the same question finds its answer whenever it comes again in the run, repeats are files of their own, and
 * neither name nor order tells anything about a task. An answer is stored in `taken` before it is used, so that a kill loses
 * none, and goes with its prompt before the next prompts are written: an optimizer's question quotes training tasks, and
 * whoever found it beside the others would know which ones are held out.
 */
export function openHandoff(store: SkillStore, subject: HandoffSubject, taken: ReplyStore): OpenHandoff {
  return new FolderOfPrompts(store, subject, taken);
}

type AskedPrompt = WaitingPrompt & { readonly tokens: number; readonly text: string };

class FolderOfPrompts implements OpenHandoff {
  readonly #store: SkillStore;
  readonly #subject: HandoffSubject;
  readonly #folder: string;
  readonly #waiting = new Map<string, AskedPrompt>();
  readonly #refused = new Map<string, RefusedAnswer>();
  readonly #asking = new Map<string, Promise<HandoffAnswer>>();
  readonly #taken: ReplyStore;
  #opened: Promise<string> | undefined;

  constructor(store: SkillStore, subject: HandoffSubject, taken: ReplyStore) {
    this.#store = store;
    this.#taken = taken;
    this.#subject = subject;
    this.#folder = path.join(handoffsFolder(store.places), subject.name);
  }

  async ask(asked: HandoffQuestion, signal: AbortSignal): Promise<HandoffAnswer> {
    this.#opened ??= this.#open();
    const name = nameOf(this.#store, await this.#opened, asked);
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
    await refuseStrangers(this.#store, this.#folder);
    const left = await this.#clear();
    // In the order of their names: that in which they were asked would tell the tasks apart, and so would their times.
    const waiting = [...this.#waiting.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const asked of waiting) await this.#writePrompt(asked);
    const own = [...this.#refused.values()].filter(({ name }) => this.#waiting.has(name));
    const named = left.filter(({ name }) => isPlainName(name));
    const refused = [...own, ...named.slice(0, mostNamed)];
    const unnamed = left.length - named.length;
    await this.#write(indexName, indexText(this.#subject, waiting, refused, unnamed));
    const formless = waiting.filter((each) => each.formless).length;
    return { folder: this.#folder, waiting: waiting.length, refused, unnamed, formless };
  }

  async remove(): Promise<void> {
    await removeOwnFolder(this.#store, this.#folder);
  }

  async #ask(name: string, request: ModelRequest, signal: AbortSignal): Promise<HandoffAnswer> {
    const answer = await this.#take(name, signal);
    if (answer.kind === 'complete') return { kind: 'answered', text: answer.text };
    if (answer.kind === 'refused') this.#refused.set(name, { name, why: answer.why });
    const text = promptText(name, request);
    const tokens = Math.ceil(text.length / 4) + request.maxOutputTokens;
    this.#waiting.set(name, { name, wants: wantsOf(request), formless: request.formless === true, tokens, text });
    return { kind: 'waiting' };
  }

  /** What was taken before, else what lies there, which is stored first. */
  async #take(name: string, signal: AbortSignal): Promise<AnswerReading> {
    const key = await this.#keyOf(name);
    const before = await this.#taken.get(key);
    if (before !== undefined) return { kind: 'complete', text: before.text };
    const answer = await readAnswer(this.#place(name, answerEnding), this.#store.clock, signal);
    if (answer.kind === 'complete') await this.#taken.put(key, { ...unmeasured, text: answer.text });
    return answer;
  }

  async #keyOf(name: string): Promise<string> {
    this.#opened ??= this.#open();
    return `answer by hand ${await this.#opened} ${name}`;
  }

  /**
   * Gives what the names hang on: a measurement that is made again is another run, and goes on with the prompts of the one
   * before. Nothing is read through a link that somebody put in the place of the folder.
   */
  async #open(): Promise<string> {
    const { skill, run, goesOn } = this.#subject;
    await refuseStrangers(this.#store, this.#folder);
    const id = goesOn === 'resume' ? run : ((await aboutOf(this.#store, this.#folder))?.id ?? randomUUID());
    await this.#write(aboutName, aboutText(this.#store, this.#folder, { skill, run, id }));
    await refuseLeaving(this.#store.places.workspaceState, this.#folder);
    await closeToOthers(this.#folder);
    return id;
  }

  /** Of prompts that are not asked now none stays, whoever asked them before, nor a draft of one that a kill left. Gives the answers that were left. */
  async #clear(): Promise<readonly RefusedAnswer[]> {
    const { prompts, answers, drafts } = await promptsIn(this.#folder);
    const left: RefusedAnswer[] = [];
    for (const draft of drafts) await this.#remove(draft, '');
    for (const name of [...answers].filter((each) => !this.#waiting.has(each))) {
      const why = await this.#whyLeft(name, prompts.includes(name));
      if (why !== undefined) left.push({ name, why });
      // The prompt first: without its answer it would seem to wait.
      if (prompts.includes(name)) await this.#remove(name, promptEnding);
      if (why === undefined) await this.#remove(name, answerEnding);
    }
    for (const name of prompts.filter((each) => !answers.has(each) && !this.#waiting.has(each)))
      await this.#remove(name, promptEnding);
    return left;
  }

  /** Undefined where exactly this answer was taken, now or before. */
  async #whyLeft(name: string, isPrompt: boolean): Promise<string | undefined> {
    const signal = new AbortController().signal;
    const taken = isPrompt ? await this.#take(name, signal) : await this.#takenBefore(name);
    if (taken.kind === 'refused') return taken.why;
    if (taken.kind === 'missing') return 'no prompt has that name';
    const there = await lookAtAnswer(this.#place(name, answerEnding));
    if (there.kind === 'refused') return there.why;
    return there.kind === 'complete' && there.text !== taken.text ? 'another answer was taken before' : undefined;
  }

  async #takenBefore(name: string): Promise<AnswerReading> {
    const before = await this.#taken.get(await this.#keyOf(name));
    return before === undefined ? { kind: 'missing' } : { kind: 'complete', text: before.text };
  }

  #place(name: string, ending: string): string {
    return path.join(this.#folder, `${name}${ending}`);
  }

  #remove(name: string, ending: string): Promise<void> {
    return removeInside(this.#store.places.workspaceState, this.#place(name, ending));
  }

  /** A file that somebody wrote into is left as it is: what they wrote may be an answer. */
  async #writePrompt({ name, text }: AskedPrompt): Promise<void> {
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

/** What it took is estimated by whoever uses it. */
const unmeasured = {
  finish: 'stop',
  toolCalls: [],
  usage: { inputTokens: 0, outputTokens: 0, exact: false },
  cached: false,
} as const;

interface FilesOfPrompts {
  readonly prompts: readonly string[];
  readonly answers: ReadonlySet<string>;
  readonly drafts: readonly string[];
}

/** The names of the prompts in a folder, and of the answers there, whatever they hold; drafts by their whole names. */
export async function promptsIn(folder: string): Promise<FilesOfPrompts> {
  const files = (await unlessMissing(readdir(folder))) ?? [];
  const named = (ending: string): readonly string[] =>
    files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length));
  const prompts = named(promptEnding).filter((name) => /^[0-9a-f]{16}$/.test(name)); // a copy of one asks for nothing
  return {
    prompts,
    answers: new Set(named(answerEnding)),
    drafts: files.filter(isOwnDraft),
  };
}

/** How long the person waits, and that a stored reply cannot be read, change no answer. `of` is the run. */
export function nameOf({ key }: Pick<SkillStore, 'key'>, of: string, { request, answeredBy }: HandoffQuestion): string {
  const { timeoutMs: _waits, restMs: _rest, again: _anew, formless: _said, ...asked } = request;
  return key.mac(`handoff ${canonicalJson({ of, answeredBy, asked })}`).slice(0, 16);
}
