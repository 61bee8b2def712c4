import { totalSpend } from '../engine/runSummary.js';
import { messageOf, UserError, type UserErrorCode } from '../errors.js';
import { hashOf } from '../storage/hash.js';
import { canonicalJson } from '../storage/canonicalJson.js';
import { openSkill } from './openSkill.js';
import { optimize } from './optimize.js';
import { nightMemory } from './nightMemory.js';
import { modelNames } from './runModels.js';
import { runOptionsFor } from './runOptionsFor.js';
import type { RunStart } from './skillRun.js';
import { tasksForRun } from './skillTasks.js';
import type { NightResult, NightSkillResult, OptimizeResult, Workshop } from './workshop.js';
import type { World } from './world.js';

type NightRequest = Parameters<Workshop['night']>[0];
type NightObserver = Parameters<Workshop['night']>[1];

const nothingSpent: NightResult['spend'] = { calls: 0, tokens: 0, usd: 0 };

/** One skill after the other, each with its own evidence. One that fails does not end the night. It only stages. */
export async function runNight(
  world: World,
  request: NightRequest,
  observe: NightObserver,
  signal: AbortSignal,
): Promise<NightResult> {
  const startedAt = world.clock.now();
  const skills: NightSkillResult[] = [];
  for (const skillPath of request.skills) {
    signal.throwIfAborted();
    skills.push(await trainOne(world, { ...request, skillPath }, observe, signal));
  }
  const spend = skills.reduce(
    (sum, skill) => ({
      calls: sum.calls + skill.spend.calls,
      tokens: sum.tokens + skill.spend.tokens,
      usd: sum.usd === undefined || skill.spend.usd === undefined ? undefined : sum.usd + skill.spend.usd,
    }),
    nothingSpent,
  );
  return { startedAt, endedAt: world.clock.now(), skills, spend };
}

async function trainOne(
  world: World,
  request: NightRequest & { readonly skillPath: string },
  observe: NightObserver,
  signal: AbortSignal,
): Promise<NightSkillResult> {
  const { skillPath } = request;
  let name = skillPath;
  try {
    const skill = await openSkill(world, request, 'work');
    name = skill.name;
    const tasks = await tasksForRun(skill);
    const options = await runOptionsFor(skill, { ...request, purpose: 'night' });
    const start: RunStart = {
      world,
      skill,
      tasks,
      options,
      purpose: 'night',
      observe: (event, summary) => observe(skillPath, event, summary),
    };
    const memory = nightMemory(skill.store);
    const fingerprint = await fingerprintOf(start, signal);
    if (!request.force && (await memory.last()) === fingerprint)
      return without(request, name, { outcome: 'skipped', reason: unchanged });
    const result = await optimize(start, signal);
    await memory.remember(fingerprint, signal);
    return { skillPath, name, ...outcomeOf(result) };
  } catch (error) {
    if (signal.aborted) throw error;
    return without(request, name, { outcome: isSkip(error) ? 'skipped' : 'failed', reason: messageOf(error) });
  }
}

const unchanged = 'Nothing changed since the last night: same skill, tasks, model and options.';

/** The same again would cost the same and find the same. */
async function fingerprintOf({ world, skill, tasks, options }: RunStart, signal: AbortSignal): Promise<string> {
  const models = modelNames(await world.models(signal));
  const hashes = tasks.read.tasks.map((task) => `${task.contentHash}:${task.draft}:${task.enabled}`);
  return hashOf(canonicalJson({ skill: skill.hash, tasks: hashes, options, models }));
}

function isSkip(error: unknown): boolean {
  const codes: readonly UserErrorCode[] = ['tasks-missing', 'tasks-too-few', 'busy'];
  return error instanceof UserError && codes.includes(error.code);
}

function without(
  { skillPath }: { readonly skillPath: string },
  name: string,
  why: Pick<NightSkillResult, 'outcome' | 'reason'>,
): NightSkillResult {
  return {
    skillPath,
    name,
    ...why,
    before: undefined,
    after: undefined,
    verdict: undefined,
    runId: undefined,
    spend: nothingSpent,
  };
}

function outcomeOf({
  proposal,
  nothing,
  summary,
  runId,
}: OptimizeResult): Omit<NightSkillResult, 'skillPath' | 'name'> {
  const { calls, tokens, usd } = totalSpend(summary);
  const shared = { runId, spend: { calls, tokens, usd } };
  if (proposal === undefined) {
    const outcome = nothing?.cause === 'backend-failed' ? 'failed' : 'nothing';
    return {
      ...shared,
      outcome,
      reason: nothing?.reason ?? '',
      before: undefined,
      after: undefined,
      verdict: undefined,
    };
  }
  const { verdict } = proposal;
  const figures = 'figures' in verdict ? verdict.figures : undefined;
  return {
    ...shared,
    outcome: 'proposed',
    reason: verdict.reason,
    before: figures?.before,
    after: figures?.after,
    verdict: verdict.kind,
  };
}
