import { pairCandidate } from '../../../engine/certify/verdictOf.js';
import type { TargetInput } from '../../../engine/candidate.js';
import { claimFor, mostPasses, type ClaimInput } from '../../../engine/certify/certify.js';
import { scoresSealed } from '../../../engine/certify/sealed.js';
import { minimumHeldOutTasks } from '../../../gate/statistics/certification.js';
import { minimumStrictTasks } from '../../../gate/statistics/strictRule.js';
import type { PriceOverrides } from '../../../models/prices.js';
import type { ReferenceOptions } from '../../environments/unseenFiles.js';
import type { RunOptions } from '../../../engine/runOptions.js';
import type { SplitTasks, Task } from '../../../tasks/task.js';
import type { RoleModels } from '../../models/runModels.js';
import { statedPrices } from '../../models/serverCosts.js';
import type { RunSetup } from '../runStart.js';
import { knownOfAttempts } from './agentBound.js';
import { attemptBounds, programsOf, type BoundInput } from './attemptBound.js';
import { sumOfBounds, times, type CallBound, type Often } from './callBound.js';
import { usualPasses } from './runBound.js';
import { sizeOf, type RunSize } from './runSize.js';

/** What two texts are measured on, and with. */
export interface MeasureInput extends Pick<BoundInput, 'folder' | 'programs' | 'agentTokens'> {
  readonly heldOut: SplitTasks['heldOut'];
  readonly options: Pick<RunOptions, 'gate' | 'judge' | 'answers' | 'thinking' | 'agent'> & ReferenceOptions;
  readonly models: RoleModels;
  readonly prices: PriceOverrides | undefined;
}

interface TextsToPrice extends Pick<ClaimInput, 'onTraining' | 'rule'> {
  readonly before: TargetInput;
  readonly after: TargetInput;
  /** Tasks that are scored once under both beside the measurement; none of them decides. */
  readonly sealed?: readonly Task[] | undefined;
}

/** The same for what a request opened, on those held-out tasks that can prove something. */
export async function measureInputOf(
  { world, skill, tasks, options }: RunSetup,
  { heldOut, models }: Pick<MeasureInput, 'heldOut' | 'models'>,
): Promise<MeasureInput> {
  const prices = await statedPrices(world);
  const known = await knownOfAttempts(skill, heldOut, models);
  return { heldOut, folder: skill.folder, programs: programsOf(tasks), options, models, prices, ...known };
}

/**
 * What a measurement takes: from the fewest passes with usual answers to the most that is answered, every answer as long
 * as it may be and every second try made. Undefined where nothing would be asked: with the gate off, or with too few
 * tasks, and no sealed ones.
 */
export async function measureSizeOf(input: MeasureInput, texts: TextsToPrice): Promise<RunSize | undefined> {
  const { heldOut, options, models, prices } = input;
  const sealed = scoresSealed(options.gate) ? (texts.sealed ?? []) : [];
  const passes = passesOf(input, texts);
  if (passes === undefined && sealed.length === 0) return undefined;
  const ofText = async (text: TargetInput, often: Often | undefined): Promise<readonly CallBound[]> => {
    const read = [text.skill, text.memory ?? '', ...Object.values(text.files ?? {})].join('\n');
    const attempts = await attemptBounds({ ...input, text: read }, [...heldOut, ...sealed]);
    const measured = often === undefined ? [] : [times(sumOfBounds(heldOut.map(attempts.of)), often)];
    return [...measured, ...sealed.map(attempts.of)];
  };
  const [before, after] = [await ofText(texts.before, passes?.before), await ofText(texts.after, passes?.after)];
  return sizeOf(sumOfBounds([...before, ...after]), models, prices);
}

/** Whether measuring on these tasks is a certification, which error budget is paid for: the strict rule takes none. */
export function certifies({ gate }: Pick<RunOptions, 'gate'>, heldOut: readonly Task[]): boolean {
  return gate.rule === 'confident' && heldOut.length >= minimumHeldOutTasks;
}

/** How often every task is attempted under each text. The strict rule takes one pass and stops where its answer is known. */
function passesOf({ heldOut, options }: MeasureInput, texts: TextsToPrice) {
  const { rule } = options.gate;
  const least = rule === 'strict' ? minimumStrictTasks : minimumHeldOutTasks;
  if (rule === 'off' || heldOut.length < least) return undefined;
  const once = { least: 1, usual: 1, most: 1 };
  if (rule === 'strict') return { before: once, after: { ...once, least: 1 / heldOut.length } };
  const often = { least: 1, usual: usualPasses, most: mostPassesOf(texts) };
  return { before: often, after: often };
}

/**
 * What a certification claims is settled when it is opened, and one that was cut off goes on with its claim: unless training
 * tasks tell, a shorter text may have been found no better by a selection that is forgotten, and claims to be no worse.
 */
function mostPassesOf({ before, after, onTraining, rule }: TextsToPrice): number {
  // Of files beside SKILL.md nothing is known here but what becomes of them: they may have been longer.
  const mayBeShorter = after.files !== undefined || (onTraining === undefined && lengthOf(after) < lengthOf(before));
  if (mayBeShorter) return mostPasses['not-worse'];
  const memory = { before: before.memory, after: after.memory };
  const [original, candidate] = [pairCandidate(before), pairCandidate(after)];
  return mostPasses[claimFor({ original, candidate, memory, scores: undefined, onTraining, rule })];
}

function lengthOf({ skill, memory = '' }: TargetInput): number {
  return skill.length + memory.length;
}
