import { percent } from './amounts.js';
import { retold, t, type Say } from './translate.js';

type Side = 'training' | 'heldOut' | 'sealed';

/** What is told of a task beside its text: whether it counts, on which side, and where it may go. */
export interface TaskStanding {
  readonly state: 'draft' | 'confirmed' | 'disabled' | 'set-aside' | 'broken';
  readonly reason: string | undefined;
  readonly moves: {
    readonly side: Side | undefined;
    readonly together: readonly string[];
    readonly to: readonly { readonly side: Side; readonly refused: string | undefined }[];
  };
}

/** Which tasks nobody can look at yet: those that an environment brings. */
export function broughtWords(environment: string): string {
  return t('“{0}” brings tasks of its own at the start of a run.', environment);
}

/** The name of a side, as a label. */
export function sideLabel(side: Side): string {
  switch (side) {
    case 'training':
      return t('Training');
    case 'heldOut':
      return t('Held-out');
    case 'sealed':
      return t('Sealed');
  }
}

/** Whether and where the task counts, in a few words. */
export function standingWords({ state, reason, moves: { side } }: TaskStanding): string {
  const where = side === undefined ? undefined : sideLabel(side);
  const why = reason === undefined ? '' : retold(reason);
  switch (state) {
    case 'confirmed':
      return where === undefined ? t('Confirmed') : t('Confirmed · {0}', where);
    case 'draft':
      return where === undefined
        ? t('Draft, counts once you confirm it')
        : t('Draft, counts once you confirm it · {0}', where);
    case 'disabled':
      return where === undefined ? t('Disabled, does not count') : t('Disabled, does not count · {0}', where);
    case 'set-aside':
      return t('Set aside: {0}', why);
    case 'broken':
      return t('Cannot be used: {0}', why);
  }
}

/** Why a task stays where it is: a sentence for each reason, with the sides that it closes. */
export function closedSides({ moves: { to } }: Pick<TaskStanding, 'moves'>): readonly string[] {
  const reasons = new Set(to.flatMap(({ refused }) => refused ?? []));
  return [...reasons].map((reason) => {
    const closed = to.filter(({ refused }) => refused === reason).map(({ side }) => sideLabel(side));
    return t('Cannot move to {0}. {1}', closed.join(', '), retold(reason));
  });
}

/** Who goes along when a task moves; undefined where nobody does. */
export function companions({ moves: { together } }: Pick<TaskStanding, 'moves'>): string | undefined {
  return together.length === 0
    ? undefined
    : t('Moves together with {0}: one origin, or almost the same text.', together.join(', '));
}

/** An answer by the text that it was given under. */
export interface AnsweredUnder {
  readonly under: 'skill' | 'candidate' | 'no-skill';
  readonly passed: boolean;
  /** The edits that a text of the run had, by id; missing where it is all that is proposed. */
  readonly edits?: readonly string[] | undefined;
}

/** Under which text an answer was given. Only all of a proposal is the proposed text. */
export function answerTitle({ under, passed, edits }: AnsweredUnder): string {
  switch (under) {
    case 'skill':
      return passed ? t('With the skill: passed') : t('With the skill: failed');
    case 'candidate':
      if (edits !== undefined) return partTitle(edits, passed);
      return passed ? t('With the proposed text: passed') : t('With the proposed text: failed');
    case 'no-skill':
      return passed ? t('Without the skill: passed') : t('Without the skill: failed');
  }
}

/** `With edits E1 and E3: failed`. A run also tries edits that it drops before it proposes the others. */
function partTitle(edits: readonly string[], passed: boolean): string {
  const [last = '', ...others] = edits.toReversed();
  if (edits.length === 0)
    return passed ? t('With another text that was tried: passed') : t('With another text that was tried: failed');
  if (others.length === 0) return passed ? t('With edit {0}: passed', last) : t('With edit {0}: failed', last);
  const names = t('{0} and {1}', others.toReversed().join(', '), last);
  return passed ? t('With edits {0}: passed', names) : t('With edits {0}: failed', names);
}

/** On which side of a verdict an attempt was made. */
export function gateTitle(
  { side, passed }: { readonly side: 'before' | 'after'; readonly passed: boolean },
  say: Say,
): string {
  if (side === 'before') return passed ? say('Without the edits: passed') : say('Without the edits: failed');
  return passed ? say('With the edits: passed') : say('With the edits: failed');
}

/** What tells the attempts behind a verdict apart. */
export function gateAttemptKey({
  side,
  number,
}: {
  readonly side: 'before' | 'after';
  readonly number: number;
}): string {
  return `${side}:${number}`;
}

/** Stands above attempts that no real model made. */
export function simulatedNote(): string {
  return t('Simulated model: these attempts show how Whetstone works, not how good the skill is.');
}

/** How many of the imported tasks were left out because they are there. */
export function knownText(known: number): string {
  return known === 1 ? t('1 is there already') : t('{0} are there already', known);
}

/** What a run says of one type of task: how often training tasks passed, and the share that passed on the other sides. */
export interface TypeFigures {
  readonly type: string;
  readonly training: Share | undefined;
  readonly heldOut: BeforeAfter | undefined;
  readonly sealed: BeforeAfter | undefined;
}

/** The share that passed, of `n` attempts. */
export interface Share {
  readonly n: number;
  readonly share: number;
}

export interface BeforeAfter {
  readonly before: Share | undefined;
  readonly after: Share | undefined;
}

/** The figures by type of task as a table. */
export function typeGrid(
  figures: readonly TypeFigures[],
  say: Say,
): { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] } {
  const share = (found: Share | undefined): string =>
    found === undefined ? '–' : say('{0} of {1}', percent(found.share), found.n);
  return {
    head: [
      say('type'),
      say('training'),
      say('held-out before'),
      say('held-out after'),
      say('sealed before'),
      say('sealed after'),
    ],
    rows: figures.map(({ type, training, heldOut, sealed }) => [
      type === '' ? say('other') : type,
      ...[training, heldOut?.before, heldOut?.after, sealed?.before, sealed?.after].map(share),
    ]),
  };
}
