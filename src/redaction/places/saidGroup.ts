import type { CaselessPattern } from '../latinText.js';
import type { SecretShape } from '../span.js';

/** A name that people call a secret by, and how its value stands behind it. */
export interface NameGroup {
  readonly name: CaselessPattern | RegExp;
  readonly shapes: readonly SecretShape[];
  /** Shapes that are looked for only where what stands before the name fits. */
  readonly after?: readonly { readonly fits: (before: string) => boolean; readonly shape: SecretShape }[];
}

/** What stands right behind a name. */
export function shape(kind: string, pattern: string, accept: (value: string) => boolean): SecretShape {
  return { kind: `said-${kind}`, pattern: new RegExp(`(?<![^])${pattern}`, 'dgimuy'), accept };
}
