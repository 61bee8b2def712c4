import type { OwnCheck } from '../ports/ownCheck.js';
import type { RegisteredEnvironment } from '../ports/environment.js';
import type { SpendCap } from '../ports/spend.js';

/** What a program that trains skills can do: the same as the command line, with values in the place of words. */
export interface Library {
  /** Trains a skill on its tasks and stages what came of it. The skill's file is not touched. */
  readonly train: (options: TrainOptions) => Promise<TrainResult>;
  /** Scores every task once under the skill as it is. Proposes nothing. */
  readonly evaluate: (options: EvaluateOptions) => Promise<EvaluateResult>;
  /** Decides on held-out tasks whether one text of the skill is better than another. Spends of the skill's error budget. */
  readonly certify: (options: CertifyOptions) => Promise<LibraryVerdict>;
}

/** What every call needs to know. */
export interface LibraryOptions {
  /** A SKILL.md, or the folder that holds one. */
  readonly skill: string;
  /** The model for all roles: `simulated`, `openai/gpt-5-mini`, `ollama/llama3.2`, `https://host/v1#model`. */
  readonly model?: string;
  /** One for a role; what is left out is `model`. */
  readonly models?: { readonly target?: string; readonly optimizer?: string; readonly judge?: string };
  /** `standard` where it is left out. */
  readonly preset?: 'quick' | 'standard' | 'paper';
  /** Options of the run by their names, such as `{ 'train.epochs': 2 }` or `{ train: { epochs: 2 } }`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Nothing is spent beyond them. */
  readonly caps?: { readonly run?: SpendCap; readonly day?: SpendCap; readonly month?: SpendCap };
  /** What models cost, in US dollars a million tokens in and out. */
  readonly prices?: Readonly<Record<string, { readonly input: number; readonly output: number }>>;
  /** How tasks are attempted that name one of these in `environment`. */
  readonly environments?: readonly RegisteredEnvironment[];
  /** Checks of one's own that tasks name; other calls may bring others of the same names. */
  readonly checks?: readonly OwnCheck[];
  /** The folder whose `.whetstone` holds proposals and runs; found as the command line finds it where it is left out. */
  readonly root?: string;
  /** Where the state of the person lies; `WHETSTONE_HOME`, or the usual place, where it is left out. */
  readonly home?: string;
  /** What of the workspace may run or be said in the person's name, and what of theirs may be used. Nothing where it is left out. */
  readonly allow?: {
    readonly programs?: boolean;
    readonly prompts?: boolean;
    readonly preferences?: boolean;
    /** The person's login to the agent program that is the model; remembered for the program. */
    readonly login?: boolean;
    /** Where the folder has no SKILL.md, `train` writes the text that its environment brings, and starts from that. */
    readonly newSkill?: boolean;
  };
  /**
   * Asked where money, or more than two minutes, are at stake: yes begins. Where it is left out a cap that can hold is the
   * yes, and without one nothing is begun.
   */
  readonly agree?: (size: LibrarySize) => boolean | Promise<boolean>;
  /** Told after every call and every stage. */
  readonly onProgress?: (progress: LibraryProgress) => void;
  /** Sentences that a person should read once. */
  readonly onNote?: (note: string) => void;
  readonly signal?: AbortSignal;
}

export interface TrainOptions extends LibraryOptions {
  /** Goes on with the run of this skill that was cut off, as it was begun; by its id, or the newest with `true`. */
  readonly resume?: string | true;
  /** Leaves the artifacts of the run in this folder as well: empty, or not there yet. */
  readonly out?: string;
}

export interface EvaluateOptions extends LibraryOptions {
  /** Only these tasks, by id. */
  readonly only?: readonly string[];
  /** Sealed tasks too, which are kept for the final exam. */
  readonly sealed?: boolean;
  /** Asks the models anew instead of taking answers that are stored on this machine. */
  readonly fresh?: boolean;
  /** The same without the skill as well. */
  readonly withoutSkill?: boolean;
}

export interface CertifyOptions extends LibraryOptions {
  /** The text to measure against; the skill's file as it is where it is left out. */
  readonly before?: string;
  readonly after: string;
}

/** What is about to be spent: usually, and at most. */
export interface LibrarySize {
  readonly calls: { readonly usual: number; readonly most: number };
  readonly tokens: { readonly most: number };
  /** Undefined where nobody knows the price. */
  readonly usd: { readonly usual: number; readonly most: number } | undefined;
  readonly minutes: { readonly usual: number; readonly most: number };
}

