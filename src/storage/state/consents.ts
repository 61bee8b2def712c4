import * as z from 'zod';
import type { ProgramConsent, ProgramQuestion, SeenProgram } from '../../ports/programs.js';
import { sha256 } from '../../hash.js';
import { readState, type SealedState, updateState } from '../files/sealedState.js';
import type { UserStore } from './store.js';

/** What is to be allowed: exactly this content, of this kind (`program`, `model`, ...), here. */
export interface ConsentRequest {
  readonly what: string;
  readonly content: string;
  /** Where the person can look at it; no part of what is allowed. */
  readonly folder?: string | undefined;
}

interface ConsentFile {
  readonly allowed: Readonly<Record<string, { readonly what: string; readonly at: number }>>;
}

const consents: SealedState<ConsentFile> = {
  format: {
    format: 'whetstone-consents',
    version: 1,
    schema: z.object({ allowed: z.record(z.string(), z.object({ what: z.string(), at: z.number() })) }),
  },
  file: 'consents.json',
};

/** Whether the person allowed exactly this before. A file that this user did not write here allows nothing. */
export async function isAllowed(store: UserStore, request: ConsentRequest): Promise<boolean> {
  const reading = await readState(store, consents);
  return reading.kind === 'verified' && reading.body.allowed[keyOf(request)] !== undefined;
}

/** Remembers a yes for good, until it is taken back. */
export async function allow(store: UserStore, request: ConsentRequest, signal: AbortSignal): Promise<void> {
  const entry = { what: request.what, at: store.clock.now() };
  const add = (before: ConsentFile | undefined): ConsentFile => {
    return { allowed: { ...before?.allowed, [keyOf(request)]: entry } };
  };
  await updateState(store, consents, add, signal);
}

/** Takes a yes back; what was never allowed stays so. */
export async function disallow(store: UserStore, request: ConsentRequest, signal: AbortSignal): Promise<void> {
  const without = (before: ConsentFile | undefined): ConsentFile => {
    const key = keyOf(request);
    if (before?.allowed[key] === undefined) return before ?? { allowed: {} };
    return { allowed: Object.fromEntries(Object.entries(before.allowed).filter(([each]) => each !== key)) };
  };
  await updateState(store, consents, without, signal);
}

/** To how many things of a kind the person said yes. */
export async function allowedOf(store: UserStore, what: string): Promise<number> {
  const reading = await readState(store, consents);
  if (reading.kind !== 'verified') return 0;
  return Object.values(reading.body.allowed).filter((entry) => entry.what === what).length;
}

/** Takes back every yes of a kind. */
export async function disallowAll(store: UserStore, what: string, signal: AbortSignal): Promise<void> {
  const others = (before: ConsentFile | undefined): ConsentFile => ({
    allowed: Object.fromEntries(Object.entries(before?.allowed ?? {}).filter(([, entry]) => entry.what !== what)),
  });
  await updateState(store, consents, others, signal);
}

/**
 * What each program was when a command first looked at it. A flag says yes to that: what a program becomes while the
 * command runs, perhaps by its own hand, nobody has seen.
 */
export class FirstContents {
  readonly #contents = new Map<string, string>();

  note({ what, folder = '', content }: SeenProgram): void {
    const key = JSON.stringify([what, folder]);
    if (!this.#contents.has(key)) this.#contents.set(key, content);
  }

  isOther({ what, folder = '', content }: SeenProgram): boolean {
    const first = this.#contents.get(JSON.stringify([what, folder]));
    return first !== undefined && first !== content;
  }
}

/**
 * Asks the person once for each content; a yes is remembered, a no is asked again the next time. With `first` nobody is
 * asked about what a program became since.
 */
export function rememberedConsent(
  store: UserStore,
  ask: ProgramConsent['allows'],
  first?: FirstContents,
): Pick<ProgramConsent, 'allows'> {
  return {
    allows: async (request, signal) => {
      first?.note(request);
      if (await isProgramAllowed(store, request)) return true;
      const { what, formerly } = request;
      const known = formerly !== undefined && (await isAllowed(store, { what, content: formerly }));
      if (!known && (first?.isOther(request) === true || !(await askedNow(request, signal)))) return false;
      await allow(store, known ? request : asAsked(request), signal);
      if (request.folder !== undefined) await allow(store, placeOf(request), signal);
      return true;
    },
  };

  async function askedNow(request: ProgramQuestion, signal: AbortSignal): Promise<boolean> {
    return ask({ ...request, otherwise: await wasAllowedOtherwise(store, request) }, signal);
  }
}

/** Whether a program of this command in this folder was allowed, with whatever content; for what the person is told alone. */
export async function wasAllowedOtherwise(
  store: UserStore,
  { what, folder }: Pick<ProgramQuestion, 'what' | 'folder'>,
): Promise<boolean> {
  return folder !== undefined && isAllowed(store, placeOf({ what, folder }));
}

/** Allows nothing to run: no program asks in this name. */
function placeOf({ what, folder }: Pick<ProgramQuestion, 'what' | 'folder'>): ConsentRequest {
  return { what: 'the place of a program', content: JSON.stringify([folder, what]) };
}

/**
 * Whether a program may run as it would now. A yes to it without a sandbox, as every yes of an earlier version is, holds
 * in the sandbox too; a yes to it in the sandbox holds there alone.
 */
export async function isProgramAllowed(store: UserStore, question: ProgramQuestion): Promise<boolean> {
  return (await isAllowed(store, question)) || isAllowed(store, asAsked(question));
}

function asAsked(question: ProgramQuestion): ConsentRequest {
  const { what, content, sandbox } = question;
  return sandbox?.kind === 'available' ? { what, content: `${content}\nin the sandbox` } : { what, content };
}

function keyOf({ what, content }: ConsentRequest): string {
  return sha256(`${what}\n${content}`);
}
