import { quotedHeldOut } from '../../tasks/split/quotedHeldOut.js';
import { similarHeldOut } from '../../tasks/split/similarHeldOut.js';
import type { RoleSpend } from '../../engine/journal/runSummary.js';
import type { RunOptions } from '../../engine/runOptions.js';
import type { PaidInTime } from '../../wording/preflight/paidInTime.js';
import type { StageCalls } from '../../wording/preflightLines.js';
import type { Range } from '../../models/estimate.js';
import type { PriceOverrides } from '../../models/prices.js';
import { statedPrices } from '../models/serverCosts.js';
import type { Redactor } from '../../redaction/redactor.js';
import { knownOfAttempts } from './bound/agentBound.js';
import { programsOf, speakingOf } from './bound/attemptBound.js';
import { callsOf, type AskedOfRoles } from './bound/callBound.js';
import { stageCallsOf } from './bound/extraStages.js';
import { batchRoundsOf, toldBatches, type ToldBatches } from './bound/batchRounds.js';
import { boundOfRun, type ConsolidationSize } from './bound/runBound.js';
import { lessSpent, sizeOf, type RunSize, type TimedSize } from './bound/runSize.js';
import { toldSizeOf } from './bound/toldSize.js';
import { lowCapLines } from './bound/lowCaps.js';
import { attemptedTasks } from '../tasks/skillTasks.js';
import { draftsToConfirm } from '../tasks/waitingDrafts.js';
import { handoffSizeOf, type HandoffSize } from '../handoff/rounds.js';
import { judgeAsides, judgeNotes } from '../judge/judgeStanding.js';
import { toldPower, type ToldPower } from './certifications/heldOutPower.js';
import { longSkillNotes, unseenNotes } from './longSkill.js';
import { undescribedIn, undescribedNotes } from './undescribed.js';
import { agentNotes, playedNotes, uncountedNotes } from '../environments/agentNotes.js';
import { containedPrograms } from '../environments/containedPrograms.js';
import { startSources } from '../environments/environmentsFor.js';
import { placeNotes } from '../environments/placedPrograms.js';
import { neededPrograms, programsToAllow } from '../environments/programsAtStart.js';
import { editableFiles, scriptNotes, shownScripts } from '../environments/editableFiles.js';
import { elsewhereLine } from '../madeElsewhere.js';
import { neededTasks, refuseUnplayed } from '../environments/unplayedTasks.js';
import { environmentNotes } from '../environments/unseenFiles.js';
import type { GiveUp } from './bound/giveUpOf.js';
import { smallRoleNotes } from '../models/smallRoles.js';
import { allRuns, modelChangeNotes, withoutEvaluations } from '../models/modelNotes.js';
import { contextNotes, type LongestPrompts } from '../models/contextNotes.js';
import { refuseAgentTasks, targetOf } from '../models/agentTasks.js';
import { refuseToolTasks } from '../models/toolTasks.js';
import type { OpenSkill } from '../openSkill.js';
import { redactorFor, type RoleModels } from '../models/runModels.js';
import type { RunSetup, RunStart } from './runStart.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { Proposal } from '../../ports/proposal.js';
import type { SpendCaps } from '../../ports/spend.js';
import type { TaskProblem } from '../../tasks/taskProblem.js';

