import { totalSpend } from '../../engine/journal/runSummary.js';
import { messageOf } from '../../errors.js';
import type { Verdict } from '../../gate/verdict/verdict.js';
import type { Blocker } from '../../schedule/preconditions.js';
import type { UserStore } from '../../storage/state/store.js';
import { adoptUnattended } from './nightAdopt.js';
import { capLeft, nightCapReached } from './nightCaps.js';
import { nightLog } from './nightLog.js';
import type { NightRequest, NightResult, NightSkillResult, NightSpend, NightWatcher } from './nightly.js';
import { nightMemory } from './nightMemory.js';
import { assessNight, type WeighedNight } from './nightReadiness.js';
import { openSkill } from '../openSkill.js';
import { optimize } from '../runs/optimize.js';
import { tasksForRun } from '../tasks/skillTasks.js';
import { tidyUserState } from '../runs/tidy.js';
import type { OptimizeResult } from '../useCases.js';
import type { World } from '../world.js';

type Found = WeighedNight['train'][number];

const nothingSpent: NightSpend = { calls: 0, tokens: 0, usd: 0 };

/**
 * One skill after the other, each with its own evidence; the memory file is only read where there are several. One that
 * fails does not end the night. It stages; it edits a file only of a skill whose owner named it for that.
 */
export async function runNight(
  { world, store }: { readonly world: World; readonly store: UserStore },
  request: NightRequest,
  watcher: NightWatcher,
  signal: AbortSignal,
): Promise<NightResult> {
  const startedAt = world.clock.now();
  const weighed = await assessNight(world, store, request, signal);
  const skills: NightSkillResult[] = [
    ...weighed.broken.map((each) => withoutRun(each, { outcome: 'failed', reason: each.reason })),
    ...weighed.leftOut.map((each) => stoppedBy(each, each.stop)),
  ];
  const [stop] = weighed.stops;
  if (stop === undefined) {
    watcher.began(weighed.train.map(({ skillPath }) => skillPath));
    const readOnly = weighed.train.length > 1;
    for (const found of weighed.train) {
      const spent = sumOf(skills);
      skills.push(await trainUnlessFull({ world, request, watcher, readOnly, spent }, found, signal));
    }
  } else skills.push(...weighed.train.map((found) => stoppedBy(named(found), stop)));
  const result: NightResult = {
    startedAt,
    endedAt: world.clock.now(),
    startedBy: request.startedBy ?? 'person',
    stops: weighed.stops,
    skills: inOrder(skills, request.skills),
    spend: sumOf(skills),
  };
  // What a night did is written down also where it was stopped.
  const neverAborted = new AbortController().signal;
  await tidyUserState(world, store, neverAborted);
  if (request.folders !== undefined) await nightLog(store, request.folders).add(result, neverAborted);
  signal.throwIfAborted();
  return result;
}

interface Training {
  readonly world: World;
  readonly request: NightRequest;
  readonly watcher: NightWatcher;
  readonly readOnly: boolean;
  readonly spent: NightSpend;
}

async function trainUnlessFull(training: Training, found: Found, signal: AbortSignal): Promise<NightSkillResult> {
  if (signal.aborted) return stoppedBy(named(found), stoppedByPerson);
  const full = nightCapReached(training.request.cap, training.spent);
  return full === undefined ? trainOne(training, found, signal) : stoppedBy(named(found), capStop(full));
}

async function trainOne(
  { world, request, watcher, readOnly, spent }: Training,
  found: Found,
  signal: AbortSignal,
): Promise<NightSkillResult> {
  const { skillPath, facts } = found;
  try {
    const skill = await openSkill(world, { ...request, skillPath }, 'work');
    const options = {
      ...found.options,
      caps: { ...found.options.caps, ...capLeft(found.options.caps, request.cap, spent) },
    };
    const result = await optimize(
      {
        world,
        skill,
        tasks: await tasksForRun(skill),
        options,
        purpose: 'night',
        memoryReadOnly: readOnly,
        observe: (event, summary) => watcher.observe(skillPath, event, summary),
      },
      signal,
    );
    if (cameToItsEnd(result)) await nightMemory(skill.store).remember(facts.fingerprint, signal);
    const outcome = { ...named(found), ...outcomeOf(result) };
    if (result.proposal === undefined || request.autoAdopt?.includes(facts.name) !== true) return outcome;
    const { adopted, sentence } = await adoptUnattended(skill, result.proposal, options.gate.noRegression, signal);
    world.tell(`${facts.name}: ${sentence}`);
    return { ...outcome, outcome: adopted ? 'adopted' : outcome.outcome, reason: `${outcome.reason} ${sentence}` };
  } catch (error) {
    if (signal.aborted) return stoppedBy(named(found), stoppedByPerson);
    return withoutRun(named(found), { outcome: 'failed', reason: messageOf(error) });
  }
}

