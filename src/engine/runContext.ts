import type { Judgement } from '../checks/judgement.js';
import type { Certification } from '../gate/statistics/certification.js';
import type { ErrorBudget } from '../gate/statistics/errorBudget.js';
import type { PassCost } from '../wording/verdictSentences.js';
import type { AttemptRequest, AttemptResult, AttemptsToReflect, StepToReflect } from '../ports/environment.js';
import type { Clock } from '../ports/clock.js';
import type { ModelError } from '../errors.js';
import type { LanguageModel } from '../ports/languageModel.js';
import type { ScriptParser } from '../ports/scriptParser.js';
import type { TextStore } from '../ports/stores.js';
import type { ReadEdit } from '../prompts/replies/editReply.js';
import type { PromptOverrides } from '../prompts/renderPrompt.js';
import type { GamingEvidence } from '../skill/edits/gaming.js';
import type { FindSecrets } from '../skill/edits/secretText.js';
import type { PackageFiles } from '../skill/package/packageFile.js';
import type { Task, TrainingTask } from '../tasks/task.js';
import type { TextPair } from './candidate.js';
import type { RecordEvent, Stage } from './journal/runEvents.js';
import type { RunOptions } from './runOptions.js';
import type { Rollout } from './stages/attempts.js';
import type { RejectedEdit } from './stages/history.js';

/** A certification as it is stored after every pass, with the answers that its comparisons show. */
export interface StoredCertification {
  readonly state: Certification;
  /** Task id -> hashes of the last answers before and after. */
  readonly answers: Readonly<Record<string, readonly [string | undefined, string | undefined]>>;
  /** Whether every repeat so far was answered as the one before it, letter for letter; missing before the second pass. */
  readonly repeatsEqual?: boolean | undefined;
}

/** What is compared: exactly these two texts on exactly these tasks. */
export interface CertificationSubject {
  readonly originalHash: string;
  readonly candidateHash: string;
  /** Content hashes of the held-out tasks. */
  readonly heldOut: readonly string[];
}

/** Another skill with the same held-out tasks that has a part in their budget. */
export interface SpentBy {
  /** Its file; undefined where it is no longer known. */
  readonly name: string | undefined;
  readonly certifications: number;
}

/** Nothing is left to pay a certification with. */
export interface EmptyBudget {
  readonly kind: 'budget-empty';
  readonly budget: ErrorBudget;
  /** Who else spent it, where others did. */
  readonly spentBy?: readonly SpentBy[];
}

/** Certifications are paid for from the skill's error budget, and one that was cut off goes on where it stood. */
export interface Certifications {
  /** Where it stands; a new one stands at `first`, which is stored before anything is attempted. */
  open(
    subject: CertificationSubject,
    first: StoredCertification,
  ): Promise<
    | {
        readonly kind: 'open';
        readonly id: string;
        readonly stored: StoredCertification;
        /** The run that began it, whose replies it may use: those of no other one decide. */
        readonly run?: string | undefined;
      }
    | EmptyBudget
  >;
  save(id: string, stored: StoredCertification): Promise<void>;
}

/** What the batches of one epoch are made by. */
export interface BatchPlan {
  readonly epoch: number;
  readonly batchSize: number;
  readonly seed: number;
}

/** What the environments of other extensions add to training. Each is asked about its own tasks alone. */
export interface EnvironmentHooks {
  /** The kind of a task; undefined where its environment does not say. */
  readonly taskType: (task: Task) => string | undefined;
  /** The batches of the tasks that an environment plans itself, as ids, and the tasks that none of them plans. */
  readonly planBatches: <T extends Task>(
    tasks: readonly T[],
    plan: BatchPlan,
  ) => { readonly planned: readonly (readonly T[])[]; readonly rest: readonly T[] };
  /** Asked before the first step, so that the batches of every epoch are known; missing where nobody has to be waited for. */
  readonly prepareBatches?: (tasks: readonly Task[], plans: readonly BatchPlan[], signal: AbortSignal) => Promise<void>;
  /** The tasks that stand for the others where an epoch is compared, in their order; the rest follow in the usual one. */
  readonly representatives?: <T extends Task>(
    tasks: readonly T[],
    plan: { readonly epoch: number; readonly count: number },
    signal: AbortSignal,
  ) => Promise<readonly T[]>;
  /** What the environments have to say about these attempts; none of them fails, and who has nothing to say is left out. */
  readonly reflect: (
    attempts: readonly AttemptsToReflect[],
    at: StepOfHooks,
    signal: AbortSignal,
  ) => Promise<readonly EnvironmentWords[]>;
}

