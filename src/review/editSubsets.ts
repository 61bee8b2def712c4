import { sha256 } from '../hash.js';
import type { ProposedEdit } from '../ports/proposal.js';
import { isBlank, linesWithBreaks } from '../skill/document/lines.js';
import { parseSkill, printSkill } from '../skill/document/skillDocument.js';
import { applyEdits, type AppliedEdits } from '../skill/edits/applyEdits.js';
import type { CodeEdits, EditOutcome, EditScope } from '../skill/edits/edit.js';
import type { EditHunk } from '../skill/edits/editHunks.js';
import type { LineRange } from '../skill/edits/hunks.js';
import { anySize } from '../skill/edits/hunksOfEdits.js';

/** A document that edits are proposed for, and what they were allowed to do when they were proposed. */
export interface EditedDocument {
  readonly base: string;
  readonly edits: readonly ProposedEdit[];
  readonly scope: EditScope;
  readonly code: CodeEdits;
}

/** What some of the edits make of the base, applied in the order in which they were proposed. */
export interface TakenEdits {
  readonly text: string;
  /** By edit id: what each changes between the base and this text. */
  readonly hunks: ReadonlyMap<string, readonly EditHunk[]>;
  /** Those of them that find no place without the others, with the reason. */
  readonly lost: readonly {
    readonly id: string;
    readonly outcome: Exclude<EditOutcome, { readonly kind: 'applied' }>;
  }[];
}

const mostWork = 3_000_000; // characters that are gone through while choices are tried; a fraction of a second

/** What all edits of a document make of it. The tree and a review ask about the same document: it is found out once. */
interface WholeProposal {
  taken?: TakenEdits;
  units?: readonly (readonly string[])[];
}

const wholeProposals = new Map<string, WholeProposal>();
const mostKept = 20;

/** Every choice among the edits of one document: its text, and which edits can only be chosen together. */
export class EditSubsets {
  readonly #document: EditedDocument;
  readonly #taken = new Map<string, TakenEdits>();
  #work = 0;
  #whole: WholeProposal | undefined;

  constructor(document: EditedDocument) {
    this.#document = document;
  }

  get base(): string {
    return this.#document.base;
  }

  get ids(): readonly string[] {
    return this.#document.edits.map(({ id }) => id);
  }

  /**
   * The edits in groups that are decided together, in the order of the proposal. An edit stands alone unless it shares a
   * line with another, or finds its place only in what another wrote.
   */
  get units(): readonly (readonly string[])[] {
    return (this.#known().units ??= this.#findUnits());
  }

  /** These edits and all that are decided with them. */
  withTheirUnits(ids: Iterable<string>): ReadonlySet<string> {
    const chosen = new Set(ids);
    return new Set(this.units.filter((unit) => unit.some((id) => chosen.has(id))).flat());
  }

  /** False where so many edits more would take too long to apply: a stranger's proposal may be of any size. */
  canTry(edits: number): boolean {
    return this.#work + edits * this.#document.base.length <= mostWork;
  }

  take(ids: ReadonlySet<string>): TakenEdits {
    const chosen = this.#document.edits.filter(({ id }) => ids.has(id));
    const key = JSON.stringify(chosen.map(({ id }) => id));
    const known = this.#taken.get(key);
    if (known !== undefined) return known;
    const isWhole = chosen.length === this.#document.edits.length;
    const taken = isWhole ? (this.#known().taken ??= this.#apply(chosen)) : this.#apply(chosen);
    this.#work += chosen.length * this.#document.base.length;
    this.#taken.set(key, taken);
    return taken;
  }

  #known(): WholeProposal {
    return (this.#whole ??= knownOf(this.#document));
  }

  #apply(chosen: readonly ProposedEdit[]): TakenEdits {
    const { base, scope, code } = this.#document;
    const edits = chosen.map(({ edit }) => edit);
    // A person may take less than what made room for it: the size was a law for the run.
    const limits = { scope, code, sizeBudget: anySize };
    const applied = applyEdits(parseSkill(base), edits, limits);
    // Without a last line break, whoever adds a line at the end would seem to rewrite the one above it.
    const isOpen = base !== '' && !base.endsWith('\n');
    let lined: AppliedEdits | undefined = isOpen ? applyEdits(parseSkill(`${base}\n`), edits, limits) : applied;
    let hunks: ReadonlyMap<string, readonly EditHunk[]> | undefined;
    return {
      text: printSkill(applied.document),
      get hunks() {
        hunks ??= new Map(chosen.map(({ id }, at) => [id, lined?.pieces[at] ?? []]));
        lined = undefined; // it holds the whole text before and after each edit
        return hunks;
      },
      lost: applied.report.flatMap(({ index, outcome }) =>
        outcome.kind === 'applied' ? [] : [{ id: chosen[index]?.id ?? '', outcome }],
      ),
    };
  }

  #findUnits(): readonly (readonly string[])[] {
    const { ids } = this;
    if (ids.length < 2) return ids.map((id) => [id]);
    const all = this.take(new Set(ids));
    let units = joined(
      ids.map((id) => [id]),
      sharing(all.hunks),
    );
    for (let bond = this.#missedBond(units, all); bond !== undefined; bond = this.#missedBond(units, all)) {
      units = joined(units, [bond]);
    }
    const place = (id = ''): number => ids.indexOf(id);
    const ordered = units.map((unit) => unit.toSorted((a, b) => place(a) - place(b)));
    return ordered.toSorted(([a], [b]) => place(a) - place(b));
  }

