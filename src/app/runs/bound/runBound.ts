import { mostAttributionCalls } from '../../../engine/certify/attributionBudget.js';
import { mostPasses } from '../../../engine/certify/certify.js';
import { scoresSealed } from '../../../engine/certify/sealed.js';
import { keepsFront } from '../../../engine/front/choiceOptions.js';
import { mostRemarkCharacters } from '../../../engine/stages/environmentReflection.js';
import { mostOwnBytes } from '../../../environments/ownReflection.js';
import type { RunOptions } from '../../../engine/runOptions.js';
import { stepsPerEpoch } from '../../../engine/stepPlans.js';
import type { Range } from '../../../models/estimate.js';
import type { ModelRole } from '../../../ports/languageModel.js';
import { mostAsks } from '../../../prompts/answerRoom.js';
import type { SplitTasks, Task } from '../../../tasks/task.js';
import {
  attemptBounds,
  shownToOptimizer,
  usualAnswer,
  type AttemptBounds,
  type RunBoundInput,
} from './attemptBound.js';
import { extraBounds, type StageBound } from './extraStages.js';
import { longestQuestion } from './longestQuestion.js';
import { analystRoom, mostMerged } from './rewriteBound.js';
import { comparisonsOf, guidedOften, notesTokens } from './epochBound.js';
import { placeQuestions } from './stepQuestions.js';
import { callsOf, longestPrompts, ofRole, sumOfBounds, times, type CallBound, type Often } from './callBound.js';

/** What a consolidation does beyond a run with the same options. */
export interface ConsolidationSize {
  /** Skill and memory file: each is rolled out, reflected on and gated. */
  readonly stages: number;
  /** Training tasks beside the person's own: variants, and what may be recalled. */
  readonly moreTraining: Range;
  /** The memory file that the target reads beside the skill. */
  readonly memory: string;
  /** The text of an earlier night may be held against today's. */
  readonly comparesNights: boolean;
}

/** The part of a bundle that helps is certified in its turn where the whole was rejected. */
const mostCertifications = 2;
const mostMeasured = 3 * (8 + 1); // blocks, each of so many variants and one comparison with the bundle
const usualVariants = 4;
const usualEpochs = 2; // most runs end by their patience
const usualShareCompared = 0.6; // of the held-out tasks, until the strict rule knows its answer

/** Of a certification, until its answer is known. */
export const usualPasses = 3;

/** How many steps a run makes over all that it trains. */
interface Steps {
  readonly stages: number;
  readonly usual: number;
  readonly most: number;
}

/** What a run takes, and what of it a person should be able to tell apart. */
export interface RunBound {
  readonly whole: CallBound;
  /** What every run that comes to a result ends with: its certification, and sealed tasks. */
  readonly ending: CallBound;
  /** About the tokens of the longest prompt of each role. */
  readonly longest: Readonly<Record<ModelRole, number>>;
  /** Each of its stages, in the order in which they are first made; together they are the whole. */
  readonly stages: readonly StageBound[];
}

