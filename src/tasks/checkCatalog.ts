import type { CheckSpec, Task } from './task.js';

/** What the checks themselves say about one entry, before any answer exists. */
export type CheckInspection =
  | {
      readonly kind: 'sound';
      /** True where it constrains the form of an answer and nothing of its content. */
      readonly shapeOnly: boolean;
      /** False where no answer to this task could fail it. */
      readonly canFail: boolean;
      /** Set where no answer to this task could pass it: why. */
      readonly cannotPass: string | undefined;
      /** False where nobody could learn from its criterion what it demands. */
      readonly isDescribed: boolean;
    }
  | { readonly kind: 'unknown'; readonly nearest: string | undefined; readonly known: readonly string[] }
  | { readonly kind: 'malformed'; readonly faults: readonly CheckFault[] };

/** One thing that is wrong with the arguments of a check. */
export interface CheckFault {
  readonly reason: string;
  /** Where in the entry, as far as known. */
  readonly path: readonly (string | number)[];
}

/** The checks that exist, as far as reading tasks needs to know them. */
export interface CheckCatalog {
  inspect(spec: CheckSpec, task: Task): CheckInspection;
}
