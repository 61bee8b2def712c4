import { PatternError } from './pattern.js';

const deepestNesting = 100;

/** Reads an expression from left to right, and knows the groups that are closed. */
export class PatternReader {
  readonly #source: string;
  readonly #closed = new Set<number>();
  readonly #names = new Map<string, number>();
  #groups = 0;
  #depth = 0;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get at(): number {
    return this.#at;
  }

  get done(): boolean {
    return this.#at >= this.#source.length;
  }

  sees(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  eat(text: string): boolean {
    if (!this.sees(text)) return false;
    this.#at += text.length;
    return true;
  }

  /** What a sticky expression matches here, and moves past it. */
  take(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.#at;
    const match = sticky.exec(this.#source) ?? undefined;
    this.#at += match?.[0].length ?? 0;
    return match;
  }

  rest(length: number): string {
    return this.#source.slice(this.#at, this.#at + length);
  }

  /** The next character, whole. */
  next(): number {
    const code = this.#source.codePointAt(this.#at);
    if (code === undefined) throw new PatternError('the expression ends too early', this.#at);
    this.#at += code > 0xffff ? 2 : 1;
    return code;
  }

  deeper<T>(read: () => T): T {
    if (this.#depth >= deepestNesting) throw new PatternError('the groups are nested too deeply', this.#at);
    this.#depth += 1;
    const result = read();
    this.#depth -= 1;
    return result;
  }

  openGroup(): number {
    this.#groups += 1;
    return this.#groups;
  }

  closeGroup(number: number, name: string | undefined): void {
    this.#closed.add(number);
    if (name === undefined) return;
    if (this.#names.has(name)) throw new PatternError(`two groups have the name “${name}”`, this.#at);
    this.#names.set(name, number);
  }

  groupNamed(name: string, at: number): number {
    const number = this.#names.get(name);
    if (number === undefined) throw new PatternError(`no group before this has the name “${name}”`, at);
    return number;
  }

  groupNumbered(number: number, at: number): number {
    if (!this.#closed.has(number)) throw new PatternError(`there is no closed group ${number} before this`, at);
    return number;
  }
}
