import { similarHeldOut } from '../../tasks/split/similarHeldOut.js';
import { countTokens } from '../../skill/document/countTokens.js';
import { parseSkill } from '../../skill/document/skillDocument.js';
import { lintInvisible } from '../../skill/lint/invisibleLint.js';
import { mostAttributionCalls } from '../../engine/certify/attributionBudget.js';
import { scoresSealed } from '../../engine/certify/sealed.js';
import { stepsPerEpoch } from '../../engine/stepPlans.js';
import type { RunOptions } from '../../engine/runOptions.js';
import { powerSentence } from '../../wording/powerSentence.js';
import { english } from '../../wording/translate.js';
import { estimate, type PlannedCalls, type Range } from '../../models/estimate.js';
import { findPrice, type PriceOverrides } from '../../models/prices.js';
import { statedPrices, unpricedLocal } from '../models/serverCosts.js';
import type { Redactor } from '../../redaction/redactor.js';
import { answerTokens, attemptPlans, attemptTokens, callsOfAttempt, minutesFor, paceOf } from './estimates.js';
import { longSkillNotes } from './longSkill.js';
import { environmentNotes } from '../environments/unseenFiles.js';
import { givesUpAfter, type GiveUpLimits } from '../../models/wrappers/breaker.js';
import { capLines, earlierRuns, modelChangeNotes, priceLines, unpricedLines } from '../models/modelNotes.js';
import type { OpenSkill } from '../openSkill.js';
import { redactorFor, modelNames, type RoleModels } from '../models/runModels.js';
import type { RunSetup, RunStart } from './runStart.js';
import type { Proposal } from '../../ports/proposal.js';
import type { SpendCaps } from '../../ports/spend.js';
import type { TaskProblem } from '../../tasks/taskProblem.js';

/** What is known before a cent is spent. */
export interface Preflight {
  readonly skillName: string;
  readonly skillPath: string;
  readonly tasks: {
    readonly training: number;
    readonly heldOut: number;
    readonly sealed: number;
    readonly drafts: number;
    readonly setAside: number;
  };
  readonly problems: readonly TaskProblem[];
  readonly models: Proposal['models'];
  /** Where requests go, by address; none where nothing leaves VS Code. */
  readonly servers: readonly string[];
  readonly calls: { readonly low: number; readonly high: number };
  readonly tokens: { readonly low: number; readonly high: number };
  readonly usd: { readonly low: number; readonly high: number } | undefined;
  /** `measured`: told from earlier runs on the same target; a guess otherwise. */
  readonly minutes: { readonly low: number; readonly high: number; readonly measured: boolean };
  /** What each model costs and who says so, in words; and which of them nobody knows the price of. */
  readonly prices: readonly string[];
  /** The caps that are set. */
  readonly holds: SpendCaps;
  /** Caps that cannot hold, and what is held instead where nobody knows a price, in words. */
  readonly caps: readonly string[];
  /** When the run ends by itself because the model's server gives no answer. */
  readonly givesUp: GiveUpLimits;
  /** What this task set can detect, in words. */
  readonly power: string;
  /** What the person should know: files the target cannot see, where state is kept, text that is redacted. */
  readonly notes: readonly string[];
}

const reflectionTokens: Range = { low: 500, high: 3_000 };
/** Of a shorter skill that claims to be no worse; a gain is decided in half as many. */
const mostPasses = 16;
const mostBlocks = 3;
/** Of a block, and one for the comparison with the bundle. */
const attemptsOfABlock = 8 + 1;

/** What a consolidation does beyond a run with the same options. */
export interface ConsolidationSize {
  /** Skill and memory file: each is rolled out, reflected on and gated. */
  readonly stages: number;
  /** Training tasks beside the person's own: variants, and what may be recalled. */
  readonly moreTraining: Range;
  /** The memory file that the target reads beside the skill. */
  readonly memory: string;
}

const aRun: ConsolidationSize = { stages: 1, moreTraining: { low: 0, high: 0 }, memory: '' };

/** What a run may cost is told from its tasks, its options and what it does beyond them. */
interface PreflightSetup extends RunSetup, Pick<RunStart, 'notes'> {
  readonly consolidated?: ConsolidationSize;
}

