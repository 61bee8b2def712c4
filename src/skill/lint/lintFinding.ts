import type { Span } from '../document/span.js';

export type LintRule =
  | 'front-matter-missing'
  | 'front-matter-yaml'
  | 'name-missing'
  | 'name-format'
  | 'name-folder'
  | 'description-missing'
  | 'description-long'
  | 'description-vague'
  | 'compatibility-long'
  | 'body-empty'
  | 'body-long'
  | 'reference-deep'
  | 'fence-open'
  | 'region-open'
  | 'invisible-text';

/** One deviation from the Agent Skills specification, or one thing that would keep Whetstone from editing the skill. */
export interface LintFinding {
  readonly rule: LintRule;
  /** `error`: agents may not load the skill, or read what a person does not see. `warning`: it works, but not well. */
  readonly severity: 'error' | 'warning';
  /** What is wrong and what to do, in a sentence or two. */
  readonly message: string;
  readonly span: Span;
  /** A change that mends it; offered, never made unasked. */
  readonly fix: LintFix | undefined;
}

export interface LintFix {
  readonly title: string;
  readonly span: Span;
  readonly text: string;
}
