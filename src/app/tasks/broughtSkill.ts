import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { jsonFile } from '../../jsonFile.js';
import { resolveOptions } from '../../engine/runOptions.js';
import { askEnvironment } from '../../environments/askEnvironment.js';
import { UserError } from '../../errors.js';
import { decodeSkill } from '../../skill/document/decodeSkill.js';
import { parseSkill } from '../../skill/document/skillDocument.js';
import { isSkillName, longestDescription } from '../../skill/skillName.js';
import { writeInside } from '../../storage/files/writeInside.js';
import { findRoot } from '../../storage/state/workspaceRoot.js';
import { bringersOf } from '../../tasks/readers/whetstoneFile.js';
import { containedPrograms } from '../environments/containedPrograms.js';
import { startSources } from '../environments/environmentsFor.js';
import { refuseUntrustedWrite, type World } from '../world.js';
import { refuseTaken } from './newSkill.js';
import { declaredIn } from './skillBringers.js';

/** The folder of a skill that has no SKILL.md yet, and which of its environments is asked for one. */
export interface SkillWish {
  readonly folder: string;
  /** The only one that brings a skill where it is left out. */
  readonly environment?: string | undefined;
}

/** The text of a SKILL.md that an environment brought, and where it would be written. */
export interface BroughtSkill {
  readonly environment: string;
  readonly skillPath: string;
  readonly text: string;
}

/** Asks the environment for the text of a first SKILL.md. Writes nothing. */
export async function broughtSkill(
  world: World,
  { folder: given, environment }: SkillWish,
  signal: AbortSignal,
): Promise<BroughtSkill> {
  refuseUntrustedWrite(world);
  const declared = await declaredIn(given);
  const name = chosen(given, bringersOf(declared, 'skill'), environment);
  const declaration = declared.get(name);
  if (declaration === undefined) throw noSuch(given, name, []);
  const folder = await realpath(given);
  const skillPath = path.join(folder, 'SKILL.md');
  await refuseTaken(skillPath);
  const { seed } = resolveOptions('standard', []).train;
  const asked = await askEnvironment(
    declaration,
    { ask: 'skill', seed },
    startSources({ folder }, containedPrograms(world, { folder, places: await workspaceOf(skillPath) })),
    signal,
  );
  if (asked.kind === 'failed') {
    throw new UserError(
      'environment-refused',
      `The environment “${name}” gave no skill. ${asked.reason}`,
      'Correct or allow it, or write a SKILL.md by hand.',
    );
  }
  const text = withFrontMatter(asked.answer.skill, path.basename(folder));
  return { environment: name, skillPath, text: decodeSkill(new TextEncoder().encode(text), skillPath) };
}

/** Writes it, never over anything that is there; gives the path. */
export async function writeBroughtSkill(world: World, { skillPath, text }: BroughtSkill): Promise<string> {
  refuseUntrustedWrite(world);
  const beforeRename = (): Promise<void> => refuseTaken(skillPath);
  await beforeRename();
  await writeInside(path.dirname(skillPath), skillPath, text, { mode: 0o644, beforeRename });
  return skillPath;
}

/** What is closed to it beside its folder: there is no skill yet, so it is looked for upwards, however it was opened. */
async function workspaceOf(skillPath: string): Promise<{ readonly root: string | undefined }> {
  return { root: await findRoot({ skillPath, workspaceFolders: [path.parse(skillPath).root] }) };
}

function chosen(folder: string, names: readonly string[], wanted: string | undefined): string {
  const [only] = names.length === 1 ? names : [];
  const name = wanted ?? only;
  if (name !== undefined && names.includes(name)) return name;
  throw noSuch(folder, wanted, names);
}

function noSuch(folder: string, wanted: string | undefined, names: readonly string[]): UserError {
  const cure =
    names.length === 0
      ? 'Declare one under “environments” in evals/whetstone.json with "brings": ["skill"].'
      : `Name one of those that do: ${names.join(', ')}.`;
  if (wanted !== undefined)
    return new UserError('environment-refused', `No environment “${wanted}” in ${folder} brings a skill.`, cure);
  return new UserError(
    'environment-refused',
    names.length === 0
      ? `No environment in ${folder} brings a skill.`
      : `Several environments in ${folder} bring a skill.`,
    cure,
  );
}

/** Benchmarks start from a plain text; agents find a skill by its front matter. */
function withFrontMatter(text: string, folder: string): string {
  if (parseSkill(text).frontMatter !== undefined || text.trim() === '') return text;
  const name = isSkillName(folder) ? folder : 'skill';
  const first = text
    .split('\n')
    .map((line) => line.replace(/^[#>*\s-]+/u, '').trim())
    .find((line) => line !== '');
  const description = (first ?? name).slice(0, longestDescription);
  return `---\nname: ${name}\ndescription: ${jsonFile(description)}\n---\n\n${text.trimStart()}`;
}