/** What a run will do and may cost, before a cent is spent. */
export async function preflightOf(setup: PreflightSetup, bare: RoleModels): Promise<Preflight> {
  const { world, skill, tasks, options } = setup;
  const prices = await statedPrices(world);
  const { counts, calls, tokens, usd } = estimateRun({ ...setup, prices }, bare);
  const { split } = tasks.result;
  const models = modelNames(bare);
  const runs = await earlierRuns(skill);
  const pace = paceOf(runs, models.target, { models: bare, concurrency: options.concurrency });
  return {
    skillName: skill.name,
    skillPath: skill.places.skillPath,
    tasks: { ...counts, drafts: tasks.read.tasks.filter((task) => task.draft).length, setAside: split.setAside.length },
    problems: tasks.read.problems,
    models,
    servers: serversOf(bare),
    calls,
    tokens,
    usd,
    minutes: { ...minutesFor(calls, pace), measured: pace.measured },
    prices: priceLines(bare, prices),
    holds: { run: options.caps, ...world.caps() },
    caps: [
      ...unpricedLines(unpricedLocal(bare, prices), calls.high),
      ...capLines(bare, prices, [options.caps, ...Object.values(world.caps())]),
    ],
    givesUp: givesUpAfter,
    power: powerSentence(counts.heldOut, english, options.gate.rule),
    notes: [...modelChangeNotes(runs, models), ...(await runNotes(setup))],
  };
}

/** What the person should know about the skill, its tasks and the options of a run, whether or not a preflight is shown. */
export async function runNotes({
  world,
  skill,
  tasks,
  options,
  notes = [],
}: PreflightSetup): Promise<readonly string[]> {
  const redactor = await redactorFor(world, skill.store);
  return [
    ...notes,
    ...problemNotes(tasks),
    ...similarHeldOut(tasks.result),
    ...redactionNotes(skill, redactor),
    ...taskSecretNotes(tasks, redactor),
    ...(await environmentNotes(skill, tasks, options)),
    ...codeNotes(options),
    ...longSkillNotes(skill, options),
    ...unseenNotes(skill),
  ];
}

/** Models that are reached by an address: neither the simulated one nor those that VS Code offers. */
function serversOf(models: RoleModels): readonly string[] {
  const addresses = Object.values(models).map(({ identity }) => identity.endpoint);
  return [...new Set(addresses.filter((address) => /^https?:/.test(address)))];
}

/** A task with an error counts for nothing, and the others go on without it. */
function problemNotes({ read }: PreflightSetup['tasks']): readonly string[] {
  const errors = read.problems.filter(({ severity }) => severity === 'error');
  const [first, ...more] = errors;
  if (first === undefined) return [];
  const named = first.taskId === undefined ? '' : `${first.taskId}: `;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return [`Tasks with an error are left out. ${named}${first.message}${others}`];
}

const mostRedacted = 200_000; // characters, for others wait meanwhile: of more tasks the first ones stand for the rest

function taskSecretNotes({ result }: PreflightSetup['tasks'], redactor: Redactor): readonly string[] {
  const { training, heldOut, sealed } = result.split;
  const kinds = new Set<string>();
  let [secrets, read] = [0, 0];
  for (const { prompt, context, system, expectedOutput } of [...training, ...heldOut, ...sealed]) {
    const text = [prompt, context, system, expectedOutput].filter((part) => part !== undefined).join('\n');
    if ((read += text.length) > mostRedacted) break;
    const { found } = redactor.redact(text);
    secrets += found.length;
    for (const { kind } of found) kinds.add(kind);
  }
  if (secrets === 0) return [];
  const what = secrets === 1 ? 'a secret' : `${secrets} secrets`;
  return [`The tasks hold what looks like ${what} (${[...kinds].join(', ')}); placeholders are sent instead.`];
}

/** How many calls a run makes, at least and at most, and what they take. */
export function estimateRun(
  {
    skill,
    tasks,
    options,
    prices,
    consolidated = aRun,
  }: Omit<PreflightSetup, 'world'> & {
    readonly prices: PriceOverrides;
  },
  bare: RoleModels,
): ReturnType<typeof estimate> & { readonly counts: TaskCounts } {
  const { split } = tasks.result;
  const counts = { training: split.training.length, heldOut: split.heldOut.length, sealed: split.sealed.length };
  const all = [...split.training, ...split.heldOut, ...split.sealed];
  const text = `${skill.text}${consolidated.memory}`;
  const attempted = { tasks: all, text, judgeRepeats: options.judge.repeats, models: bare, prices };
  const example = attemptTokens(all, text) + answerTokens.low;
  const reflections = reflectionRange(counts.training, options, consolidated);
  const asked = { reflections: reflections.high, callsOfAttempt: callsOfAttempt(all, options.judge.repeats) };
  const attempts = attemptRange(counts, options, { ...consolidated, ...asked });
  const plans: readonly PlannedCalls[] = [
    ...attemptPlans(attempts, attempted),
    {
      calls: reflections,
      inputTokens: countTokens(text) + options.reflect.minibatchSize * example,
      outputTokens: reflectionTokens,
      price: findPrice(bare.optimizer.identity, prices),
    },
  ];
  return { ...estimate(plans), counts };
}

