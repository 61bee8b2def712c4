import type { CaselessPattern } from '../names/caselessPattern.js';
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

/** In JSON what is told in the text of one field ends with it: what follows is the value of the next one. */
export function withinField(behind: string): string {
  const next = behind.search(nextField);
  return next > 1 ? behind.slice(0, next + 1) : behind; // `"name":"password","value":"…"` is told by its fields
}

const nextField = /"\s{0,8}(?:[\]}]\s{0,8}){0,3},\s{0,80}(?:[[{]\s{0,80}){0,3}"[^"\\\n]{1,60}"\s{0,4}:/;
