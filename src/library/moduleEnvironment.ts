import type {
  AttemptRequest,
  AttemptResult,
  AttemptsToReflect,
  EnvironmentReflection,
  StepToReflect,
} from '../ports/environment.js';

/**
 * An environment that is a module of its own, declared under `environments` in `evals/whetstone.json`: what its default
 * export may have. It is loaded in a process of its own; every value that it gets and gives is JSON.
 */
export interface ModuleEnvironment<Env = unknown> {
  /** Before anything else, in every process. */
  setup?(start: ModuleCall): void | Promise<void>;
  /** Once for each batch; what it gives is handed to the others. */
  buildEnv?(batch: ModuleBatch): Env | Promise<Env>;
  rollout?(attempt: ModuleAttempt, env: Env): MaybePromise<ModuleResult | AttemptResult>;
  /** All attempts of a batch in one call; each result names its `id` and `attempt`. */
  rolloutBatch?(batch: ModuleBatch, env: Env): MaybePromise<readonly ModuleResult[]>;
  closeEnv?(env: Env): void | Promise<void>;
  /** With `"brings": ["items"]`: tasks of its own for one side. */
  items?(call: ModuleCall & { readonly split: ModuleAttempt['split'] }): MaybePromise<readonly object[]>;
  /** With `"brings": ["skill"]`: the text of a first SKILL.md. */
  initialSkill?(call: ModuleCall): MaybePromise<string>;
  /** With `"brings": ["types"]`: the type of each task, by id. */
  taskTypes?(
    call: ModuleCall & { readonly tasks: readonly { readonly id: string; readonly tags?: readonly string[] }[] },
  ): MaybePromise<Readonly<Record<string, string>>>;
  /** With `"brings": ["batches"]`: which of its training tasks each batch of an epoch takes, by id. */
  planBatches?(
    call: ModuleCall & { readonly tasks: ModuleTasks; readonly epoch: number; readonly batchSize: number },
  ): MaybePromise<readonly (readonly string[])[]>;
  /** With `"brings": ["representatives"]`: the training tasks that the end of an epoch compares first, by id. */
  representatives?(
    call: ModuleCall & { readonly tasks: ModuleTasks; readonly count: number; readonly epoch: number },
  ): MaybePromise<readonly string[]>;
  /** With `"brings": ["edits"]`: what it has to say on the training attempts of a step, and edits of its own. */
  reflect?(step: ModuleStep): MaybePromise<string | EnvironmentReflection>;
}

type MaybePromise<Value> = Value | Promise<Value>;

/** What the declaration says under `options`. */
export type ModuleOptions = Readonly<Record<string, unknown>>;

/** What a module gets with every question. */
export interface ModuleCall {
  readonly options: ModuleOptions;
  readonly seed: number;
}

type ModuleTasks = readonly AttemptRequest['task'][];

/** An attempt as a module gets it. */
export interface ModuleAttempt extends Omit<AttemptRequest, 'skill' | 'memory'> {
  readonly skill: string | null;
  readonly memory: string | null;
  readonly split: 'train' | 'val' | 'test';
  /** The same as `family`, under the name that programs read. */
  readonly sample: string;
  readonly options: ModuleOptions;
  /** Asks the run's model, where the module is declared to. */
  readonly target?: (asked: readonly object[] | object) => Promise<ModuleReply>;
}

export interface ModuleReply {
  readonly text: string;
  readonly toolCalls: readonly unknown[];
  readonly finish: string;
  readonly usage: unknown;
}

export interface ModuleBatch {
  readonly batch: {
    readonly phase: AttemptRequest['phase'];
    readonly split: ModuleAttempt['split'];
    readonly seed: number;
    readonly batch_size: number;
  };
  readonly attempts: readonly ModuleAttempt[];
  readonly options: ModuleOptions;
}

/** What an attempt came to, in the words of a program; whatever else it holds is kept and shown to the optimizer. */
export interface ModuleResult {
  readonly id?: string;
  readonly attempt?: number;
  readonly hard?: number | boolean;
  readonly soft?: number | boolean;
  readonly fail_reason?: string | null;
  readonly conversation?: readonly object[];
  readonly predicted_answer?: string | null;
  readonly [extra: string]: unknown;
}

/** A step with the training attempts that the module made in it. */
export interface ModuleStep extends Omit<StepToReflect, 'memory'> {
  readonly memory: string | null;
  readonly attempts: readonly ModuleTried[];
  readonly options: ModuleOptions;
}

/** One of them: as it was given, or why it is invalid. */
export interface ModuleTried {
  readonly id: string;
  readonly task: AttemptsToReflect['task'];
  readonly predicted_answer?: string;
  readonly hard?: number | null;
  readonly soft?: number | null;
  readonly fail_reason?: string | null;
  readonly conversation?: readonly object[];
  readonly extras?: Readonly<Record<string, unknown>>;
  readonly error?: string;
}
