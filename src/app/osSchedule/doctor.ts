import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, UserError } from '../../errors.js';
import type { DoctorReport } from '../../models/doctor/doctor.js';
import { failed, ok, skipped, warning, type Finding } from '../../models/doctor/finding.js';
import { schedulerOf } from '../../schedule/osSchedule.js';
import { openUserStore, type UserStore } from '../../storage/state/store.js';
import { makeUserState } from '../../storage/state/userState.js';
import { examineModels } from '../models/checkConnection.js';
import { findProgram, isOnPath } from './osCommand.js';
import { isNewEnough } from './nightProgram.js';
import { findSkill } from '../nights/nightSkills.js';
import type { EnvironmentDeclaration } from '../../tasks/readers/whetstoneFile.js';
import type { World } from '../world.js';

/** Where to look. */
export interface DoctorRequest {
  readonly version: string;
  readonly folders: readonly string[];
  readonly skills: readonly string[];
}

/** What keeps Whetstone from working here, if anything does. Holds nothing secret: it is made to be sent to others. */
export interface DoctorResult {
  readonly healthy: boolean;
  readonly findings: readonly Finding[];
}

/** Looks at programs, folders and skills, and asks each chosen model for one short answer, which is paid for like any. */
export async function examine(world: World, request: DoctorRequest, signal: AbortSignal): Promise<DoctorResult> {
  const state = await stateFindings(world);
  const findings = [
    nodeFinding(),
    ...state.findings,
    ...(await Promise.all(request.folders.map(folderFinding))),
    ...(await skillFindings(world, request)),
    await schedulerFinding(world),
    ...(state.store === undefined ? [] : endpointFindings(await examineModels(world, state.store, signal))),
  ];
  return { healthy: findings.every(({ state: each }) => each !== 'failed'), findings };
}

function nodeFinding(): Finding {
  const { version, execPath } = process;
  return isNewEnough(version)
    ? ok('program', `Node.js ${version} at ${execPath}.`)
    : failed('program', `Node.js ${version} at ${execPath} is too old.`, 'Install Node.js 20.19 or later.');
}

async function stateFindings(
  world: World,
): Promise<{ readonly store: UserStore | undefined; readonly findings: readonly Finding[] }> {
  try {
    const folder = await makeUserState(world);
    const store = await openUserStore(folder, world.clock);
    await access(folder, constants.W_OK);
    return { store, findings: [ok('state', `${folder} can be written to.`)] };
  } catch (error) {
    const cure = error instanceof UserError ? error.cure : 'Set WHETSTONE_HOME to a folder of your own.';
    return { store: undefined, findings: [failed('state', messageOf(error), cure)] };
  }
}

async function folderFinding(folder: string): Promise<Finding> {
  const found = await stat(folder).catch(() => undefined);
  return found?.isDirectory() === true
    ? ok('folder', `${folder} is there.`)
    : failed('folder', `${folder} is not there.`, 'Open or mount it, or remove the schedule for it.');
}

async function skillFindings(world: World, { skills, folders }: DoctorRequest): Promise<readonly Finding[]> {
  if (skills.length === 0)
    return [warning('skills', 'No SKILL.md was found.', 'Give the folder that holds your skills.')];
  const shared = { workspaceFolders: folders, preset: 'standard', settings: [], trusted: true, force: true } as const;
  const found = await Promise.all(
    skills.map((skillPath) => findSkill(world, { ...shared, skills, skillPath }, { models: undefined })),
  );
  const ready = found.filter((each) => each.kind === 'found');
  const problems = found.flatMap((each) => {
    if (each.kind === 'left-out') return [warning('skill', each.stop.sentence, each.stop.cure)];
    return each.kind === 'broken'
      ? [warning('skill', `${each.name}: ${each.reason}`, 'Fix it to have it trained.')]
      : [];
  });
  const missing = await Promise.all(
    ready.flatMap(({ skill, tasks }) =>
      [...tasks.read.environments.values()].map(async (declared) => {
        const { command, folder } = startedBy(declared);
        return (await isThere(world, command, path.join(skill.folder, folder)))
          ? []
          : [programMissing(skill.name, command)];
      }),
    ),
  );
  const all = skills.length === 1 ? '1 skill' : `${skills.length} skills`;
  return [ok('skills', `${ready.length} of ${all} can be trained.`), ...problems, ...missing.flat()];
}

/** What must be there: a program by its command, a module by its file. */
function startedBy(declared: EnvironmentDeclaration): { readonly command: string; readonly folder: string } {
  if ('module' in declared) return { command: `./${declared.module}`, folder: declared.folder ?? 'evals' };
  return { command: declared.command, folder: declared.folder ?? '' };
}

async function isThere(world: World, command: string, folder: string): Promise<boolean> {
  if (!/[\\/]/.test(command)) return isOnPath(command, world.environment, world.platform);
  return (await stat(path.resolve(folder, command)).catch(() => undefined))?.isFile() === true;
}

function programMissing(skill: string, command: string): Finding {
  return warning('program', `${skill} runs “${command}”, which is not found here.`, 'Install it, or correct PATH.');
}

async function schedulerFinding(world: World): Promise<Finding> {
  const name = { crontab: 'crontab', launchd: 'launchctl', schtasks: 'schtasks' }[schedulerOf(world.platform)];
  const found = await findProgram(name, world.environment, world.platform);
  return found === undefined
    ? skipped('schedule', `There is no “${name}”: nights run while a window is open.`)
    : ok('schedule', `${found} can start nights while no window is open.`);
}

/** Of several models each finding says whose it is. */
function endpointFindings(reports: readonly DoctorReport[]): readonly Finding[] {
  return reports.flatMap(({ provider, model, findings }) =>
    findings.map(({ check, state, what, cure }) => ({
      check,
      state,
      what: reports.length === 1 ? what : `${[provider, model].filter((part) => part !== '').join('/')}: ${what}`,
      cure,
    })),
  );
}
