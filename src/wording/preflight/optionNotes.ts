import { english } from '../translate.js';

/** The options that others can leave without effect. */
interface ComparedOptions {
  readonly train: { readonly epochs: number };
  readonly edits: { readonly scope: string; readonly mode: string; readonly control: string };
  readonly slowUpdate: { readonly on: boolean };
  readonly metaSkill: { readonly on: boolean };
}

/** Who is speaking: which options somebody turned on by name, and whether the run has an epoch by nature. */
interface Spoken {
  readonly slowUpdate: boolean;
  readonly metaSkill: boolean;
  /** A night, or another consolidation: one epoch, and the slow update compares nights. */
  readonly consolidates: boolean;
}

/** What the options of a run say that has no effect in it, each with what to do. English, as everything that is stored. */
export function optionNotes(
  { train, edits, slowUpdate, metaSkill }: ComparedOptions,
  spoken: Spoken,
): readonly string[] {
  const isLearned = slowUpdate.on && edits.scope === 'learned';
  const isOneEpoch = train.epochs === 1 && !spoken.consolidates;
  const idle = [
    ...(slowUpdate.on && spoken.slowUpdate && !isLearned ? ['slowUpdate.on'] : []),
    ...(metaSkill.on && spoken.metaSkill ? ['metaSkill.on'] : []),
  ];
  return [
    ...(isLearned ? [besideLearned()] : []),
    ...idle.filter(() => isOneEpoch).map(inOneEpoch),
    ...besideWhole(edits),
  ];
}

function besideLearned(): string {
  return english(
    'The option {0} has no effect with edits.scope=learned: guidance has a block of its own. Set edits.scope=body, or turn it off.',
    'slowUpdate.on',
  );
}

function besideWhole({ control, mode }: ComparedOptions['edits']): readonly string[] {
  if (control !== 'autonomous' || mode !== 'full_rewrite_minibatch') return [];
  const text =
    'The option {0} has no effect with {1}: a whole text is not counted in edits. Set edits.control=fixed, or another mode.';
  return [english(text, 'edits.control=autonomous', 'edits.mode=full_rewrite_minibatch')];
}

function inOneEpoch(name: string): string {
  const text =
    'The option {0} has no effect in a run of one epoch: it works from the second on. Set train.epochs=2 or more.';
  return english(text, name);
}