/** The calls of a run: each task as often as every stage may attempt it, and what the optimizer is asked. */
export async function boundOfRun(
  input: RunBoundInput,
  { training, heldOut, sealed }: Pick<SplitTasks, 'training' | 'heldOut' | 'sealed'>,
  size: ConsolidationSize,
): Promise<RunBound> {
  const { train } = input.options;
  const { stages, moreTraining } = size;
  const { steps: ofEpoch, batches } = stepsPerEpoch(training.length, train);
  const steps = { stages, usual: Math.min(train.epochs, usualEpochs) * ofEpoch, most: train.epochs * ofEpoch };
  const attempts = await attemptBounds(input, [...training, ...heldOut, ...sealed]);
  const often = {
    training: keepsFront(input.options) ? frontOften(input.options, steps) : trainingOften(input.options, stages),
    heldOut: keepsFront(input.options) ? never : selectionOften(input.options, steps),
    sealed: sealedOften(input.options),
  };
  const batch = Math.min(training.length, train.batchSize) + moreTraining.high;
  const trajectories = hasTrajectories(training) || moreTraining.high > 0 ? input.options.reflect.trajectoryTokens : 0;
  const compared = comparisonsOf(input.options, training.length, size);
  const guided = guidedOften(compared, input.options);
  const of = (tasks: readonly Task[]): CallBound => sumOfBounds(tasks.map(attempts.of));
  const everyStep = { usual: stages * steps.usual, most: stages * steps.most };
  const extras = extraBounds(input, { steps: everyStep, compared, attempts, heldOut: of(heldOut) });
  const analysts = { steps, batch, batches, trajectories, speaking: speakingIn(input, training) };
  const reflected = sumOfBounds([optimizerBound(input, analysts, attempts), placeQuestions(input, everyStep)]);
  const optimizer = sumOfBounds([reflected, ...extras.map(({ questions }) => questions)]);
  const counted = (tasks: readonly Task[]): number => tasks.reduce((sum, task) => sum + costOf(attempts.of(task)), 0);
  const planned =
    (counted(training) + moreTraining.high) * often.training.most +
    counted(training) * compared.sides * compared.epochs.most +
    counted(heldOut) * (often.heldOut.most + guided.most + passesCounted[input.options.gate.rule]) +
    counted(sealed) * often.sealed.most +
    callsOf(optimizer.most);
  const worths = attributionOften(input.options, { stages, planned, training: training.map(attempts.of) });
  const trained = [times(of(training), often.training), ...moreBounds(input.options, size, attempts)];
  const certify = times(of(heldOut), certificationOften(input.options));
  const last = { certify, sealed: times(of(sealed), often.sealed) };
  const bounds: readonly StageBound[] = [
    { stage: keepsFront(input.options) ? 'front' : 'rollout', bound: sumOfBounds(trained) },
    { stage: 'reflect', bound: reflected },
    { stage: 'select', bound: times(of(heldOut), often.heldOut) },
    ...extras.map(({ stage, ...asked }) => ({ stage, bound: sumOfBounds([asked.questions, asked.attempts]) })),
    { stage: 'attribute', bound: times(of(training), worths) },
    { stage: 'certify', bound: last.certify },
    { stage: 'sealed', bound: last.sealed },
  ];
  const whole = sumOfBounds(bounds.map(({ bound }) => bound));
  const optimizerLongest = longestQuestion(input, { training, batch, compared, trajectories });
  const longest = { ...longestPrompts(attempts.all), optimizer: optimizerLongest };
  return { whole, ending: sumOfBounds([last.sealed, last.certify]), longest, stages: bounds };
}

const passesCounted = { confident: 2, strict: 1, off: 0 };

function trainingOften({ train }: RunOptions, stages: number): Often {
  return {
    least: stages * train.attempts,
    usual: stages * Math.min(train.epochs, usualEpochs) * train.attempts,
    most: stages * train.epochs * train.attempts,
  };
}

const never: Often = { least: 0, usual: 0, most: 0 };

/** Once under the original and under what each step and each slow update makes; a step learns from those attempts. */
function frontOften({ train }: RunOptions, { stages, usual, most }: Steps): Often {
  const often = (texts: number): number => stages * train.attempts * (1 + texts);
  return { least: often(1), usual: often(usual), most: often(most + train.epochs) };
}

/** Once under each text that is selected among. */
function selectionOften({ gate }: RunOptions, { stages, usual, most }: Steps): Often {
  if (gate.rule === 'off') return never;
  return { least: 1, usual: 1 + stages * usual * usualShareCompared, most: stages * (1 + most) };
}

/** In every pass under both texts; by the strict rule once, where selection has not seen the text. */
function certificationOften({ gate }: RunOptions): Often {
  if (gate.rule === 'off') return never;
  if (gate.rule === 'strict') return { ...never, most: mostCertifications };
  const longest = Math.max(...Object.values(mostPasses));
  return { least: 2, usual: 2 * usualPasses, most: mostCertifications * 2 * longest };
}

function sealedOften({ gate }: RunOptions): Often {
  return scoresSealed(gate) ? { least: 2, usual: 2, most: 2 } : never;
}

/**
 * Under the variants that tell what each edit is worth, within what attribution may spend. That counts a task's least
 * calls; as often as it is attempted, all of its calls may be made.
 */
function attributionOften(
  options: RunOptions,
  {
    stages,
    planned,
    training,
  }: { readonly stages: number; readonly planned: number; readonly training: readonly CallBound[] },
): Often {
  const { gate } = options;
  if (gate.rule === 'off' && !gate.attribution) return never;
  const allowed = mostAttributionCalls(options, Math.ceil(planned)) ?? Number.POSITIVE_INFINITY;
  const dearest = Math.max(1, ...training.map((task) => callsOf(task.most) / costOf(task)));
  const once = sumOfBounds(training);
  const bounded = (allowed * dearest) / Math.max(1, callsOf(once.most));
  const usually = allowed / Math.max(1, callsOf(once.least));
  return {
    least: 0,
    usual: gate.attribution ? Math.min(stages * usualVariants, usually) : 0,
    most: Math.min(stages * mostMeasured, bounded),
  };
}

