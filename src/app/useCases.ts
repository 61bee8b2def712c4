import type { SeenProgram } from '../ports/programs.js';
import { FirstContents, rememberedConsent } from '../storage/state/consents.js';
import { createHarvestUseCases, type HarvestUseCases } from './harvest/harvest.js';
import { createHandoffUseCases, type HandoffUseCases } from './handoff/discardHandoff.js';
import { createSandboxUseCases, type SandboxUseCases } from './environments/sandbox.js';
import { createWorkerListUseCases, type WorkerListUseCases } from './environments/portablePrograms.js';
import { createScriptUseCases, type ScriptUseCases } from './environments/scriptEdits.js';
import { createLoginUseCases, type LoginUseCases } from './models/agentAccess.js';
import { createJudgeUseCases, type JudgeUseCases } from './judge/judge.js';
import { createMiningUseCases, type MiningUseCases } from './mining/mineSessions.js';
import { sizedModels } from './models/sizedModels.js';
import { createModelUseCases, type ModelUseCases } from './models/models.js';
import { createMetaSkillUseCases, type MetaSkillUseCases } from './metaSkills.js';
import { createNightUseCases, type NightUseCases } from './nights/nights.js';
import { createOsScheduleUseCases, type OsScheduleUseCases } from './osSchedule/osSchedule.js';
import { createPromptUseCases, type PromptUseCases } from './promptOverrides.js';
import { createProposalUseCases, type ProposalUseCases } from './proposals/proposals.js';
import { createResultUseCases, type ResultUseCases } from './results/results.js';
import { createRunUseCases, type RunUseCases } from './runs/runs.js';
import { createTaskUseCases, type TaskUseCases } from './tasks/tasks.js';
import { userStore, type World } from './world.js';

/**
 * What both faces of Whetstone can do, wired to files and models once. Every method that waits takes a signal; once it
 * is aborted the method rejects and every file is as it was.
 */
export interface UseCases
  extends
    RunUseCases,
    ProposalUseCases,
    ResultUseCases,
    TaskUseCases,
    JudgeUseCases,
    PromptUseCases,
    MetaSkillUseCases,
    MiningUseCases,
    ModelUseCases,
    LoginUseCases,
    HandoffUseCases,
    NightUseCases,
    OsScheduleUseCases,
    SandboxUseCases,
    ScriptUseCases,
    WorkerListUseCases,
    HarvestUseCases {}

/** Wires the use cases to files and models. Nothing happens until a method is called. */
export function createUseCases(given: World): UseCases {
  const world = {
    ...withRememberedConsent(given),
    models: sizedModels(given.models),
    servers: given.servers ?? new Map(),
  };
  const runs = createRunUseCases(world);
  return {
    ...runs,
    ...createProposalUseCases(world),
    ...createResultUseCases(world, runs),
    ...createTaskUseCases(world),
    ...createJudgeUseCases(world),
    ...createPromptUseCases(world),
    ...createMetaSkillUseCases(world),
    ...createMiningUseCases(world),
    ...createModelUseCases(world),
    ...createLoginUseCases(world),
    ...createHandoffUseCases(world),
    ...createNightUseCases(world),
    ...createOsScheduleUseCases(world),
    ...createSandboxUseCases(world),
    ...createScriptUseCases(world),
    ...createWorkerListUseCases(world),
    ...createHarvestUseCases(world),
  };
}

/**
 * A yes is remembered in user state for exactly that content; a no is asked again. Where no person answers, a yes was
 * given before with a flag, and holds for what was there first.
 */
function withRememberedConsent(world: World): World {
  const first = world.interactive === true ? undefined : new FirstContents();
  const ask: World['consent']['allows'] = (asked, abort) => world.consent.allows(asked, abort);
  const allows: World['consent']['allows'] = async (request, signal) =>
    rememberedConsent(await userStore(world), ask, first).allows(request, signal);
  const noted = first && {
    began: (program: SeenProgram) => first.note(program),
    changed: (program: SeenProgram) => first.isOther(program),
  };
  return { ...world, consent: { allows, ...noted } };
}
