import { messageOf, ModelError, type ModelErrorKind } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import type { LanguageModel, ModelIdentity, ModelReply, ModelRole, ModelUsage } from '../../ports/languageModel.js';
import { FailedCall, usageOfFailure } from './failedCall.js';
import { worstUsage } from '../tokens.js';
import type { KeyOf } from './replyKey.js';

/** One physical call as it is written down: hashes and counts, never a word of what was said. */
export interface CallEntry {
  readonly role: ModelRole;
  readonly model: ModelIdentity;
  readonly key: string;
  readonly ms: number;
  /** Who made it, where it was made on a queue. */
  readonly worker?: string | undefined;
  readonly outcome:
    | { readonly kind: 'answered'; readonly usage: ModelUsage }
    | {
        readonly kind: 'failed';
        readonly error: ModelErrorKind | 'aborted' | 'unknown';
        /** What it is booked at; undefined where no call was made. */
        readonly usage: ModelUsage | undefined;
        /** In words, where a worker failed: it is another machine, which nobody looks at. */
        readonly why?: string | undefined;
      };
}

export interface JournalOptions {
  readonly clock: Clock;
  readonly record: (entry: CallEntry) => void;
  readonly keyOf: KeyOf;
}

/** Reports every physical call once, whatever becomes of it. */
export function withJournal(model: LanguageModel, { clock, record, keyOf }: JournalOptions): LanguageModel {
  const written =
    (ask: LanguageModel['complete']): LanguageModel['complete'] =>
    async (request, signal) => {
      const start = clock.now();
      const write = (outcome: CallEntry['outcome'], worker: string | undefined): void =>
        record({
          role: request.role,
          model: model.identity,
          key: keyOf(request),
          ms: clock.now() - start,
          ...(worker === undefined ? {} : { worker }),
          outcome,
        });
      try {
        const { worker, ...reply } = await ask(request, signal);
        write({ kind: 'answered', usage: reply.usage }, worker);
        return timed(reply, clock.now() - start);
      } catch (error) {
        const worker = error instanceof FailedCall ? error.worker : undefined;
        const usage = usageOfFailure(error, worstUsage(request, model));
        const why = worker === undefined ? {} : { why: messageOf(error) };
        write({ kind: 'failed', error: kindOf(error, signal), usage, ...why }, worker);
        throw error;
      }
    };
  // The simulated model takes no time worth the name, and its runs are the same everywhere.
  const timed = (reply: ModelReply, ms: number): ModelReply =>
    model.identity.simulated ? reply : { ...reply, usage: { ...reply.usage, ms } };
  return {
    identity: model.identity,
    takesMore: model.takesMore,
    complete: written((request, signal) => model.complete(request, signal)),
    once: model.once === undefined ? undefined : written(model.once),
  };
}

function kindOf(error: unknown, signal: AbortSignal): ModelErrorKind | 'aborted' | 'unknown' {
  if (error instanceof ModelError) return error.kind;
  return signal.aborted ? 'aborted' : 'unknown';
}
