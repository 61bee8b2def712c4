import type { LanguageModel, ModelIdentity, ModelReply, ModelRequest, ModelRole } from './languageModel.js';
import type { ProgramRequest, ProgramResult, Programs } from './programs.js';

/** One call as it would go over the wire once: nothing of it is asked again, whatever comes of it. */
export interface PhysicalCall {
  readonly runId: string;
  readonly model: ModelIdentity;
  /** The name of the reply that it asks for; worked out where somebody wants it. */
  readonly key: () => string;
  /** Without secrets, with its limits and how long it may take. What an agent does with it goes along as its work. */
  readonly request: ModelRequest;
  /** Judges what an agent left elsewhere, where this machine could have it work; see `LanguageModel`. */
  readonly workJudge?: LanguageModel['workJudge'];
}

/** A program of a task or a check that a run starts once. */
export interface ProgramCall {
  readonly runId: string;
  readonly request: ProgramRequest;
}

/** Why a program runs on the machine that asks for it. */
export type StaysHere =
  /** No worker has it in its list, or there is none with a sandbox. */
  | 'not-taken'
  /** It asks the target of the run at an address of this machine. */
  | 'asks-target'
  /** It names, reads or is told what other machines do not have. */
  | 'bound'
  /** Its folder is too large for the queue, or cannot be read. */
  | 'too-large';

/**
 * Where attempts and judgements are made: in this process, or on other machines. Contract: makes the call at most once,
 * and gives its reply or throws what a model throws. Asking again is for whoever called, who sets money aside for it anew.
 */
export interface AttemptRunner {
  /** Where that is, as people may read it; undefined for this process. */
  readonly place?: string | undefined;
  /** Whether calls to this model go there at all; those of every model do where it is missing. */
  readonly takes?: ((model: ModelIdentity) => boolean) | undefined;
  /** How many bytes the files of a folder that an agent starts from may have there; any number where it is missing. */
  readonly mostFolderBytes?: number | undefined;
  /** `here` makes the call in this process, for what does not go elsewhere. */
  run(call: PhysicalCall, here: LanguageModel['complete'], signal: AbortSignal): Promise<ModelReply>;
  /**
   * Throws where nobody makes calls in this role to this model, with the cure; asks for no answer and costs nothing.
   * Undefined where models are reached from this process.
   */
  readonly reach?: ((model: ModelIdentity, role: ModelRole, signal: AbortSignal) => Promise<boolean>) | undefined;
  /**
   * Runs a program of a task or a check. It costs nothing: where another machine lost it, or none takes it, `here` runs it.
   * Undefined where programs run in this process.
   */
  readonly program?:
    | ((call: ProgramCall, here: Programs['run'], signal: AbortSignal) => Promise<ProgramResult>)
    | undefined;
  /** Why a program would run here; undefined where another machine takes it. Starts nothing. */
  readonly staysHere?: ((request: ProgramRequest, signal: AbortSignal) => Promise<StaysHere | undefined>) | undefined;
}