interface TaskCounts {
  readonly training: number;
  readonly heldOut: number;
  readonly sealed: number;
}

interface AttemptPlan extends ConsolidationSize {
  /** The most calls to the optimizer. */
  readonly reflections: number;
  readonly callsOfAttempt: number;
}

function attemptRange(
  { training, heldOut, sealed }: TaskCounts,
  options: RunOptions,
  { stages, moreTraining, reflections, callsOfAttempt: calls }: AttemptPlan,
): Range {
  const rolledOut = (more: number): number => (training + more) * options.train.attempts;
  const gated = options.gate.rule === 'off' ? 0 : heldOut;
  const steps = options.train.epochs * stepsPerEpoch(training, options.train.batchSize);
  const certified = certificationRange(heldOut, options);
  const kept = scoresSealed(options.gate) ? 2 * sealed : 0;
  const trained = gated + stages * (options.train.epochs * rolledOut(moreTraining.high) + steps * gated);
  const planned = (trained + 2 * gated + kept) * calls + reflections;
  const measured = Math.min(stages * attributed(training, options), boundOf(options, planned) / calls);
  return {
    low: gated + stages * rolledOut(moreTraining.low) + Math.min(2, gated) + certified.low + kept,
    high: trained + Math.ceil(measured) + certified.high + kept,
  };
}

/** The most attempts of one attribution. What was not measured before a certification is after one that rejects it. */
function attributed(training: number, { gate }: RunOptions): number {
  return gate.attribution || gate.rule !== 'off' ? mostBlocks * attemptsOfABlock * training : 0;
}

function boundOf(options: RunOptions, planned: number): number {
  return mostAttributionCalls(options, planned) ?? Number.POSITIVE_INFINITY;
}

/** One certification, and a second one for a part where the worth of the edits was not measured before the first. */
function certificationRange(heldOut: number, { gate }: RunOptions): Range {
  const most = gate.attribution ? 1 : 2;
  switch (gate.rule) {
    case 'confident':
      return { low: 2 * heldOut, high: most * mostPasses * 2 * heldOut };
    case 'strict':
      return { low: 0, high: most * heldOut };
    case 'off':
      return { low: 0, high: 0 };
  }
}

function reflectionRange(training: number, options: RunOptions, { stages, moreTraining }: ConsolidationSize): Range {
  const minibatches = Math.ceil((training + moreTraining.high) / options.reflect.minibatchSize) + 1;
  const steps = options.train.epochs * stepsPerEpoch(training, options.train.batchSize);
  return { low: 1, high: stages * steps * (minibatches + 3) };
}

const mostUnseenLines = 3;

/** What nobody sees in the skill goes to the model all the same. */
function unseenNotes({ text }: OpenSkill): readonly string[] {
  return lintInvisible(parseSkill(text))
    .slice(0, mostUnseenLines)
    .map(({ message }) => message);
}

/** A file of the workspace can set it: whoever starts the run is told. */
function codeNotes({ edits }: RunOptions): readonly string[] {
  if (!edits.code) return [];
  return [
    'The option edits.code is on: edits may change the code that agents run. Each of them is marked in the review.',
  ];
}

function redactionNotes(skill: OpenSkill, redactor: Redactor): readonly string[] {
  const { found } = redactor.redact(skill.text);
  const kinds = [...new Set(found.map(({ kind }) => kind))].join(', ');
  return [
    ...(skill.places.note === undefined ? [] : [skill.places.note]),
    ...(found.length === 0
      ? []
      : [
          `The skill holds what looks like ${found.length === 1 ? 'a secret' : `${found.length} secrets`} (${kinds}); a placeholder is sent instead.`,
        ]),
  ];
}
