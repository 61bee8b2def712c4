import * as z from 'zod';
import type { EnvironmentHooks, EnvironmentWords } from '../../engine/runContext.js';
import { readOwnEdits, readReflection, type SaidReflection } from '../../environments/ownReflection.js';
import { messageOf } from '../../errors.js';
import { sha256 } from '../../hash.js';
import type { AttemptsToReflect, StepToReflect } from '../../ports/environment.js';
import type { ReadEdit } from '../../prompts/replies/editReply.js';
import { findGivenAway, type GamingEvidence } from '../../skill/edits/gaming.js';
import type { AskedBefore, KeptAnswers } from './keptAnswers.js';

/** An environment that has words of its own on training attempts. */
export interface Reflecting {
  readonly name: string;
  /** What it says, in whatever form; throws where it says nothing. */
  readonly reflect: (
    attempts: readonly AttemptsToReflect[],
    step: StepToReflect,
    signal: AbortSignal,
  ) => Promise<unknown>;
}

export interface ReflectionParts {
  /** Held-out and sealed tasks, which environments attempt: no word of theirs may carry them to the optimizer. */
  readonly unseen: () => GamingEvidence;
  /** What was said in this run before, for one that goes on; nothing is kept where it is missing. */
  readonly kept?: KeptAnswers | undefined;
}

type Reflect = EnvironmentHooks['reflect'];
type StepOfReflect = Parameters<Reflect>[1];

const mostFailures = 2;

/**
 * Asks each environment about its own attempts of a step. What one throws, or gives in no form, costs its words and is said
 * once; after a second time it is not asked again in the run. What gives away a task of another side, is no edit or is too
 * much is left out with the reason.
 */
export function reflectionsOf(reflecting: readonly Reflecting[], parts: ReflectionParts): Reflect {
  const failures = new Map<string, number>();
  const toldMode = new Set<string>();
  let evidence: GamingEvidence | undefined;
  const unseen = (): GamingEvidence => (evidence ??= parts.unseen());
  return async (attempts, at, signal) => {
    const asked = reflecting.flatMap((each) => {
      const own = attempts.filter(({ task }) => task.environment === each.name);
      const failed = failures.get(each.name) ?? 0;
      return own.length === 0 || failed >= mostFailures ? [] : [{ each, own, failed }];
    });
    const said = asked.map(async ({ each, own, failed }): Promise<EnvironmentWords> => {
      const reply = await replyOf(each, { own, at, kept: parts.kept }, signal);
      if (typeof reply !== 'string') return wordsOf(reply, { environment: each.name, own, at, toldMode, unseen });
      failures.set(each.name, failed + 1);
      return { environment: each.name, remarks: '', edits: [], lost: failed > 0 ? [] : [noWord(each, at, reply)] };
    });
    return Promise.all(said);
  };
}

function noWord({ name }: Reflecting, { step }: StepOfReflect, reason: string): string {
  const why = onOneLine(reason).slice(0, mostReason);
  return `The environment ${quoted(name)} had no word on the attempts of step ${step}: ${why} It is not asked again after a second time; this is said once.`;
}

const mostReason = 400; // characters
const mostName = 80;

export function quoted(name: string): string {
  return `“${onOneLine(name).slice(0, mostName)}”`;
}

/** Words of others, which go to terminals too, without what would steer one. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ');
}

interface Asking {
  readonly own: readonly AttemptsToReflect[];
  readonly at: StepOfReflect;
  readonly kept: ReflectionParts['kept'];
}

/** What it said before where the run goes on, else what it says now; a sentence where that is nothing. */
async function replyOf(
  { name, reflect }: Reflecting,
  { own, at, kept }: Asking,
  signal: AbortSignal,
): Promise<SaidReflection | string> {
  const question = questionOn(name, at);
  const before = Said.safeParse(await kept?.get(question));
  if (before.success) return before.data;
  const { takesEdits: _takes, ...step } = at;
  try {
    const reply = readReflection(await reflect(own, step, signal));
    signal.throwIfAborted();
    if (typeof reply !== 'string') await kept?.put(question, reply);
    return reply;
  } catch (error) {
    signal.throwIfAborted();
    return messageOf(error);
  }
}

interface Reading extends Omit<Asking, 'kept'>, Pick<ReflectionParts, 'unseen'> {
  readonly environment: string;
  /** Those that were told that the mode of the run takes no edits. */
  readonly toldMode: Set<string>;
}

function wordsOf(said: SaidReflection, { environment, own, at, unseen, toldMode }: Reading): EnvironmentWords {
  const document = (at.document === 'skill' ? at.skill : at.memory) ?? '';
  const seen = [document, ...own.flatMap(({ task }) => [task.prompt, task.context ?? ''])].join('\n');
  const hidesRemarks = findGivenAway(said.remarks, seen, unseen()) !== undefined;
  const read = readOwnEdits(said);
  const lawful = read.edits.filter((each) => findGivenAway(textOf(each), document, unseen()) === undefined);
  const edits = at.takesEdits ? lawful.slice(0, at.budget) : [];
  const reasons = [
    ...(hidesRemarks ? ['its remarks, which give away a task of another side'] : []),
    ...read.lost,
    ...Array.from(
      { length: read.edits.length - lawful.length },
      () => 'an edit that gives away a task of another side',
    ),
    ...beyond(lawful.length - edits.length, at, toldMode.has(environment)),
  ];
  if (!at.takesEdits && lawful.length > 0) toldMode.add(environment);
  return { environment, remarks: hidesRemarks ? '' : said.remarks, edits, lost: leftOut(environment, at, reasons) };
}

function textOf({ edit }: ReadEdit): string {
  return ['anchor' in edit ? edit.anchor : '', 'content' in edit ? edit.content : '', edit.rationale].join('\n');
}

/** Whole texts are not made of edits, which is said once; otherwise a step takes as many as its budget. */
function beyond(count: number, { takesEdits, budget }: StepOfReflect, isTold: boolean): readonly string[] {
  if (count === 0) return [];
  if (takesEdits) return [`${count} behind the ${budget} that a step takes`];
  return isTold
    ? []
    : ['its edits, in this and every other step: with edits.mode full_rewrite_minibatch there are none'];
}

/** One sentence for all that is left out, equal reasons once. */
function leftOut(name: string, { step }: StepOfReflect, reasons: readonly string[]): readonly string[] {
  if (reasons.length === 0) return [];
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const rows = [...counts].map(([reason, times]) => (times === 1 ? reason : `${reason} (${times} times)`));
  return [`Step ${step}: of what the environment ${quoted(name)} said is left out: ${rows.join('; ')}.`];
}

const Said = z.object({ remarks: z.string(), edits: z.array(z.unknown()), more: z.number() });

/** By the step and the texts that it was about: a step that a run made is not asked about again when it goes on. */
function questionOn(name: string, { step, skill, memory = '' }: StepToReflect): AskedBefore {
  return { name, ask: `edits ${sha256(skill)} ${sha256(memory)}`, epoch: step };
}