/** What is known before a cent is spent. */
export interface Preflight extends ToldPower, ToldBatches {
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
  /** Checks of training tasks whose demand nobody has put into words: the optimizer can only guess at it. */
  readonly undescribed: ReturnType<typeof undescribedIn>;
  readonly models: Proposal['models'];
  /** Where requests go, by address; none where nothing leaves VS Code. */
  readonly servers: readonly string[];
  /** At least with a proposal, and at most: no cap that is set lets more through. Repeats come on top unless they are held. */
  readonly calls: Range;
  readonly tokens: Range;
  readonly usd: Range | undefined;
  /** Whose plan calls are taken from, where they are not billed one by one. */
  readonly plan?: string | undefined;
  /** `measured`: told from earlier runs on the same target; a guess otherwise. */
  readonly minutes: Range & { readonly measured: boolean };
  /** Set where it costs no money, and its minutes are what is looked at. */
  readonly paidInTime?: PaidInTime | undefined;
  /** What such a run usually takes. */
  readonly usual: TimedSize['usual'];
  /** Those calls by the stages that make them; none are told of a run that goes on. */
  readonly stages: readonly StageCalls[];
  /** What each model costs and who says so, in words; and which of them nobody knows the price of. */
  readonly prices: readonly string[];
  /** The caps that are set. */
  readonly holds: SpendCaps;
  /** Those of them that the person set. */
  readonly ownHolds: SpendCaps;
  /** The most calls of the run where a model on this machine has no known price; no more than a cap that is set. */
  readonly callCap: number | undefined;
  /** Whether a cap in calls holds repeats of failed ones too. */
  readonly repeatsHeld: boolean;
  /** Caps that cannot hold, and what is held instead where nobody knows a price, in words. */
  readonly caps: readonly string[];
  /** When the run ends by itself because the model's server gives no answer. */
  readonly givesUp: GiveUp;
  /** How often and how much somebody is asked, where they answer by hand: of the whole run, also where it goes on. */
  readonly byHand?: HandoffSize | undefined;
  /** What the person should know: files the target cannot see, where state is kept, text that is redacted. */
  readonly notes: readonly string[];
  /** Those of them that tell of a model which is too small for its role, and what a stronger one would cost. */
  readonly weakRoles?: readonly string[] | undefined;
  /** Those of them and of the caps without whose cure the run comes to nothing. */
  readonly cannotWork?: readonly string[] | undefined;
  /** What is told beside them, and is no reason to ask. */
  readonly asides?: readonly string[] | undefined;
}

const aRun: ConsolidationSize = { stages: 1, moreTraining: { low: 0, high: 0 }, memory: '', comparesNights: false };

/** What a run may cost is told from its tasks, its options and what it does beyond them. */
interface PreflightSetup extends RunSetup, Pick<RunStart, 'notes' | 'resume'> {
  readonly consolidated?: ConsolidationSize;
  /** True for a run of a night, which may send its stages as batches. */
  readonly night?: true;
  /** What the run spent already, where it goes on. */
  readonly spent?: RoleSpend | undefined;
}

/** What a run will do and may cost, before a cent is spent. */
export async function preflightOf(setup: PreflightSetup, bare: RoleModels): Promise<Preflight> {
  const { world, skill, tasks, options, spent } = setup;
  const { split } = tasks.result;
  const counting = [...split.training, ...split.heldOut, ...split.sealed];
  refuseToolTasks(counting, bare);
  refuseAgentTasks(counting, targetOf(bare.target), skill.places.skillPath);
  refuseUnplayed(neededTasks({ tasks, options }), bare.target);
  const counts = { training: split.training.length, heldOut: split.heldOut.length, sealed: split.sealed.length };
  const whole = await sizeOfRun({ ...setup, prices: await statedPrices(world) }, bare);
  const left = spent === undefined ? whole : lessSpent(whole, spent, whole.ending);
  const told = await toldSizeOf(setup, bare, { whole, left, spent, lowCaps: lowCapLines(whole, options.caps) });
  const contexts = await contextNotes(bare, whole.longest);
  const runs = await allRuns(skill);
  const weakRoles = smallRoleNotes(bare, whole.usually, await statedPrices(world));
  return {
    ...told,
    weakRoles,
    cannotWork: [...contexts, ...(told.cannotWork ?? [])],
    skillPath: skill.places.skillPath,
    tasks: { ...counts, drafts: (await draftsToConfirm(skill, tasks.read)).all, setAside: split.setAside.length },
    problems: tasks.read.problems,
    undescribed: undescribedIn(tasks),
    stages: spent === undefined ? withinCalls(whole.stages, told.calls.high) : [],
    ...(await toldPower(setup, bare, runs)),
    ...(whole.byHand === undefined
      ? {}
      : { byHand: withinCap(whole.byHand, spent === undefined ? told.calls.high : options.caps.calls) }),
    ...whole.batched,
    asides: [
      ...[elsewhereLine(bare, world.attempts)].filter((line) => line !== undefined),
      ...playedNotes({ tasks: counting, target: bare.target }),
      ...(await judgeAsides(skill, told.models.judge)),
    ],
    notes: [
      ...modelChangeNotes(withoutEvaluations(runs), told.models),
      ...weakRoles,
      ...(await judgeNotes(skill, split, told.models.judge)),
      ...contexts,
      ...uncountedNotes(tasks),
      ...(await agentNotes({ world, tasks: counting, options, target: bare.target })),
      ...(await runNotes(setup)),
      ...(await programNotes(setup, bare.target)),
    ],
  };
}

