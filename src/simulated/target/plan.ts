import type { Chance } from '../chance.js';

export type LengthUnit = 'characters' | 'words' | 'sentences' | 'lines' | 'paragraphs';

/** Bounds on the length of an answer, each in its own unit. */
export type LengthBounds = Partial<Readonly<Record<LengthUnit, number>>>;

/** A line with fixed words, or a label with a value that the answer chooses. */
export type PlannedLine =
  | { readonly kind: 'fixed'; readonly text: string }
  | { readonly kind: 'label'; readonly label: string; readonly options: readonly string[] };

export interface PlannedSection {
  readonly heading: string;
  /** Sections named in one sentence keep their order; the groups come in an order drawn by chance. */
  readonly group: number;
  readonly mentions: readonly string[];
}

export interface PlannedItems {
  readonly marker: 'bullet' | 'number';
  readonly least: number;
  readonly most: number;
}

export interface JsonKey {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'object';
  readonly options: readonly string[];
}

/** What an answer will be like. Instructions change it, one after the other; what none of them touches stays sloppy. */
export interface AnswerPlan {
  readonly language: string;
  /** Greets first and signs off last. */
  readonly pleasantries: boolean;
  readonly hedges: boolean;
  readonly asksBack: boolean;
  readonly refuses: boolean;
  readonly verdict: Extract<PlannedLine, { kind: 'label' }> | undefined;
  readonly opening: PlannedLine | undefined;
  readonly closing: PlannedLine | undefined;
  readonly labels: readonly Extract<PlannedLine, { kind: 'label' }>[];
  readonly sections: readonly PlannedSection[];
  readonly order: readonly string[];
  readonly items: PlannedItems | undefined;
  readonly json: readonly JsonKey[] | undefined;
  /** Tags around the whole answer, or around a last short one. */
  readonly tags: readonly { readonly name: string; readonly whole: boolean }[];
  readonly words: readonly string[];
  readonly topics: readonly string[];
  readonly banned: readonly string[];
  readonly most: LengthBounds;
  readonly least: LengthBounds;
  /** Tools to call before answering; `*` is every tool that is offered. */
  readonly tools: readonly string[];
  readonly tooled: boolean;
  /** For an agent with a folder: command lines to run, and files to add a line to, with words that it holds. */
  readonly commands: readonly string[];
  readonly notes: readonly { readonly file: string; readonly words: readonly string[] }[];
}

const refusalRate = 1 / 3;

/** The answer of a model without instructions: long, hedging, polite, without structure, verdict or tool. */
export function sloppyPlan(chance: Chance): AnswerPlan {
  return {
    language: 'English',
    pleasantries: true,
    hedges: true,
    asksBack: true,
    refuses: chance.fraction('refuses') < refusalRate,
    verdict: undefined,
    opening: undefined,
    closing: undefined,
    labels: [],
    sections: [],
    order: [],
    items: undefined,
    json: undefined,
    tags: [],
    words: [],
    topics: [],
    banned: [],
    most: {},
    least: {},
    tools: [],
    tooled: true,
    commands: [],
    notes: [],
  };
}

/** A plan with that section, once. */
export function addSection(plan: AnswerPlan, heading: string, group: number): AnswerPlan {
  if (plan.sections.some((section) => section.heading.toLowerCase() === heading.toLowerCase())) return plan;
  return { ...plan, sections: [...plan.sections, { heading, group, mentions: [] }] };
}
