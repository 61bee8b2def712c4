import { parseJson } from '../../parseJson.js';
import type { ReplyStore } from '../../ports/stores.js';

/** A question that an environment was asked in a run. */
export interface AskedBefore {
  readonly name: string;
  readonly ask: string;
  readonly epoch: number;
}

/** What environments answered in one run, as JSON can hold it. */
export interface KeptAnswers {
  get(question: AskedBefore): Promise<unknown>;
  put(question: AskedBefore, answer: unknown): Promise<void>;
}

/** Kept beside the replies of models, for the run of this id alone: one that goes on does not ask again. */
export function keptAnswers(replies: ReplyStore, runId: string): KeptAnswers {
  const keyOf = ({ name, ask, epoch }: AskedBefore): string =>
    JSON.stringify(['environment-answer', runId, name, ask, epoch]);
  const usage = { inputTokens: 0, outputTokens: 0, exact: true };
  return {
    get: async (question) => parseJson((await replies.get(keyOf(question)))?.text ?? ''),
    put: (question, answer) =>
      replies.put(keyOf(question), {
        text: JSON.stringify(answer),
        finish: 'stop',
        toolCalls: [],
        usage,
        cached: false,
      }),
  };
}
