import { createContext, Script, type Context } from 'node:vm';
import type { TranslatedRegex } from './translateRegex.js';

export const regexTimeLimitMs = 250;

export type BoundedTest = { readonly kind: 'tested'; readonly found: boolean } | { readonly kind: 'timed-out' };

/**
 * Whether the expression is found in the text, within a time limit that catastrophic backtracking cannot pass. The
 * whole process waits at most that long; where others had the processor in that time, a second or a third time. Line
 * ends are read as line feeds.
 */
export function boundedTest(regex: TranslatedRegex, text: string): BoundedTest {
  const texts = [text.replaceAll('\r\n', '\n')];
  let found: boolean | undefined;
  for (let tried = 0; tried < mostTries; tried += 1) {
    const begun = process.cpuUsage();
    found = findAll(regex, texts);
    const { user, system } = process.cpuUsage(begun);
    if (found !== undefined || (user + system) / 1_000 > regexTimeLimitMs / 2) break;
  }
  return found === undefined ? { kind: 'timed-out' } : { kind: 'tested', found };
}

/** Whether the expression is found in each of the texts; undefined where that took too long. */
function findAll({ source, flags, harmless }: TranslatedRegex, texts: readonly string[]): boolean | undefined {
  if (harmless) {
    const expression = new RegExp(source, flags);
    return texts.every((text) => expression.test(text));
  }
  sandbox ??= { context: createContext(Object.create(null)), script: new Script(watched) };
  const { context, script } = sandbox;
  Object.assign(context, { source, flags, texts });
  try {
    return script.runInContext(context, { timeout: regexTimeLimitMs }) === true;
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  } finally {
    Object.assign(context, { texts: [] });
  }
}

const mostTries = 3;

/** The same where the answer must not depend on how busy the machine is: what took too long is tried again. */
export function findAllPatiently(regex: TranslatedRegex, texts: readonly string[]): boolean | undefined {
  for (let tried = 1; tried < mostTries; tried++) {
    const found = findAll(regex, texts);
    if (found !== undefined) return found;
  }
  return findAll(regex, texts);
}

const watched = '{ const expression = new RegExp(source, flags); texts.every((text) => expression.test(text)) }';

// Made at first use and kept: a context costs a millisecond, and holds nothing between two tests.
let sandbox: { readonly context: Context; readonly script: Script } | undefined;

// The error may be made inside the context, where `Error` is another class.
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