/** A step, and whether edits of an environment can take part in it: whole texts are not made of them. */
type StepOfHooks = StepToReflect & { readonly takesEdits: boolean };

/** What one environment said on a step. */
export interface EnvironmentWords {
  readonly environment: string;
  /** Empty where it has none. */
  readonly remarks: string;
  readonly edits: readonly ReadEdit[];
  /** What of it is left out, or why there is nothing, in sentences. */
  readonly lost: readonly string[];
}

/** Attempts that are made before their stage begins: at most as many calls as may be under way at once. */
export interface AheadOfStage extends Pick<RunContext, 'attempt' | 'judge'> {
  /** Their stage has begun: calls that waited for it are made. */
  arrive(): void;
  /** It never will: no further call is made. */
  drop(): void;
}

/** Attempts that environments make many of in one go. */
export interface BatchedAttempts {
  /** Whether attempts at a task are made so. */
  readonly holds: (task: Task) => boolean;
  /** To make these: those of a batch all begin when the first of them is asked for. */
  readonly open: (requests: readonly AttemptRequest[]) => RunContext['attempt'];
}

/** Everything outside the engine that a run uses: the engine reaches nothing else. */
export interface RunContext {
  readonly options: RunOptions;
  readonly optimizer: LanguageModel;
  /** One attempt at one task, in the environment that the task names. */
  readonly attempt: (request: AttemptRequest, signal: AbortSignal) => Promise<AttemptResult>;
  /** The same for a whole stage; undefined where every attempt is made by itself. */
  readonly batched?: BatchedAttempts | undefined;
  readonly judge: (
    task: Task,
    answered: Extract<AttemptResult, { kind: 'answered' }>,
    sample: { readonly attempt: number; readonly family: string },
    signal: AbortSignal,
  ) => Promise<Judgement>;
  readonly clock: Clock;
  readonly texts: TextStore;
  readonly record: RecordEvent;
  /** The person's own versions of our prompts. */
  readonly prompts: PromptOverrides;
  /** What an edit must not contain, from training tasks. */
  readonly gaming: GamingEvidence;
  /** Finds secrets, which an edit must not bring in; none are looked for where it is missing. */
  readonly findSecrets?: FindSecrets | undefined;
  /** Takes secrets out of a text before it is shortened: half of one would not be known as one. */
  readonly redact?: ((text: string) => string) | undefined;
  readonly rejected: readonly RejectedEdit[];
  /** The optimizer's notes from earlier epochs and runs, which stand before its questions; no part of the skill. */
  readonly metaSkill?: string | undefined;
  /** Files of the package that are no documents, as far as the optimizer is shown them. */
  readonly scripts?: PackageFiles | undefined;
  readonly scriptParser?: Pick<ScriptParser, 'parse'> | undefined;
  readonly certifications: Certifications;
  /** What attempting these tasks once under both texts takes; undefined where nobody can say. */
  readonly passCost?: ((texts: TextPair, tasks: readonly Task[]) => PassCost) | undefined;
  /** Why no further stage should begin: `least` calls or more failed and none of the last stage was answered. */
  readonly silence?: ((least: number, signal: AbortSignal) => Promise<ModelError | undefined>) | undefined;
  /** Attempts that use no reply but those that were stored for the same run; undefined where nothing is stored. */
  readonly freshFor?: ((run: string) => Pick<RunContext, 'attempt' | 'judge' | 'batched'>) | undefined;
  /** True where somebody answers the tasks by hand, who may have copied an answer. */
  readonly byHand?: boolean | undefined;
  /** To attempt what belongs to this stage before it begins; undefined where a cap might be reached by that. */
  readonly ahead?: ((at: { readonly stage: Stage; readonly step: number }) => AheadOfStage) | undefined;
  /** What environments of other extensions add to training; undefined where no task uses one. */
  readonly hooks?: EnvironmentHooks | undefined;
  /**
   * Training attempts as the optimizer may see them: without what an environment said in them that gives away a task of
   * another side. What stands in `known` is no secret. Undefined where all answers are a model's own.
   */
  readonly withoutGivenAway?:
    | ((
        rollouts: readonly Rollout<TrainingTask>[],
        known: string,
        signal: AbortSignal,
      ) => Promise<readonly Rollout<TrainingTask>[]>)
    | undefined;
}