/** How far it is, and what was spent until now. */
export interface LibraryProgress extends LibrarySpend {
  readonly stage: string | undefined;
  readonly step: number | undefined;
  /** From 0 to 1, and 1 only at the end. */
  readonly share: number;
}

export interface LibrarySpend {
  readonly calls: number;
  readonly cachedCalls: number;
  readonly failedCalls: number;
  readonly tokens: number;
  /** Undefined where a model has no known price. */
  readonly usd: number | undefined;
}

export interface TrainResult {
  readonly run: string;
  readonly skill: string;
  /** Undefined where nothing is proposed. */
  readonly verdict: LibraryVerdict | undefined;
  /** Why nothing is proposed, where nothing is. */
  readonly nothing: { readonly cause: string; readonly reason: string } | undefined;
  /** The skill with every proposed edit. */
  readonly text: string | undefined;
  /** The files beside SKILL.md that it changes, by their paths from the skill's folder; missing where it changes none. */
  readonly files?: Readonly<Record<string, string>>;
  readonly edits: readonly LibraryEdit[];
  /** The held-out tasks, before and after. */
  readonly tasks: readonly { readonly id: string; readonly before: LibrarySide; readonly after: LibrarySide }[];
  /** Scored once before and once after; decides nothing. */
  readonly sealed: { readonly before: number; readonly after: number; readonly n: number } | undefined;
  /** The file of the staged proposal, which `whetstone adopt` and the editor decide on. */
  readonly proposal: string | undefined;
  readonly spend: LibrarySpend;
}

export interface LibraryEdit {
  readonly id: string;
  readonly op: string;
  /** The file beside SKILL.md that it changes; missing where it changes SKILL.md. */
  readonly file?: string;
  readonly anchor: string | undefined;
  readonly content: string;
  readonly rationale: string;
  /** Points of the gate's metric on training tasks; undefined where it was not measured singly. */
  readonly worth: number | undefined;
  /** What the lesson was drawn from; `environment` where one proposed the edit itself. */
  readonly source: 'failure' | 'success' | 'contrast' | 'merged' | 'environment';
  /** The name of that environment. */
  readonly environment: string | undefined;
  readonly lessonsFrom: readonly string[];
}

export interface LibrarySide {
  readonly passes: number;
  readonly valid: number;
  readonly invalid: number;
  readonly score: number | undefined;
}

/** What held-out tasks say, the same fields as `--json` has; null where there is no figure. */
export interface LibraryVerdict {
  readonly kind: 'accepted' | 'rejected' | 'inconclusive' | 'unmeasured';
  readonly reason: string;
  readonly cause: string | null;
  readonly cure: string | null;
  readonly rule: string | null;
  readonly metric: string | null;
  readonly before: number | null;
  readonly after: number | null;
  readonly difference: number | null;
  readonly interval: readonly [number, number] | null;
  readonly p: number | null;
  readonly n: number | null;
  readonly fixed: readonly string[];
  readonly regressed: readonly string[];
  readonly warnings: readonly string[];
}

export interface EvaluateResult {
  readonly skill: string;
  readonly model: string;
  readonly simulated: boolean;
  readonly tasks: readonly EvaluatedTask[];
  readonly totals: EvaluationTotals;
  /** The same without the skill, where it was asked for. */
  readonly baseline: { readonly tasks: readonly EvaluatedTask[]; readonly totals: EvaluationTotals } | undefined;
  readonly notScored: readonly { readonly id: string; readonly reason: string }[];
  readonly spend: LibrarySpend;
}

/** One task of an evaluation; without scores where the attempt was invalid, which says why. */
export interface EvaluatedTask {
  readonly id: string;
  readonly split: 'training' | 'heldOut' | 'sealed' | 'none';
  readonly hard: number | undefined;
  readonly soft: number | undefined;
  readonly checks: readonly { readonly name: string; readonly pass: boolean; readonly reason: string }[];
  readonly invalid: string | undefined;
  readonly answer: string | undefined;
}

/** Means of each side and of all. */
export type EvaluationTotals = Readonly<
  Record<
    'training' | 'heldOut' | 'sealed' | 'all',
    {
      readonly hard: number | undefined;
      readonly soft: number | undefined;
      readonly n: number;
      readonly invalid: number;
    }
  >
>;
