import * as vscode from 'vscode';
import type { SkillOverview } from '../../app/results/overview.js';
import type { FoundSkill } from '../skills/discoverSkills.js';
import type { KnownSkill } from './skillNode.js';
import { pausedRun } from './skillState.js';

/** Which skills the view shows, and in which order. */
export interface Arrangement {
  /** Words of a name or a folder; empty: all. */
  readonly filter: string;
  readonly order: 'name' | 'attention';
}

export const everything: Arrangement = { filter: '', order: 'name' };

/** The skills that the view shows, in its order; those that need the person come first where they want that. */
export function arranged(
  skills: readonly FoundSkill[],
  { filter, order }: Arrangement,
  known: (skill: FoundSkill) => KnownSkill | undefined,
): readonly FoundSkill[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const shown = skills.filter((skill) => {
    const texts = [...skill.paths.map(shownPath), known(skill)?.overview?.name.toLowerCase() ?? ''];
    return words.every((word) => texts.some((text) => text.includes(word)));
  });
  // The sort keeps the order of names between those that need the person equally.
  return order === 'name' ? shown : shown.toSorted((a, b) => attention(known(a)) - attention(known(b)));
}

/** As far as the person sees it: the folders above the open one are the same for all. */
function shownPath(path: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.file(path)).toLowerCase();
}

/** 0 is most in need: what waits for a word of the person, what failed, what can go on, what agents got wrong, what lacks tasks, then the rest. */
function attention(known: KnownSkill | undefined): number {
  if (known?.trouble !== undefined) return needs.indexOf(failed);
  const { overview, usage } = known ?? {};
  const first = overview === undefined ? -1 : needs.findIndex((need) => need(overview, usage));
  return first < 0 ? needs.length : first;
}

const needs: readonly ((overview: SkillOverview, usage: KnownSkill['usage']) => boolean)[] = [
  ({ pending }) => pending !== undefined && pending.proposal.verdict.kind !== 'rejected',
  failed,
  ({ measurement }) => measurement.kind === 'unmeasured',
  (overview) => pausedRun(overview) !== undefined,
  (_, usage) => (usage?.corrected ?? 0) > 0,
  ({ tasks }) => (tasks?.drafts.length ?? 0) > 0,
  ({ tasks }) => tasks === undefined,
];

function failed({ runs }: SkillOverview): boolean {
  return runs[0]?.outcome === 'failed';
}

/** The folder that tells a skill from others of its name; undefined where its name alone does. */
export function tellingFolder(skill: FoundSkill, skills: readonly FoundSkill[]): string | undefined {
  const namesakes = skills.filter(({ name }) => name === skill.name);
  if (namesakes.length < 2) return undefined;
  const [own, ...others] = [skill, ...namesakes.filter(({ realPath }) => realPath !== skill.realPath)].map(foldersOf);
  if (own === undefined) return undefined;
  // The fewest folders above the skill that none of the others has in the same places.
  const enough = own.findIndex((_, index) =>
    others.every((other) => own.slice(0, index + 1).join('/') !== other.slice(0, index + 1).join('/')),
  );
  return own
    .slice(0, enough < 0 ? own.length : enough + 1)
    .toReversed()
    .join('/');
}

/** The folders above that of the skill, the nearest first. */
function foldersOf({ realPath }: FoundSkill): readonly string[] {
  return realPath.split(/[\\/]/).slice(0, -2).toReversed();
}
