import type { LanguageModel, ModelIdentity, ModelReply, ModelRequest, ModelRole } from './languageModel.js';

/** One call as it would go over the wire once: nothing of it is asked again, whatever comes of it. */
export interface PhysicalCall {
  readonly runId: string;
  readonly model: ModelIdentity;
  /** The name of the reply that it asks for; worked out where somebody wants it. */
  readonly key: () => string;
  /** Without secrets, with its limits and how long it may take. What an agent does with it goes along as its work. */
  readonly request: ModelRequest;
}

/**
 * Where attempts and judgements are made: in this process, or on other machines. Contract: makes the call at most once,
 * and gives its reply or throws what a model throws. Asking again is for whoever called, who sets money aside for it anew.
 */
export interface AttemptRunner {
  /** Where that is, as people may read it; undefined for this process. */
  readonly place?: string | undefined;
  /** `here` makes the call in this process, for what does not go elsewhere. */
  run(call: PhysicalCall, here: LanguageModel['complete'], signal: AbortSignal): Promise<ModelReply>;
  /**
   * Throws where nobody makes calls in this role to this model, with the cure; asks for no answer and costs nothing.
   * Undefined where models are reached from this process.
   */
  readonly reach?: ((model: ModelIdentity, role: ModelRole, signal: AbortSignal) => Promise<boolean>) | undefined;
}
