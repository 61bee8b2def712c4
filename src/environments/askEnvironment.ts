import * as z from 'zod';
import { parseJson } from '../parseJson.js';
import { deepestNesting, nestingIn } from '../tasks/json/nesting.js';
import type { EnvironmentAsk, EnvironmentDeclaration } from '../tasks/readers/whetstoneFile.js';
import { whyNotAllowed } from './allowedToRun.js';
import { declaredStart } from './declaredStart.js';
import { Reflection } from './ownReflection.js';
import type { StartSources } from './program.js';
import { lastLineOf, outputOf, whyNoOutput } from './programReply.js';

/** What an environment answers to each question. */
export interface EnvironmentAnswers {
  readonly items: { readonly items: readonly unknown[] };
  readonly skill: { readonly skill: string };
  readonly types: { readonly types: ReadonlyMap<string, string> };
  readonly representatives: { readonly ids: readonly string[] };
  readonly batches: { readonly batches: readonly (readonly string[])[] };
  readonly edits: {
    readonly remarks?: string | null | undefined;
    readonly edits?: readonly unknown[] | null | undefined;
  };
}

const ids = z.array(z.union([z.string(), z.number()]).transform(String));

/** How each answer is read; what else is in it nobody reads. */
const answers: { readonly [Ask in EnvironmentAsk]: z.ZodType<EnvironmentAnswers[Ask]> } = {
  items: z.object({ items: z.array(z.unknown()) }),
  skill: z.object({ skill: z.string() }),
  types: z.object({ types: z.record(z.string(), z.string()).transform((types) => new Map(Object.entries(types))) }),
  representatives: z.object({ ids }),
  batches: z.object({ batches: z.array(ids) }),
  edits: Reflection,
};

/** What is asked: the seed of the run, and what else the question needs, in the words that programs read. */
export interface EnvironmentQuestion<Ask extends EnvironmentAsk> {
  readonly ask: Ask;
  readonly seed: number;
  readonly more?: Readonly<Record<string, unknown>>;
}

export type EnvironmentReply<Ask extends EnvironmentAsk> =
  | { readonly kind: 'answered'; readonly answer: EnvironmentAnswers[Ask] }
  | { readonly kind: 'failed'; readonly reason: string };

/** Task files may be as large. */
const mostItemMegabytes = 24;
const mostMegabytes = 4;

/** Whether the declaration says that it brings this. */
export function bringsOf({ brings = [] }: EnvironmentDeclaration, what: EnvironmentAsk): boolean {
  return brings.includes(what);
}

/**
 * Asks a declared program or module one question that is no attempt: it is started with one line `{ask, seed, options,
 * ...}` and answers with its last line. It runs with the consent, the throw-away copy and the limits of an attempt.
 */
export async function askEnvironment<Ask extends EnvironmentAsk>(
  declared: EnvironmentDeclaration,
  { ask, seed, more = {} }: EnvironmentQuestion<Ask>,
  sources: StartSources,
  signal: AbortSignal,
): Promise<EnvironmentReply<Ask>> {
  const start = declaredStart(declared, sources.folder, sources.moduleStart);
  const refused = await whyNotAllowed(start, sources, signal);
  if (refused !== undefined) return { kind: 'failed', reason: refused };
  const seconds = declared.timeLimitSeconds;
  const megabytes = ask === 'items' ? mostItemMegabytes : mostMegabytes;
  const line = { ask, seed, options: declared.options ?? {}, ...more };
  const limits = { timeLimitMs: seconds * 1000, outputLimitBytes: megabytes * 1_000_000 };
  const result = await sources.programs.run(
    { ...start.started, input: `${JSON.stringify(line)}\n`, ...limits },
    signal,
  );
  const why = whyNoOutput(result, { seconds, megabytes });
  return why === undefined ? readAnswer(ask, lastLineOf(outputOf(result))) : { kind: 'failed', reason: why };
}

function readAnswer<Ask extends EnvironmentAsk>(ask: Ask, line: string): EnvironmentReply<Ask> {
  if (line.trim() === '') return { kind: 'failed', reason: `The program wrote no answer to “${ask}”.` };
  const value = parseJson(line);
  if (value !== undefined && nestingIn(line) > deepestNesting)
    return { kind: 'failed', reason: 'The values in the program’s last line are nested too deeply.' };
  const read = answers[ask].safeParse(value);
  if (read.success) return { kind: 'answered', answer: read.data };
  const why = z.prettifyError(read.error).replaceAll(/\s+/gu, ' ');
  return {
    kind: 'failed',
    reason: `The program’s last line is no answer to “${ask}”: ${why} It reads: ${line.slice(0, 200)}`,
  };
}
