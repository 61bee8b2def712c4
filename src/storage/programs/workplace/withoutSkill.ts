import path from 'node:path';
import { sha256 } from '../../../hash.js';
import type { WorkEntry, WorkTree } from '../../../ports/agentWork.js';
import { readFrontMatter } from '../../../skill/document/frontMatter.js';
import { foldersAbove, withoutLinksOut } from './insideTree.js';
import { treeOf } from './workTree.js';

/** The skill that an attempt is made with or without. */
interface SkillPackage {
  readonly name: string;
  readonly files: WorkTree;
}

/**
 * What an attempt starts from, without anything that would give the skill or the answers away: no `evals` folder, no copy
 * of the skill in whichever folder of skills, no other folder that calls itself by its name, no file of its package under
 * another name, and no link that led to one of those. Without it the arm that has no skill would find it on the disk, and
 * the arm that has one another version of it.
 */
export function withoutSkill(tree: WorkTree, skill: SkillPackage): WorkTree {
  const same = tree.entries.filter((entry) => isSameSkill(entry, skill)).map((entry) => entry.path);
  // The root is nobody's skill folder: what lies around it is what the task is about.
  const folders = new Set(same.filter(isSkillFile).map((name) => path.posix.dirname(name)));
  const known = new Set(skill.files.entries.flatMap(contentOf));
  const isGone = (name: string): boolean =>
    namesAnswers(name) || namesSkill(name, skill.name) || foldersAbove(name).some((folder) => folders.has(folder));
  const kept = tree.entries.filter(
    (entry) => !isGone(entry.path) && !same.includes(entry.path) && !contentOf(entry).some((hash) => known.has(hash)),
  );
  return treeOf(withoutLinksOut(withoutLost(kept)));
}

function namesAnswers(name: string): boolean {
  return name.split('/').some((part) => ['evals', '.whetstone'].includes(part.toLowerCase()));
}

const packed = ['.skill', '.zip', '.tar', '.tar.gz', '.tgz'];

/** `.claude/skills/dates/…`, in whatever agent's folder, and the skill as one file. */
function namesSkill(name: string, skill: string): boolean {
  const parts = name.toLowerCase().split('/');
  const wanted = skill.toLowerCase();
  const inSkills = parts.some((part, index) => /^skills?$/u.test(part) && parts[index + 1] === wanted);
  const last = parts.at(-1) ?? '';
  return inSkills || packed.some((ending) => last === `${wanted}${ending}`);
}

/** A text that calls itself by the skill's name, wherever it lies. */
function isSameSkill(entry: WorkEntry, { name }: SkillPackage): boolean {
  if (entry.kind !== 'file' || !/\.mdc?$/iu.test(entry.path)) return false;
  const text = Buffer.from(entry.bytes)
    .toString('utf8')
    .replace(/^\uFEFF/u, '');
  return readFrontMatter(text, 0)?.name?.trim().toLowerCase() === name.toLowerCase();
}

function isSkillFile(name: string): boolean {
  return path.posix.basename(name).toLowerCase() === 'skill.md';
}

const shortest = 32; // bytes: an empty file is nobody's

/** Equal but for line ends and what stands around the text. */
function contentOf(entry: WorkEntry): readonly string[] {
  if (entry.kind !== 'file') return [];
  const text = Buffer.from(entry.bytes)
    .toString('latin1')
    .replace(/^\u00EF\u00BB\u00BF/u, '')
    .replace(/\r\n?/gu, '\n')
    .trim();
  return text.length < shortest ? [] : [sha256(text)];
}

/** Links that lead nowhere now, by name. */
function withoutLost(entries: readonly WorkEntry[]): readonly WorkEntry[] {
  const there = new Set(entries.flatMap(({ path: name }) => [name, ...foldersAbove(name)]));
  const kept = entries.filter(
    (entry) =>
      entry.kind === 'file' || there.has(path.posix.join(path.posix.dirname(entry.path), entry.to).replace(/\/$/u, '')),
  );
  return kept.length === entries.length ? kept : withoutLost(kept);
}
