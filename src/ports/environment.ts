import type { PackageFiles } from '../skill/package/packageFile.js';
import type { Task, TrainingTask } from '../tasks/task.js';
import type { WorkLeft } from './agentWork.js';
import type { ModelUsage } from './languageModel.js';

/** One turn of what happened while a task was attempted. */
export type TranscriptTurn =
  | { readonly kind: 'message'; readonly role: 'system' | 'user' | 'assistant'; readonly text: string }
  | { readonly kind: 'tool'; readonly name: string; readonly arguments: string; readonly result: string }
  /** An action in an environment that answers with feedback, and why it was taken where the agent said so. */
  | {
      readonly kind: 'step';
      readonly action: string;
      readonly feedback: string;
      readonly reasoning?: string | undefined;
    };

/** What one attempt at one task gave. `invalid` is never a score. */
export type AttemptResult =
  | {
      readonly kind: 'answered';
      readonly answer: string;
      readonly toolsCalled: readonly { readonly name: string; readonly arguments: string }[];
      readonly transcript: readonly TranscriptTurn[];
      readonly usage: ModelUsage;
      /** True where every reply came from the store. */
      readonly cached: boolean;
      /** Set where the skill itself caused a failure (cut at its limit, context too long): scored as a fail. */
      readonly failure: string | undefined;
      /**
       * Set where thinking used up all its room, twice, and no answer came: a failure, unless the other side of a pair
       * came to the same; then the pair tells nothing.
       */
      readonly thoughtOnly?: true | undefined;
      /**
       * Set where the model said the same over and over until it was stopped: a failure, unless the other side of a pair
       * came to the same; then the pair tells nothing.
       */
      readonly endless?: true | undefined;
      /** Where the environment itself judges (a program): its scores, used instead of the checks. */
      readonly scores:
        | { readonly hard: number; readonly soft: number; readonly reason: string | undefined }
        | undefined;
      /** What else the environment had to say; shown to reflection. */
      readonly extras: Readonly<Record<string, unknown>>;
      /**
       * Where an agent program worked in a folder: what it did and left there, and whether it used the skill; undefined
       * where it had none.
       */
      readonly work?: (WorkLeft & { readonly usedSkill: boolean | undefined }) | undefined;
    }
  | { readonly kind: 'invalid'; readonly reason: string };

export interface AttemptRequest {
  readonly task: Task;
  /** The whole text of the skill, or undefined for the baseline without one. */
  readonly skill: string | undefined;
  /** The text of the memory file that goes along, if any. */
  readonly memory: string | undefined;
  /**
   * Texts of files of the package, by their path from the skill's folder, that take the place of what the run found there;
   * missing where nothing does. Files that are not named are as they were.
   */
  readonly files?: PackageFiles;
  readonly phase: 'training' | 'heldOut' | 'sealed' | 'single';
  readonly seed: number;
  /** Which independent sample of its family this is, from 1. */
  readonly attempt: number;
  /** Names the family of samples; attempts of different families are independent even under the same number. */
  readonly family: string;
}

/**
 * How a task is attempted. Contract: one call is one independent attempt; the same request with another `attempt`
 * is another sample; nothing outside a throw-away folder is changed; throws only what ends the whole run.
 */
export interface Environment {
  readonly name: string;
  attempt(request: AttemptRequest, signal: AbortSignal): Promise<AttemptResult>;
  /** Several attempts in one go, with a result for each, in their order; undefined where each is made by itself. */
  readonly attemptBatch?:
    | ((requests: readonly AttemptRequest[], signal: AbortSignal) => Promise<readonly AttemptResult[]>)
    | undefined;
}

/** An attempt of one step that an environment made, for it to comment on. Of other sides nothing has this type. */
export interface AttemptsToReflect {
  readonly task: TrainingTask;
  readonly result: AttemptResult;
}

/** Where a step stands when an environment is asked about its attempts. */
export interface StepToReflect {
  readonly step: number;
  /** The texts that the attempts were made under. */
  readonly skill: string;
  readonly memory: string | undefined;
  /** As an attempt is given them. */
  readonly files?: PackageFiles;
  /** Which of the two its edits would change. */
  readonly document: 'skill' | 'memory';
  /** Where they may land: anywhere in the body, or on the rules of the learned block alone. */
  readonly scope: 'body' | 'learned';
  /** The most edits that count. */
  readonly budget: number;
  readonly seed: number;
}

/** An edit that an environment proposes, in the words that an optimizer has for it; `target` is upstream's for `anchor`. */
export interface EnvironmentEdit {
  readonly op: 'append' | 'add' | 'insert_after' | 'replace' | 'delete';
  /** The file of the package by its path from the skill's folder, where edits may change it; SKILL.md where it is missing. */
  readonly file?: string | undefined;
  /** Text that stands exactly once in the document; for all but `append`. */
  readonly anchor?: string | undefined;
  readonly target?: string | undefined;
  /** For all but `delete`. */
  readonly content?: string | undefined;
  /** Shown to the person who decides, as it stands. */
  readonly rationale?: string | undefined;
  /** Ids of the training tasks that taught it; all that it saw where none is named. */
  readonly tasks?: readonly string[] | undefined;
}

/** What an environment has to say on the attempts of a step. */
export interface EnvironmentReflection {
  /** In plain words; shown to the optimizer as data. */
  readonly remarks?: string | undefined;
  /** Pass the same laws and guards as the optimizer's, and are decided on one by one. */
  readonly edits?: readonly EnvironmentEdit[] | undefined;
}

/**
 * What another extension registers. Contract of `rollout`: one call is one independent attempt, nothing outside a
 * throw-away folder is changed, and the call ends when its signal is aborted. What it throws makes that attempt
 * invalid, never a score. Where it gives no `scores`, the task's checks judge the answer.
 */
export interface RegisteredEnvironment {
  /** As tasks name it in `environment`. */
  readonly name: string;
  /** Called once before the first attempt of a run; what it throws ends the run before anything is spent. */
  setup?(request: { readonly skillPath: string; readonly tasks: readonly Task[] }, signal: AbortSignal): Promise<void>;
  rollout(request: AttemptRequest, signal: AbortSignal): Promise<AttemptResult>;
  /**
   * Asked once a step about the training attempts that it made: remarks alone, or with edits of its own. What it throws,
   * or gives back after two minutes, costs its words and nothing else.
   */
  reflect?(
    attempts: readonly AttemptsToReflect[],
    signal: AbortSignal,
    step: StepToReflect,
  ): Promise<string | EnvironmentReflection>;
  /** The kind of a task: batches hold every kind evenly. Its first tag where this is missing. */
  taskType?(task: Task): string;
  /** Which of its training tasks each batch of an epoch takes, by id; the default order where this is missing. */
  planBatches?(
    tasks: readonly Task[],
    plan: { readonly epoch: number; readonly batchSize: number; readonly seed: number },
  ): readonly (readonly string[])[];
}
