import { UserError } from '../errors.js';
import { isAllowed, rememberedConsent } from '../storage/state/consents.js';
import { restoreVersion } from '../storage/adoption/history.js';
import { openLedger } from '../storage/spend/spendLedger.js';
import { openUserStore } from '../storage/state/store.js';
import { openTexts } from '../storage/runs/texts.js';
import { undoLast } from '../storage/adoption/undo.js';
import { makeUserState } from '../storage/state/userState.js';
import {
  adoptPending,
  asVersion,
  isWhole,
  decideOn,
  noteEditorAdoption,
  rejectPending,
  reopenEdits,
} from './proposals/decisions.js';
import { draftTasks } from './tasks/draftTasks.js';
import { environmentNotes } from './environments/environmentNotes.js';
import { evaluate } from './runs/evaluate.js';
import { lastReport } from './results/lastReport.js';
import { resumeCertification } from './runs/resumeCertification.js';
import { measurePriceOf, measureTexts, refillErrorBudget } from './runs/measure.js';
import { modelMethods } from './models/modelMethods.js';
import { earlierRuns, modelChangeNotes } from './models/modelNotes.js';
import { nightlyMethods } from './nights/nightlyMethods.js';
import { openSkill } from './openSkill.js';
import { optimize } from './runs/optimize.js';
import { osMethods } from './osSchedule/osMethods.js';
import { rebasePending } from './proposals/rebase.js';
import { overviewOf, pendingOf } from './results/overview.js';
import { preflightOf } from './runs/preflight.js';
import { recordedAdoption } from './proposals/recordedAdoption.js';
import { resultsOf } from './results/results.js';
import { listPrompts, promptFile, showNewPrompts } from './promptOverrides.js';
import { modelNames } from './models/runModels.js';
import { runOptionsFor } from './runs/runOptionsFor.js';
import { tasksForEvaluation, tasksForRun } from './tasks/skillTasks.js';
import { changeTasks, importTasks } from './tasks/taskFiles.js';
import type { RunStart } from './runs/skillRun.js';
import { runToResume } from './runs/unfinishedRuns.js';
import type { RunObserver, RunRequest, UseCases } from './useCases.js';
import type { World } from './world.js';

/** Wires the use cases to files and models. Nothing happens until a method is called. */
export function createUseCases(given: World): UseCases {
  const world = withMemoryOfConsent(given);
  const runs = runMethods(world);
  return {
    ...runs,
    ...resultsOf(world, runs.evaluate),
    ...proposalMethods(world),
    ...taskMethods(world),
    ...spendMethods(world),
    ...nightlyMethods(unattended(world)),
    ...osMethods(world),
    ...modelMethods(world, {
      prepare: (request, signal) =>
        prepare(world, request, { observe: () => undefined, tasks: tasksForEvaluation }, signal),
      userStore: () => userStore(world),
    }),
  };
}

function runMethods(
  world: World,
): Pick<UseCases, 'preflight' | 'optimize' | 'evaluate' | 'measure' | 'measurePrice' | 'resumeCertification'> {
  return {
    async preflight(request, signal) {
      const start = await prepare(world, request, { observe: () => undefined }, signal);
      return preflightOf(start, await world.models(signal));
    },
    async optimize(request, observe, signal) {
      const start = await prepare(world, request, { observe }, signal);
      await tellNotes(start);
      if (request.resume === undefined) {
        await tellModelChange(start, signal);
        return optimize(start, signal);
      }
      const resume = await runToResume(start.skill, request.resume.run);
      return optimize({ ...start, resume, options: resume.started.options, purpose: resume.started.purpose }, signal);
    },
    async evaluate(request, observe, signal) {
      const start = await prepare(world, request, { observe, tasks: tasksForEvaluation }, signal);
      await tellNotes(start);
      return evaluate(
        { ...start, purpose: 'evaluate' },
        { withoutSkill: request.withoutSkill, only: request.only },
        signal,
      );
    },
    async measure(request, observe, signal) {
      const { before, after } = request;
      return (await measureTexts(await prepare(world, request, { observe }, signal), { before, after }, signal))
        .verdict;
    },
    async measurePrice(request, signal) {
      const start = await prepare(world, request, { observe: () => undefined }, signal);
      const { heldOut } = start.tasks.result.split;
      const input = { heldOut, options: start.options, prices: world.prices?.() };
      return measurePriceOf(input, request, await world.models(signal));
    },
    async resumeCertification(request, observe, signal) {
      return resumeCertification(await prepare(world, request, { observe }, signal), signal);
    },
  };
}

type ProposalMethods =
  | 'overview'
  | 'report'
  | 'text'
  | 'adopt'
  | 'decide'
  | 'reopen'
  | 'noteAdoption'
  | 'rebase'
  | 'reject'
  | 'undo'
  | 'restore'
  | 'refillErrorBudget';

