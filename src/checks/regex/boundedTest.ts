import { createContext, Script, type Context } from 'node:vm';
import type { TranslatedRegex } from './translateRegex.js';

export const regexTimeLimitMs = 250;

export type BoundedTest = { readonly kind: 'tested'; readonly found: boolean } | { readonly kind: 'timed-out' };

/**
 * Whether the expression is found in the text, within a time limit that catastrophic backtracking cannot pass. The
 * whole process waits at most that long. Line ends are read as line feeds.
 */
export function boundedTest({ source, flags }: TranslatedRegex, text: string): BoundedTest {
  sandbox ??= {
    context: createContext(Object.create(null)),
    script: new Script('new RegExp(source, flags).test(text)'),
  };
  const { context, script } = sandbox;
  Object.assign(context, { source, flags, text: text.replaceAll('\r\n', '\n') });
  try {
    return { kind: 'tested', found: script.runInContext(context, { timeout: regexTimeLimitMs }) === true };
  } catch (error) {
    if (isTimeout(error)) return { kind: 'timed-out' };
    throw error;
  } finally {
    Object.assign(context, { text: '' });
  }
}

// Made at first use and kept: a context costs a millisecond, and holds nothing between two tests.
let sandbox: { readonly context: Context; readonly script: Script } | undefined;

// The error may be made inside the context, where `Error` is another class.
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
