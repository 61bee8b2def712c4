import type { EditOutcome } from './edit.js';
import type { Span } from '../document/span.js';

/** What an edit comes down to: the span of the old text, and what stands there afterwards. */
export interface Splice extends Span {
  readonly text: string;
}

/** Why an edit was not applied. */
export type NotAppliedReason = Exclude<EditOutcome, { readonly kind: 'applied' }>;

export function spliced(text: string, splice: Splice): string {
  return text.slice(0, splice.start) + splice.text + text.slice(splice.end);
}

export function isSplice(value: Splice | NotAppliedReason): value is Splice {
  return !('kind' in value);
}
