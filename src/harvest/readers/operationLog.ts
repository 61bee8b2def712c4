import { at, listAt } from '../fields.js';
import { longestText } from '../sessionDraft.js';

/** What is kept of a value: a text or a number, the texts that a function gives for it, or the same for each of its parts. */
export type Shape =
  | 'plain'
  | ((value: unknown) => unknown)
  | { readonly each: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

type LogValue = string | number | boolean | null | undefined | LogValue[] | Map<string, LogValue>;

/**
 * The state that a log of changes to a JSON value leads to (VS Code's `objectMutationLog`), of which only what a shape names
 * is kept: a log may be hundreds of megabytes of tool results. Names that the shape does not list are not even looked up.
 */
export class OperationLog {
  readonly #shape: Shape;
  #state: LogValue;

  constructor(shape: Shape) {
    this.#shape = shape;
  }

  /** False where the change is of a kind that is not known, or fits nothing that is there. */
  apply(change: unknown): boolean {
    const [kind, path, value] = [at(change, 'kind'), listAt(change, 'k'), at(change, 'v')];
    if (kind === 0) this.#state = keep(value, this.#shape);
    else if (kind === 1 || kind === 3) return this.#set(path, kind === 1 ? value : undefined);
    else if (kind === 2) return this.#push(path, at(change, 'i'), listAt(change, 'v'));
    return kind === 0;
  }

  /** With objects and lists. */
  get value(): unknown {
    return plain(this.#state);
  }

  /** Gives up what stands in all but the last places of a list; their numbers stay. */
  forget(name: string, most: number): void {
    const list = this.#state instanceof Map ? this.#state.get(name) : undefined;
    if (!Array.isArray(list)) return;
    for (let index = list.length - most - 1; index >= 0 && list[index] !== undefined; index -= 1)
      list[index] = undefined;
  }

  #set(path: readonly unknown[], value: unknown): boolean {
    const shape = this.#shapeAt(path);
    if (path.length === 0 || shape === undefined) return path.length > 0; // of what is not kept
    const [holder, name] = [this.#at(path.slice(0, -1)), path.at(-1)];
    if (holder instanceof Map && typeof name === 'string') holder.set(name, keep(value, shape));
    else if (Array.isArray(holder) && isPlace(name, holder.length)) holder[name] = keep(value, shape);
    else return false;
    return true;
  }

  /** Cuts the list to a length where one is given, and adds; a list that is not there yet begins. */
  #push(path: readonly unknown[], length: unknown, values: readonly unknown[]): boolean {
    const shape = this.#shapeAt(path);
    if (shape === undefined || typeof shape !== 'object' || !('each' in shape)) return true;
    if (!Array.isArray(this.#at(path)) && !this.#set(path, [])) return false;
    const list = this.#at(path);
    if (!Array.isArray(list)) return false;
    if (length !== undefined) {
      if (!isPlace(length, list.length)) return false;
      list.length = length;
    }
    for (const value of values) list.push(keep(value, shape.each));
    return true;
  }

  #shapeAt(path: readonly unknown[]): Shape | undefined {
    let shape: Shape | undefined = this.#shape;
    for (const step of path) {
      if (typeof shape !== 'object') return undefined;
      if ('each' in shape) shape = typeof step === 'number' ? shape.each : undefined;
      else shape = typeof step === 'string' && Object.hasOwn(shape.fields, step) ? shape.fields[step] : undefined;
    }
    return shape;
  }

  #at(path: readonly unknown[]): LogValue {
    let found: LogValue = this.#state;
    for (const step of path) {
      if (found instanceof Map && typeof step === 'string') found = found.get(step);
      else if (Array.isArray(found) && typeof step === 'number') found = found[step];
      else return undefined;
    }
    return found;
  }
}

function isPlace(place: unknown, most: number): place is number {
  return typeof place === 'number' && Number.isInteger(place) && place >= 0 && place <= most;
}

/** A text is kept as one of its own, and one sign longer than what is kept of it later, which then sees that it was cut. */
function keep(value: unknown, shape: Shape): LogValue {
  if (typeof shape === 'function') return keep(shape(value), 'plain');
  if (shape === 'plain') {
    if (typeof value === 'string') return Buffer.from(value.slice(0, longestText + 1), 'utf16le').toString('utf16le');
    return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
  }
  if ('each' in shape) return Array.isArray(value) ? value.map((each: unknown) => keep(each, shape.each)) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map(
    Object.entries(shape.fields).map(
      ([name, inner]) => [name, keep(at(value, name), inner)] satisfies [string, LogValue],
    ),
  );
}

function plain(kept: LogValue): unknown {
  if (Array.isArray(kept)) return kept.map(plain);
  return kept instanceof Map ? Object.fromEntries([...kept].map(([name, each]) => [name, plain(each)])) : kept;
}
