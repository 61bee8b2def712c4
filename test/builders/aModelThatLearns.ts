import type { ModelRequest } from '../../src/ports/languageModel.js';
import type { ScriptedModel } from '../fakes/ScriptedModel.js';
import { anOptimizer, edits } from './aRunContext.js';

/** Answers “alpha” once the skill tells it to name the first letter, which is what it proposes; `judge` grades the answers. */
export function aModelThatLearns(judge: (request: ModelRequest) => string): ScriptedModel {
  const lesson = { op: 'append', content: '- Name the first letter.', rationale: 'No attempt did.' } as const;
  return anOptimizer({ reflect: edits(lesson) })
    .when(
      ({ role }) => role === 'target',
      ({ messages }) => (messages[0]?.content.includes('the first letter') === true ? 'alpha' : 'Nothing.'),
    )
    .when(({ role }) => role === 'judge', judge);
}
