import { access, constants, stat } from 'node:fs/promises';
import { messageOf, ModelError, UserError } from '../../errors.js';
import type { DoctorReport } from '../../models/doctor/doctor.js';
import { findPrice } from '../../models/prices.js';
import { withBudget } from '../../models/wrappers/withBudget.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { schedulerOf } from '../../schedule/osSchedule.js';
import { newRunId } from '../../storage/runs/runFolder.js';
import { openLedger } from '../../storage/spend/spendLedger.js';
import { openUserStore, type UserStore } from '../../storage/state/store.js';
import { makeUserState } from '../../storage/state/userState.js';
import { examineModels } from '../models/checkConnection.js';
import { findProgram } from './osCommand.js';
import type { DoctorFinding, DoctorRequest, DoctorResult } from './osNightly.js';
import { isNewEnough } from './osProgram.js';
import { findSkill } from '../nights/nightSkills.js';
import type { World } from '../world.js';

/** Looks at programs, folders and skills, and asks each chosen model for one short answer, which is paid for like any. */
export async function examine(world: World, request: DoctorRequest, signal: AbortSignal): Promise<DoctorResult> {
  const state = await stateFindings(world);
  const findings = [
    nodeFinding(),
    ...state.findings,
    ...(await Promise.all(request.folders.map(folderFinding))),
    ...(await skillFindings(world, request)),
    await schedulerFinding(world),
    ...(state.store === undefined ? [] : await modelFindings(world, state.store, signal)),
  ];
  return { healthy: findings.every(({ state: each }) => each !== 'failed'), findings };
}

function nodeFinding(): DoctorFinding {
  const { version, execPath } = process;
  return isNewEnough(version)
    ? ok('program', `Node.js ${version} at ${execPath}.`)
    : failed('program', `Node.js ${version} at ${execPath} is too old.`, 'Install Node.js 20.19 or later.');
}

async function stateFindings(
  world: World,
): Promise<{ readonly store: UserStore | undefined; readonly findings: readonly DoctorFinding[] }> {
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

async function folderFinding(folder: string): Promise<DoctorFinding> {
  const found = await stat(folder).catch(() => undefined);
  return found?.isDirectory() === true
    ? ok('folder', `${folder} is there.`)
    : failed('folder', `${folder} is not there.`, 'Open or mount it, or remove the schedule for it.');
}

async function skillFindings(world: World, { skills, folders }: DoctorRequest): Promise<readonly DoctorFinding[]> {
  if (skills.length === 0)
    return [warning('skills', 'No SKILL.md was found.', 'Give the folder that holds your skills.')];
  const shared = { workspaceFolders: folders, preset: 'standard', settings: [], trusted: true, force: true } as const;
  const found = await Promise.all(
    skills.map((skillPath) => findSkill(world, { ...shared, skills, skillPath }, undefined)),
  );
  const ready = found.filter((each) => each.kind === 'found');
  const problems = found.flatMap((each) => {
    if (each.kind === 'left-out') return [warning('skill', each.stop.sentence, each.stop.cure)];
    return each.kind === 'broken'
      ? [warning('skill', `${each.name}: ${each.reason}`, 'Mend it to have it trained.')]
      : [];
  });
  const missing = await Promise.all(
    ready.flatMap(({ skill, tasks }) =>
      [...tasks.read.environments.values()].map(async ({ command }) =>
        (await isThere(world, command, skill.folder)) ? [] : [programMissing(skill.name, command)],
      ),
    ),
  );
  return [ok('skills', `${ready.length} of ${skills.length} skills can be trained.`), ...problems, ...missing.flat()];
}

async function isThere(world: World, command: string, folder: string): Promise<boolean> {
  if (!/[\\/]/.test(command)) return (await findProgram(command, world.environment, world.platform)) !== undefined;
  return (await stat(new URL(command, `file://${folder}/`)).catch(() => undefined))?.isFile() === true;
}

function programMissing(skill: string, command: string): DoctorFinding {
  return warning('program', `${skill} runs “${command}”, which is not found here.`, 'Install it, or correct PATH.');
}

async function schedulerFinding(world: World): Promise<DoctorFinding> {
  const name = { crontab: 'crontab', launchd: 'launchctl', schtasks: 'schtasks' }[schedulerOf(world.platform)];
  const found = await findProgram(name, world.environment, world.platform);
  return found === undefined
    ? {
        check: 'schedule',
        state: 'skipped',
        what: `There is no “${name}”: nights run while a window is open.`,
        cure: '',
      }
    : ok('schedule', `${found} can start nights while no window is open.`);
}

async function modelFindings(world: World, store: UserStore, signal: AbortSignal): Promise<readonly DoctorFinding[]> {
  if (world.examine !== undefined) return endpointFindings(await examineModels(world, store, signal));
  try {
    const { target, optimizer, judge } = await world.models(signal);
    const distinct = new Map([target, optimizer, judge].map((model) => [JSON.stringify(model.identity), model]));
    const findings: DoctorFinding[] = [];
    for (const model of distinct.values()) findings.push(await askOnce(world, store, model, signal));
    return findings;
  } catch (error) {
    signal.throwIfAborted();
    return [failed('model', messageOf(error), error instanceof UserError ? error.cure : '')];
  }
}

/** Of several models each finding says whose it is. */
function endpointFindings(reports: readonly DoctorReport[]): readonly DoctorFinding[] {
  return reports.flatMap(({ provider, model, findings }) =>
    findings.map(({ check, state, what, cure }) => ({
      check,
      state,
      what: reports.length === 1 ? what : `${[provider, model].filter((part) => part !== '').join('/')}: ${what}`,
      cure,
    })),
  );
}

async function askOnce(
  world: World,
  store: UserStore,
  model: LanguageModel,
  signal: AbortSignal,
): Promise<DoctorFinding> {
  const name = `${model.identity.provider}/${model.identity.model}`;
  const ledger = openLedger(store);
  const start = world.clock.now();
  try {
    const runId = newRunId(start);
    const caps = { run: {}, ...world.caps() };
    const counted = withBudget(model, { ledger, runId, caps, price: findPrice(model.identity, world.prices?.()) });
    await counted.complete(question, signal);
    return ok('model', `${name} answered in ${((world.clock.now() - start) / 1000).toFixed(1)} s.`);
  } catch (error) {
    signal.throwIfAborted();
    return failed('model', `${name}: ${messageOf(error)}`, error instanceof ModelError ? error.cure : '');
  } finally {
    await ledger.close();
  }
}

const question = {
  role: 'target' as const,
  messages: [{ role: 'user' as const, content: 'Reply with the one word: ready' }],
  maxOutputTokens: 1024, // a model that thinks needs room before its one word
  attempt: 0,
};

function ok(check: string, what: string): DoctorFinding {
  return { check, state: 'ok', what, cure: '' };
}

function warning(check: string, what: string, cure: string): DoctorFinding {
  return { check, state: 'warning', what, cure };
}

function failed(check: string, what: string, cure: string): DoctorFinding {
  return { check, state: 'failed', what, cure };
}