/** What attribution counts an attempt at. */
function costOf(task: CallBound): number {
  return Math.max(1, callsOf(task.least));
}

/** Variants are like the tasks that they are made from; what is recalled may be any task. */
function moreBounds(
  { train }: RunOptions,
  { stages, moreTraining }: ConsolidationSize,
  { dearest, unknown }: AttemptBounds,
): readonly CallBound[] {
  const once = stages * train.attempts;
  const often = (tasks: number): Often => ({
    least: once * tasks,
    usual: once * tasks,
    most: once * train.epochs * tasks,
  });
  const recalled = moreTraining.high - moreTraining.low;
  return [times(dearest, often(moreTraining.low)), times(unknown, { ...often(recalled), least: 0 })];
}

/** Whether an attempt at any of these tasks is more than a question and an answer. */
function hasTrajectories(tasks: readonly Task[]): boolean {
  return tasks.some(({ environment }) => environment !== 'chat');
}

const usualReflection = 1_200;
const usualTrajectory = 400; // tokens of one attempt
const mostOfToken = 4; // characters that are counted as a token of a trajectory, each of which may be one
const frame = 2_000; // tokens of our own words around a question

/** What the optimizer is asked about. */
interface OptimizerPlan {
  readonly steps: Steps;
  /** Training tasks of a batch, and batches of a step. */
  readonly batch: number;
  readonly batches: number;
  /** The most tokens of trajectories that an analyst is shown. */
  readonly trajectories: number;
  /** Environments that may have remarks, and edits of their own. */
  readonly speaking: number;
}

/** The environments of training tasks that may have words of their own: of programs and modules those that say so. */
function speakingIn({ programs, speaking = [] }: RunBoundInput, training: readonly Task[]): number {
  const names = new Set(training.map(({ environment }) => environment));
  const silent = new Set([
    'chat',
    'tools',
    'agent',
    ...[...programs.keys()].filter((name) => !speaking.includes(name)),
  ]);
  return [...names].filter((name) => !silent.has(name)).length;
}

/** The most tokens that an optimizer is shown of what one of them says: a byte is at most one. */
const mostOwnWords = mostOwnBytes + 3 * mostRemarkCharacters;

/** Analysts, merges and a ranking for each step; what cannot be read, or was cut, is asked for once more. */
function optimizerBound(
  { text, files, options, models }: RunBoundInput,
  { steps, batch, batches, trajectories, speaking }: OptimizerPlan,
  attempts: AttemptBounds,
): CallBound {
  const { minibatchSize } = options.reflect;
  const minibatches = batches * (Math.ceil(batch / minibatchSize) + 1);
  // One that contrasts each batch, one for each minibatch, merges until one list is left, one that ranks.
  const questions = steps.stages * steps.most * (batches + minibatches + (minibatches + speaking - 1) + 1);
  const analysts = steps.stages * steps.most * (batches + minibatches);
  const usual = steps.stages * steps.usual * (minibatches + 1);
  const asks = mostAsks('optimizer', options);
  const room = analystRoom({ options, models });
  const shown = Math.max(minibatchSize, options.reflect.contrastTasks) * options.train.attempts;
  const seen = shownToOptimizer({ text, files });
  const usualTrajectories = Math.min(trajectories, shown * usualTrajectory);
  const usually = (often: number) => ({
    calls: often,
    inputTokens: often * (seen.usual + shown * usualAnswer + usualTrajectories + frame / 4),
    outputTokens: often * usualReflection,
  });
  return ofRole('optimizer', {
    least: usually(1),
    usual: usually(usual),
    most: {
      calls: questions * asks,
      inputTokens:
        asks *
        (questions *
          (seen.most +
            shown * attempts.longest +
            mostMerged({ text, options, models }) +
            speaking * mostOwnWords +
            notesTokens(options) +
            frame) +
          analysts * mostOfToken * trajectories),
      outputTokens: questions * (room.first + (asks - 1) * room.second),
    },
  });
}