  /** Two edits that some choice of units parts although one needs the other; undefined where every choice can be made. */
  #missedBond(units: readonly (readonly string[])[], all: TakenEdits): readonly [string, string] | undefined {
    const fits = (id: string, choice: readonly (readonly string[])[]): boolean =>
      this.#fits(id, new Set(choice.flat()), all);
    for (const choice of choicesOf(units)) {
      if (!this.canTry(choice.flat().length)) return undefined; // the lines that they share have told most of it
      const id = choice.flat().find((each) => !fits(each, choice));
      if (id === undefined) continue;
      const others = units.filter((unit) => !choice.includes(unit));
      const needed = others.find((unit) => fits(id, [...choice, unit])) ?? others[0];
      const other = needed?.[0] ?? choice.flat().find((each) => each !== id);
      if (other !== undefined) return [id, other];
    }
    return undefined;
  }

  /** True where the edit finds its place in this choice, and it is the one that it has in the whole proposal. */
  #fits(id: string, choice: ReadonlySet<string>, all: TakenEdits): boolean {
    if (all.lost.some((lost) => lost.id === id)) return true; // nothing helps it
    const taken = this.take(choice);
    if (taken.lost.some((lost) => lost.id === id)) return false;
    const lines = linesWithBreaks(this.#document.base);
    const [here, there] = [taken, all].map(({ hunks }) => (hunks.get(id) ?? []).map(({ before }) => before));
    return placeOf(here, lines) === placeOf(there, lines);
  }
}

/** Those that were asked about last are kept. */
function knownOf({ base, edits, scope, code }: EditedDocument): WholeProposal {
  const key = sha256(JSON.stringify([base, scope, code, edits.map(({ id, edit }) => [id, edit])]));
  const known = wholeProposals.get(key) ?? {};
  wholeProposals.delete(key);
  wholeProposals.set(key, known);
  const [oldest] = wholeProposals.keys();
  if (wholeProposals.size > mostKept && oldest !== undefined) wholeProposals.delete(oldest);
  return known;
}

/** Where in the base an edit begins to change it; blank lines beside it can be counted to either side. */
function placeOf(ranges: readonly LineRange[] | undefined, lines: readonly string[]): number | undefined {
  let [first] = (ranges ?? []).map(({ start }) => start).toSorted((a, b) => a - b);
  while (first !== undefined && first > 0 && isBlank(lines[first - 1] ?? '')) first -= 1;
  return first;
}

const fewUnits = 5; // of which every choice is tried

/** Some of the units, in every way but none and all of them. */
export function* everyChoice<T>(units: readonly T[]): Iterable<readonly T[]> {
  for (let bits = 1; bits < 2 ** units.length - 1; bits += 1) yield units.filter((_, at) => (bits >> at) % 2 === 1);
}

/** Choices that show which units need each other: each alone, all but each, and of a few units every one. */
function* choicesOf<T>(units: readonly T[]): Iterable<readonly T[]> {
  if (units.length < 2) return;
  for (const unit of units) yield [unit];
  for (const unit of units) yield units.filter((each) => each !== unit);
  if (units.length <= fewUnits) yield* everyChoice(units);
}

/** Pairs of edits that have a line in common. */
function sharing(hunks: ReadonlyMap<string, readonly EditHunk[]>): readonly (readonly [string, string])[] {
  const rows = [...hunks].flatMap(([id, own]) => own.map((hunk) => ({ id, hunk })));
  return rows.flatMap((a, at) =>
    rows
      .slice(at + 1)
      .filter((b) => a.id !== b.id && (meet(a.hunk.before, b.hunk.before) || meet(a.hunk.after, b.hunk.after)))
      .map((b) => [a.id, b.id] as const),
  );
}

function meet(a: LineRange, b: LineRange): boolean {
  return a.start < b.end && b.start < a.end;
}

function joined(
  units: readonly (readonly string[])[],
  bonds: readonly (readonly [string, string])[],
): readonly (readonly string[])[] {
  return bonds.reduce((current, [a, b]) => {
    const [one, other] = [a, b].map((id) => current.find((unit) => unit.includes(id)));
    if (one === undefined || other === undefined || one === other) return current;
    return [...current.filter((unit) => unit !== one && unit !== other), [...one, ...other]];
  }, units);
}
