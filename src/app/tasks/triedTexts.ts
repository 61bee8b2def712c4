import { storedText } from '../../engine/candidate.js';
import { sha256 } from '../../hash.js';
import type { Proposal } from '../../ports/proposal.js';
import { EditSubsets, everyChoice } from '../../review/editSubsets.js';
import { documentTitle } from '../../skill/package/packageFile.js';

/** The edits of a proposal that a text was made with, by id; all of them, or undefined where it is none that they make. */
export type EditsOfText = (hash: string) => readonly string[] | 'all' | undefined;

const mostTried = 7; // units of edits of which every choice is looked at

/**
 * A run tries its edits by themselves and in part before it proposes them together. Tells by the hash of a text which of
 * them it held; `skill` is the text of SKILL.md, where the proposal leaves that as it is.
 */
export function editsOfTexts({ documents }: Pick<Proposal, 'documents'>, skill: string): EditsOfText {
  const read = documents.filter(({ kind }) => kind !== 'memory');
  const parts = read.map(({ kind, path, baseText, edits, scope }) => ({
    kind,
    name: documentTitle({ kind, path }),
    // They were lawful for the run that proposed them.
    subsets: new EditSubsets({ base: baseText, edits, scope, code: 'allowed' }),
  }));
  const hashWith = (ids: ReadonlySet<string>): string => {
    const texts = parts.map(({ kind, name, subsets }) => ({ kind, name, subsets, text: subsets.take(ids).text }));
    const changed = texts.filter(({ kind, subsets, text }) => kind === 'file' && text !== subsets.base);
    const own = texts.find(({ kind }) => kind === 'skill')?.text ?? skill;
    return sha256(storedText({ skill: own, files: Object.fromEntries(changed.map(({ name, text }) => [name, text])) }));
  };
  const units = parts.flatMap(({ subsets }) => subsets.units);
  const found = new Map<string, readonly string[]>();
  for (const choice of choicesOf(units)) {
    const ids = choice.flat();
    const hash = hashWith(new Set(ids));
    if (!found.has(hash)) found.set(hash, ids);
  }
  const whole = hashWith(new Set(units.flat()));
  return (hash) => (hash === whole ? 'all' : found.get(hash));
}

/** What a run tries of many edits: each alone, all but each, and the first ones, as its steps added them. */
function choicesOf(units: EditSubsets['units']): Iterable<EditSubsets['units']> {
  if (units.length <= mostTried) return everyChoice(units);
  return units.flatMap((unit, at) => [[unit], units.filter((each) => each !== unit), units.slice(0, at)]);
}
