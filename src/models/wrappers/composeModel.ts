import type { LanguageModel } from '../../ports/languageModel.js';
import type { ReplyStore } from '../../ports/replyStore.js';
import type { Redactor } from '../../redaction/redactor.js';
import type { RateLimiter } from './rateLimiter.js';
import { replyKeys, type KeySalt } from './replyKey.js';
import { withBudget, type BudgetOptions } from './withBudget.js';
import { withCache } from './withCache.js';
import { withJournal, type JournalOptions } from './withJournal.js';
import { withRate } from './withRate.js';
import { withRedaction } from './withRedaction.js';
import { withRetry, type RetryOptions } from './withRetry.js';

export interface ModelParts {
  readonly redactor: Redactor;
  readonly replies: ReplyStore;
  readonly retry: RetryOptions;
  /** One for each backend, shared by all roles that use it. */
  readonly gate: RateLimiter;
  readonly budget: BudgetOptions;
  readonly journal: Pick<JournalOptions, 'clock' | 'record'>;
  /** Sampling options that the adapter adds on its own. */
  readonly salt?: KeySalt | undefined;
}

/**
 * A model as the engine uses it. The order is the point: secrets are gone before anything is stored or sent, a stored
 * reply costs nothing, waiting holds no place and no money, every attempt is reserved by itself, and every one is written down.
 */
export function composeModel(adapter: LanguageModel, parts: ModelParts): LanguageModel {
  const keyOf = replyKeys(adapter.identity, parts.salt);
  const journalled = withJournal(adapter, { ...parts.journal, keyOf });
  const budgeted = withBudget(journalled, parts.budget);
  const paced = withRate(budgeted, parts.gate);
  const patient = withRetry(paced, parts.retry);
  const cached = withCache(patient, { store: parts.replies, keyOf });
  return withRedaction(cached, parts.redactor);
}
