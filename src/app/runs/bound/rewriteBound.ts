import type { RunOptions } from '../../../engine/runOptions.js';
import { answerRoom, mostAsks, rewriteRoom, type AnswerRoom } from '../../../prompts/answerRoom.js';
import { countTokens } from '../../../skill/document/countTokens.js';
import type { RoleModels } from '../../models/runModels.js';
import { mostText } from './attemptBound.js';
import { nothingAsked, ofRole, type CallBound, type Often } from './callBound.js';

/** What the optimizer is asked with. */
interface Rewriting {
  readonly text: string;
  readonly options: RunOptions;
  readonly models: Pick<RoleModels, 'optimizer'>;
}

const frame = 2_000; // tokens of our own words around a question

/** Whether analysts reply with a whole skill each. A memory file is edited in its learned block alone, in every mode. */
function repliesWhole({ edits }: RunOptions): boolean {
  return edits.mode === 'full_rewrite_minibatch' && edits.scope === 'body';
}

/** The room that analysts and merges have. */
export function analystRoom({ options, models }: Omit<Rewriting, 'text'>): AnswerRoom {
  const { identity } = models.optimizer;
  return repliesWhole(options)
    ? rewriteRoom({ identity }, options)
    : answerRoom({ role: 'optimizer', identity }, options);
}

/** The most tokens of what analysts proposed, as a merge is shown it: their replies, or as many skills as it takes. */
export function mostMerged({ text, options, models }: Rewriting): number {
  if (repliesWhole(options)) return options.merge.batchSize * (mostText(text) + frame);
  return analystRoom({ options, models }).second;
}

/** The calls that work suggestions into the skill: one for each step, once more where its reply cannot be read. */
export function rewriteBound({ text, options, models }: Rewriting, steps: Omit<Often, 'least'>): CallBound {
  if (options.edits.mode !== 'rewrite_from_suggestions') return nothingAsked;
  const asks = mostAsks('optimizer', options);
  const { identity } = models.optimizer;
  const tokens = countTokens(text);
  const none = { calls: 0, inputTokens: 0, outputTokens: 0 };
  const shown = mostText(text) + answerRoom({ role: 'optimizer', identity }, options).second + frame;
  return ofRole('optimizer', {
    least: none,
    usual: {
      calls: steps.usual,
      inputTokens: steps.usual * (2 * tokens + frame / 4),
      outputTokens: steps.usual * tokens,
    },
    most: {
      calls: steps.most * asks,
      inputTokens: steps.most * asks * shown,
      outputTokens: steps.most * asks * rewriteRoom({ identity }, options).first,
    },
  });
}
