import type * as z from 'zod';
import type { AttemptResult } from '../ports/environment.js';
import type { ProgramConsent, ProgramContents, Programs } from '../ports/programs.js';
import type { CheckFault } from '../tasks/checkCatalog.js';
import { fieldFaults } from '../tasks/fieldFaults.js';
import type { CheckSpec, Task } from '../tasks/task.js';

/** An attempt that gave an answer. */
export type AnsweredAttempt = Extract<AttemptResult, { kind: 'answered' }>;

/** What one rule says about one answer. `invalid` is never a score. */
export type CheckOutcome =
  | { readonly kind: 'scored'; readonly pass: boolean; readonly soft: number; readonly reason: string }
  /** There is nothing in this attempt that it could be about: it counts for nothing. */
  | { readonly kind: 'not-asked'; readonly reason: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/** What a rule may ask of the world. */
export interface CheckServices {
  readonly programs: Programs;
  readonly consent: ProgramConsent;
  readonly contents: ProgramContents;
  /** The skill's own: the absolute path of the folder that holds `evals/`. */
  readonly folder: string;
}

export type Evaluation =
  | {
      readonly by: 'rule';
      readonly evaluate: (
        attempt: AnsweredAttempt,
        services: CheckServices,
        signal: AbortSignal,
      ) => CheckOutcome | Promise<CheckOutcome>;
    }
  /**
   * Graded by the judge model. With `passFrom` it passes from that score on and counts for its score; without, it
   * holds or does not.
   */
  | { readonly by: 'judge'; readonly question: string; readonly passFrom: number | undefined };

/** A check whose arguments were understood, made for one task. */
export interface PreparedCheck {
  /** What is asked, in plain words, as a requirement that a skill may state. */
  readonly criterion: string;
  readonly evaluation: Evaluation;
  /** False where the criterion only says that something is asked, and not what: nobody can learn from it. */
  readonly isDescribed?: boolean;
  /** The texts that the criterion quotes: whoever is shown it may write them, whatever else is secret. */
  readonly stated?: readonly string[];
  /** True where it constrains the form of an answer and nothing of its content. */
  readonly shapeOnly?: boolean;
  /** False where no answer to this task could fail it. */
  readonly canFail?: boolean;
  /** Set where no answer to this task could pass it: why. */
  readonly cannotPass?: string | undefined;
  /** True where it looks at more than the answer, which is gone afterwards. */
  readonly beyondAnswer?: boolean;
  /** What a skill must not contain: expressions and reference answers. */
  readonly secrets?: readonly string[];
}

/** Arguments that no check can work with; shown where the task is read, never a zero. */
export class MalformedCheckError extends Error {
  readonly faults: readonly CheckFault[];

  constructor(what: string, path: CheckFault['path'], others: readonly CheckFault[] = []) {
    super(what);
    this.name = 'MalformedCheckError';
    this.faults = [{ reason: what, path }, ...others];
  }
}

/** A kind of check, whatever its arguments are. */
export interface Check {
  readonly name: string;
  readonly about: string;
  readonly arguments: z.ZodType;
  /** Throws {@link MalformedCheckError}. */
  readonly prepare: (spec: CheckSpec, task: Task) => PreparedCheck;
}

/** Ties the arguments' schema to the code that reads them. Arguments that the schema does not name are refused. */
export function defineCheck<Arguments>(definition: {
  readonly name: string;
  /** Completion text for people who write checks. */
  readonly about: string;
  readonly arguments: z.ZodType<Arguments>;
  readonly prepare: (options: Arguments, task: Task) => PreparedCheck;
}): Check {
  return {
    ...definition,
    prepare: (spec, task) => {
      const parsed = definition.arguments.safeParse(spec.arguments);
      if (parsed.success) return definition.prepare(parsed.data, task);
      const faults = fieldFaults(definition.arguments, spec.arguments, {
        error: parsed.error,
        names: { noSuch: noArgument },
      }).map(({ message: reason, path }) => ({ reason, path }));
      const [first, ...others] = faults;
      throw new MalformedCheckError(first?.reason ?? 'Its arguments are not understood.', first?.path ?? [], others);
    },
  };
}

function noArgument(
  name: string,
  { meant, known }: { readonly meant: string | undefined; readonly known: readonly string[] },
): string {
  if (known.length === 0) return `It has no argument “${name}”, and takes none.`;
  return meant === undefined
    ? `It has no argument “${name}”. Known here: ${known.join(', ')}.`
    : `It has no argument “${name}”. Did you mean “${meant}”?`;
}

export function scored(pass: boolean, reason: string): CheckOutcome {
  return { kind: 'scored', pass, soft: pass ? 1 : 0, reason };
}