/** What a dead backend or a cap cut short is worth trying again as it is. */
function cameToItsEnd({ noProposal: nothing, proposal }: OptimizeResult): boolean {
  if (proposal === undefined) return nothing?.cause !== 'backend-failed' && nothing?.cause !== 'cap';
  const { verdict } = proposal;
  return verdict.kind !== 'inconclusive' || (verdict.cause !== 'cap' && verdict.cause !== 'too-many-invalid');
}

function outcomeOf(result: OptimizeResult): Omit<NightSkillResult, 'skillPath' | 'name'> {
  const { proposal, noProposal: nothing, summary, runId, action } = result;
  const { calls, tokens, usd } = totalSpend(summary);
  const became =
    proposal !== undefined
      ? { outcome: 'proposed' as const, reason: proposal.verdict.reason }
      : {
          outcome: nothing?.cause === 'backend-failed' ? ('failed' as const) : ('nothing' as const),
          reason: nothing?.reason ?? '',
        };
  return {
    ...became,
    cause: nothing?.cause,
    stop: undefined,
    action,
    ...scoresOf(proposal?.verdict ?? summary.verdict),
    runId,
    spend: { calls, tokens, usd },
  };
}

/** The figures of what was compared, also where the comparison said no. */
function scoresOf(verdict: Verdict | undefined): Pick<NightSkillResult, 'before' | 'after' | 'verdict'> {
  const figures = verdict !== undefined && 'figures' in verdict ? verdict.figures : undefined;
  return { before: figures?.before, after: figures?.after, verdict: verdict?.kind };
}

function named({ skillPath, facts }: Found): { readonly skillPath: string; readonly name: string } {
  return { skillPath, name: facts.name };
}

function stoppedBy(skill: { readonly skillPath: string; readonly name: string }, stop: Blocker): NightSkillResult {
  const reason = [stop.sentence, stop.cure].filter((part) => part !== '').join(' ');
  return { ...withoutRun(skill, { outcome: 'skipped', reason }), stop: stop.name };
}

function withoutRun(
  { skillPath, name }: { readonly skillPath: string; readonly name: string },
  why: Pick<NightSkillResult, 'outcome' | 'reason'>,
): NightSkillResult {
  return {
    skillPath,
    name,
    ...why,
    cause: undefined,
    stop: undefined,
    action: undefined,
    before: undefined,
    after: undefined,
    verdict: undefined,
    runId: undefined,
    spend: nothingSpent,
  };
}

const stoppedByPerson: Blocker = { name: 'stopped', sentence: 'The night was stopped. Nothing was changed.', cure: '' };

function capStop(full: string): Blocker {
  return {
    name: 'cap-reached',
    sentence: `There is no room left under ${full}.`,
    cure: 'Raise it, or let fewer skills share the night.',
  };
}

function sumOf(skills: readonly NightSkillResult[]): NightSpend {
  return skills.reduce(
    (sum, { spend }) => ({
      calls: sum.calls + spend.calls,
      tokens: sum.tokens + spend.tokens,
      usd: sum.usd === undefined || spend.usd === undefined ? undefined : sum.usd + spend.usd,
    }),
    nothingSpent,
  );
}

function inOrder(skills: readonly NightSkillResult[], order: readonly string[]): readonly NightSkillResult[] {
  return [...skills].sort((a, b) => order.indexOf(a.skillPath) - order.indexOf(b.skillPath));
}
