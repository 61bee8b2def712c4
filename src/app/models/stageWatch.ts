import type { Stage } from '../../engine/journal/runEvents.js';
import { isFatal, isSilence, ModelError } from '../../errors.js';
import { cappedAfterFailures, stoppedAnswering, unanswered } from '../../models/wrappers/breaker.js';
import type { CallEntry } from '../../models/wrappers/withJournal.js';
import type { LanguageModel, ModelRequest } from '../../ports/languageModel.js';
import { isReached } from './reachModels.js';

/**
 * Listens whether anybody answers in the stage that a run is in. A stage in which every call failed is the last one: a
 * further one would be asked in vain, and its failures would look like a cap, or like scores that nobody gave. A server that
 * stops in the middle of a stage is told from one that fails on a few tasks by asking it again what it answered before.
 */
export class StageWatch {
  readonly #lines = new Map<LanguageModel, Line>();
  /** Ends the calls under way once nobody answers any more. */
  readonly #stopped = new AbortController();
  #stage: Stage | undefined;
  #answered = 0;
  /** Since the last answer of any stage: calls that were made as often as that can help, and each single try of them. */
  #failed = 0;
  #tries = 0;
  #last: ModelError | undefined;
  #dead: ModelError | undefined;

  /** A stage begins. What questions came to that a run can do without is no beginning of a silence. */
  begin(stage: Stage): void {
    this.#answered = 0;
    if (this.#stage !== undefined && dispensable.has(this.#stage)) [this.#failed, this.#tries] = [0, 0];
    this.#stage = stage;
  }

  /** One try of a call. */
  note({ outcome }: Pick<CallEntry, 'outcome'>): void {
    if (outcome.kind === 'answered') this.#heard();
    else if (isSilence(outcome.error)) this.#tries += 1;
  }

  /**
   * The model as it is, listened to. `bare` is whose server is looked for; `askAgain` asks it whatever is stored, and is not
   * noted here.
   */
  over(model: LanguageModel, bare: LanguageModel, askAgain: LanguageModel['complete']): LanguageModel {
    const line = this.#lines.get(bare) ?? { failed: 0, known: undefined, asking: undefined };
    this.#lines.set(bare, line);
    return {
      identity: model.identity,
      complete: async (request, signal) => {
        if (this.#dead !== undefined) throw this.#dead;
        try {
          const reply = await model.complete(request, AbortSignal.any([signal, this.#stopped.signal]));
          this.#heard();
          [line.failed, line.known] = [0, request];
          return reply;
        } catch (error) {
          signal.throwIfAborted();
          if (this.#stopped.signal.aborted) throw this.#dead ?? error;
          throw error instanceof ModelError ? await this.#after(error, { line, askAgain }, signal) : error;
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
  async #after(error: ModelError, asked: StageCall, signal: AbortSignal): Promise<ModelError> {
    if (error.kind === 'cap') return this.#capped(error);
    if (!isFatal(error.kind) && !isSilence(error.kind)) this.#heard();
    if (!isSilence(error.kind)) return error;
    this.#failed += 1;
    asked.line.failed += 1;
    this.#last = error;
    if (this.#answered === 0 && !(await this.#isReached(signal))) this.#dead ??= unanswered(error);
    else if (await hasStopped(asked, signal)) return this.#stop(error);
    return error;
  }

  #stop(error: ModelError): ModelError {
    this.#dead ??= this.#answered === 0 ? unanswered(error) : stoppedAnswering(error);
    this.#stopped.abort(this.#dead);
    return this.#dead;
  }

  /** A cap that failing calls used up is not what ended the run. */
  #capped(cap: ModelError): ModelError {
    const last = cap.cause instanceof ModelError ? cap.cause : this.#last;
    if (last === undefined) return this.#dead ?? cap;
    if (this.#answered === 0 && this.#tries >= fewestTries) this.#dead ??= unanswered(last, cap);
    if (this.#tries >= manyTries) this.#dead ??= stoppedAnswering(last, cap);
    return this.#dead ?? this.#withFailures(cap, last);
  }

  #withFailures(cap: ModelError, last: ModelError): ModelError {
    return this.#tries === 0 ? cap : cappedAfterFailures(cap, last);
  }

  #heard(): void {
    this.#answered += 1;
    this.#failed = 0;
    this.#tries = 0;
  }

  async #isReached(signal: AbortSignal): Promise<boolean> {
    const reached = await Promise.all([...this.#lines.keys()].map((model) => isReached(model, signal)));
    signal.throwIfAborted();
    return reached.every((each) => each);
  }
}

const dispensable: ReadonlySet<Stage> = new Set<Stage>(['slow-update', 'meta-skill']);

/** What is known of one model. */
interface Line {
  /** Calls since its last answer that were made as often as that can help. */
  failed: number;
  /** The last request that it answered. */
  known: ModelRequest | undefined;
  /** Being asked that one again. */
  asking: Promise<boolean> | undefined;
}

interface StageCall {
  readonly line: Line;
  readonly askAgain: LanguageModel['complete'];
}

/** Fewer may be tasks that a server which works always fails on: then it is asked again what it answered before. */
const fewestCalls = 3;

/** A single one that failed just before a cap proves nothing, and neither do a few where answers came before them. */
const fewestTries = 3;
const manyTries = 20;

/** Whether a model that failed several calls in a row fails one as well that it answered before. */
async function hasStopped({ line, askAgain }: StageCall, signal: AbortSignal): Promise<boolean> {
  if (line.failed < fewestCalls || line.known === undefined) return false;
  line.asking ??= answers(askAgain, line.known, signal).finally(() => (line.asking = undefined));
  if (!(await line.asking)) return line.failed > 0; // another call may have been answered meanwhile
  line.failed = 0;
  return false;
}

async function answers(ask: LanguageModel['complete'], known: ModelRequest, signal: AbortSignal): Promise<boolean> {
  try {
    await ask(known, signal);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    return !isSilence(error.kind); // what else it may be, the next call says as well
  }
}