function proposalMethods(world: World): Pick<UseCases, ProposalMethods> {
  return {
    async overview(request) {
      return overviewOf(await openSkill(world, request, 'look'));
    },
    async text(hash) {
      return openTexts(await userStore(world)).get(hash);
    },
    async adopt(request, signal) {
      const skill = await openSkill(world, request, 'work');
      const adopt = (): ReturnType<UseCases['adopt']> => adoptPending(skill, request.edits, signal);
      if (request.edits !== undefined) return adopt();
      return recordedAdoption(world, skill, { pending: await pendingOf(skill), whole: true, adopt });
    },
    async decide(request, signal) {
      await decideOn(await openSkill(world, request, 'work'), request.decisions, signal);
    },
    async noteAdoption(request, signal) {
      const skill = await openSkill(world, request, 'work');
      const adoption = { pending: request.pending, whole: await isWhole(skill, request) };
      return recordedAdoption(world, skill, { ...adoption, adopt: () => noteEditorAdoption(skill, request, signal) });
    },
    async reopen(request, signal) {
      await reopenEdits(await openSkill(world, request, 'work'), request.proposal, request.edits, signal);
    },
    async refillErrorBudget(request, signal) {
      await refillErrorBudget(await openSkill(world, request, 'work'), request.reason, signal);
    },
    async report(request) {
      return lastReport(await openSkill(world, request, 'look'), request.run);
    },
    async rebase(request) {
      return rebasePending(await openSkill(world, request, 'work'));
    },
    async reject(request, signal) {
      await rejectPending(await openSkill(world, request, 'work'), request.reason, signal);
    },
    async undo(request, signal) {
      const skill = await openSkill(world, request, 'work');
      return asVersion(skill, await undoLast(skill.store, signal));
    },
    async restore(request, signal) {
      const skill = await openSkill(world, request, 'work');
      return asVersion(
        skill,
        await restoreVersion(skill.store, { seq: Number(request.version), side: 'after' }, signal),
      );
    },
  };
}

function taskMethods(
  world: World,
): Pick<UseCases, 'changeTasks' | 'importTasks' | 'draftTasks' | 'prompts' | 'promptFile'> {
  return {
    async changeTasks(request) {
      await changeTasks(await openSkill(world, request, 'work'), request.change);
    },
    async importTasks(request) {
      return importTasks(await openSkill(world, request, 'work'), request.source);
    },
    async prompts(request) {
      return listPrompts(await openSkill(world, request, 'look'));
    },
    async promptFile(request) {
      return promptFile(await openSkill(world, request, 'work'), request.name);
    },
    async draftTasks(request, signal) {
      if (!request.trusted) throw untrusted();
      return draftTasks(world, await openSkill(world, request, 'work'), request.count, signal);
    },
  };
}

function spendMethods(world: World): Pick<UseCases, 'spendThisMonth' | 'spendToday'> {
  return {
    spendThisMonth: async () => spend(world, 'spentThisMonth'),
    spendToday: async () => spend(world, 'spentToday'),
  };
}

/** At night only what was allowed by day runs. */
function unattended(world: World): World {
  if (world.interactive !== true) return world;
  const allows: World['consent']['allows'] = async (request) => isAllowed(await userStore(world), request);
  return { ...world, consent: { allows } };
}

/** A yes is remembered in user state for exactly that content; a no is asked again. */
function withMemoryOfConsent(world: World): World {
  return {
    ...world,
    consent: {
      allows: async (request, signal) => {
        const remembered = rememberedConsent(await userStore(world), (asked, abort) =>
          world.consent.allows(asked, abort),
        );
        return remembered.allows(request, signal);
      },
    },
  };
}

async function prepare(
  world: World,
  request: RunRequest,
  { observe, tasks = tasksForRun }: { readonly observe: RunObserver; readonly tasks?: typeof tasksForRun },
  signal: AbortSignal,
): Promise<RunStart> {
  if (!request.trusted) {
    throw untrusted();
  }
  const skill = await openSkill(world, request, 'work');
  const options = await runOptionsFor(skill, request);
  await showNewPrompts(world, skill, signal);
  return { world, skill, options, tasks: await tasks(skill), purpose: request.purpose, observe };
}

/** What the target cannot see and nobody counts, for those who started without a preflight. */
async function tellNotes({ world, skill, tasks, options }: RunStart): Promise<void> {
  for (const note of await environmentNotes(skill, tasks, options)) world.tell(note);
}

async function tellModelChange({ world, skill }: RunStart, signal: AbortSignal): Promise<void> {
  const names = modelNames(await world.models(signal));
  for (const note of modelChangeNotes(await earlierRuns(skill), names)) world.tell(note);
}

function untrusted(): UserError {
  return new UserError(
    'workspace-untrusted',
    'This workspace is not trusted, so nothing runs here.',
    'Trust the workspace, then run again.',
  );
}

async function userStore(world: World): ReturnType<typeof openUserStore> {
  return openUserStore(await makeUserState(world), world.clock);
}

async function spend(world: World, period: 'spentThisMonth' | 'spentToday'): ReturnType<UseCases['spendToday']> {
  const ledger = openLedger(await userStore(world));
  try {
    return await ledger[period]();
  } finally {
    await ledger.close();
  }
}
