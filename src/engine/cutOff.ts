import { ModelError } from '../errors.js';
import type { RunContext } from './runContext.js';

/** What a cap ends is kept, with a note and the cap's own sentence; every other error goes on. */
export function cutOff(
  { record }: RunContext,
  steps: { readonly made: number; readonly of: number },
  error: unknown,
): string {
  if (!(error instanceof ModelError && error.kind === 'cap')) throw error;
  const skipped = `Training was cut off after ${steps.made} of ${steps.of} steps; the rest was skipped.`;
  record({ kind: 'note', text: `${skipped} ${error.message}` });
  return error.message;
}
