import { ModelError } from '../../errors.js';
import { unanswered } from '../../models/wrappers/breaker.js';
import type { CallEntry } from '../../models/wrappers/withJournal.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { isReached } from './reachModels.js';

/**
 * Listens whether anybody answers in the stage that a run is in. A stage in which every call failed is the last one: a
 * further one would be asked in vain, and its failures would look like a cap, or like scores that nobody gave.
 */
export class StageWatch {
  readonly #models = new Set<LanguageModel>();
  #answered = 0;
  /** Since the last answer of any stage: calls that were made as often as that can help, and each single try of them. */
  #failed = 0;
  #tries = 0;
  #last: ModelError | undefined;
  #dead: ModelError | undefined;

  /** A stage begins. */
  begin(): void {
    this.#answered = 0;
  }

  /** One try of a call. */
  note({ outcome }: Pick<CallEntry, 'outcome'>): void {
    if (outcome.kind === 'answered') this.#heard();
    else if (isSilence(outcome.error)) this.#tries += 1;
  }

  /** The model as it is, listened to. `bare` is whose server is looked for. */
  over(model: LanguageModel, bare: LanguageModel): LanguageModel {
    this.#models.add(bare);
    return {
      identity: model.identity,
      complete: async (request, signal) => {
        if (this.#dead !== undefined) throw this.#dead;
        try {
          const reply = await model.complete(request, signal);
          this.#heard();
          return reply;
        } catch (error) {
          signal.throwIfAborted();
          throw error instanceof ModelError ? await this.#after(error, signal) : error;
        }
      },
    };
  }

  /** Why no further stage is begun; undefined where this one was answered, or made fewer calls than `least`. */
  async silence(least: number, signal: AbortSignal): Promise<ModelError | undefined> {
    if (this.#dead !== undefined) return this.#dead;
    if (this.#answered > 0 || this.#failed === 0 || this.#last === undefined) return undefined;
    if (this.#failed >= least || !(await this.#isReached(signal))) this.#dead = unanswered(this.#last);
    return this.#dead;
  }

  /** The error to go on with. */
  async #after(error: ModelError, signal: AbortSignal): Promise<ModelError> {
    if (error.kind === 'cap') return this.#capped(error);
    if (error.kind === 'context-length' || error.kind === 'content-filter') this.#heard();
    if (!isSilence(error.kind)) return error;
    this.#failed += 1;
    this.#last = error;
    if (this.#answered === 0 && !(await this.#isReached(signal))) this.#dead ??= unanswered(error);
    return error;
  }

  /** A cap that failing calls used up is not what ended the run. */
  #capped(cap: ModelError): ModelError {
    const last = cap.cause instanceof ModelError ? cap.cause : this.#last;
    if (last !== undefined && this.#answered === 0 && this.#tries >= fewestTries) this.#dead ??= unanswered(last, cap);
    return this.#dead ?? cap;
  }

  #heard(): void {
    this.#answered += 1;
    this.#failed = 0;
    this.#tries = 0;
  }

  async #isReached(signal: AbortSignal): Promise<boolean> {
    const reached = await Promise.all([...this.#models].map((model) => isReached(model, signal)));
    signal.throwIfAborted();
    return reached.every((each) => each);
  }
}

const fewestTries = 3; // a single one that failed just before a cap proves nothing

/** What a server does that does not work; all else is said of one request, by one that does. */
function isSilence(kind: string): boolean {
  return kind === 'unavailable' || kind === 'timeout' || kind === 'rate-limit' || kind === 'malformed';
}