/** What a run asks about before its first call, and where programs run that workers could. */
async function programNotes(
  { world, skill, tasks }: PreflightSetup,
  target: LanguageModel,
): Promise<readonly string[]> {
  const use = { declared: tasks.read.environments, tasks: attemptedTasks(tasks), target };
  const sources = startSources(skill, containedPrograms(world, skill));
  const { signal } = new AbortController();
  return [
    ...(await programsToAllow(world, use, sources, signal)),
    ...(await placeNotes(world, neededPrograms(use, sources), signal)),
  ];
}

/** No stage makes more calls than a cap leaves to the run. */
function withinCalls(stages: readonly StageCalls[], most: number): readonly StageCalls[] {
  return stages.map((each) => ({ ...each, usual: Math.min(each.usual, most), most: Math.min(each.most, most) }));
}

/** Nobody is asked for more answers than a cap in calls lets through. */
function withinCap({ prompts, ...byHand }: HandoffSize, most = Infinity): HandoffSize {
  return { ...byHand, prompts: { usual: Math.min(prompts.usual, most), most: Math.min(prompts.most, most) } };
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
    ...undescribedNotes(tasks),
    ...similarHeldOut(tasks.result),
    ...quotedHeldOut(tasks.result.split, skill.text),
    ...redactionNotes(skill, redactor),
    ...taskSecretNotes(tasks, redactor),
    ...(await environmentNotes(skill, tasks, options)),
    ...(await scriptNotes({ skill, tasks, options })).map((note) => redactor.redact(note).text),
    ...codeNotes(options),
    ...longSkillNotes(skill, options),
    ...unseenNotes(skill),
  ];
}

/** A task with an error counts for nothing, and the others go on without it. */
function problemNotes({ read }: PreflightSetup['tasks']): readonly string[] {
  const errors = read.problems.filter(({ severity }) => severity === 'error');
  const [first, ...more] = errors;
  if (first === undefined) return [];
  const { taskId = '', message } = first;
  const named = message.includes(taskId) ? '' : `${taskId}: `;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return [`Tasks with an error are left out. ${named}${message}${others}`];
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

/** What a run takes: at least with a proposal, usually, and the most that is answered; no cap is looked at. */
export async function sizeOfRun(
  { skill, tasks, options, prices, night, consolidated = aRun }: Omit<PreflightSetup, 'world'> & RunPrices,
  models: RoleModels,
): Promise<SizeOfRun> {
  const text = `${skill.text}${consolidated.memory}`;
  const declared = { programs: programsOf(tasks), speaking: speakingOf(tasks) };
  const files = { ...(await editableFiles({ skill, tasks, options })), ...(await shownScripts({ skill, tasks })) };
  const { training, heldOut, sealed } = tasks.result.split;
  const known = await knownOfAttempts(skill, [...training, ...heldOut, ...sealed], models);
  const input = { text, files, folder: skill.folder, ...declared, options, models, ...known };
  const { whole, ending, stages, longest } = await boundOfRun(input, tasks.result.split, consolidated);
  const isBatched = night === true && options.nightly.batch;
  const rounds = isBatched ? batchRoundsOf(options, tasks.result.split, consolidated) : undefined;
  return {
    ...sizeOf(whole, models, prices, rounds?.share),
    batched: rounds && toldBatches(options, rounds, models),
    usually: whole.usual,
    ending: Math.ceil(callsOf(ending.least)),
    stages: stageCallsOf(stages),
    longest,
    byHand: handoffSizeOf(options, tasks.result.split, models, whole),
  };
}

/** What a run takes, usually of each role, what it ends with at least, in calls, and what each of its stages takes of it. */
interface SizeOfRun extends RunSize, Pick<Preflight, 'stages' | 'byHand'> {
  readonly usually: AskedOfRoles;
  readonly batched: ToldBatches | undefined;
  readonly longest: LongestPrompts;
  readonly ending: number;
}

interface RunPrices {
  readonly prices: PriceOverrides;
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
