import type { ModelRequest } from '../../src/ports/languageModel.js';
import { ScriptedModel, type ScriptedAnswer } from '../fakes/ScriptedModel.js';

/** An analyst's suggestion to say a word. */
export function suggestion(word: string) {
  return {
    type: 'add_rule',
    title: word,
    motivation: `Answers lacked ${word}.`,
    instruction: `Say “${word}”.`,
    priority_hint: 'high',
    tasks: [],
  };
}

/** What changed in a section, as a reply states it. */
export type Change = Readonly<Record<'section' | 'change', string>>;

/** The reply to the suggestions. */
export function rewriteOf(text: string, ...changes: readonly Change[]): string {
  return JSON.stringify({ reasoning: '', new_skill: text, change_summary: changes });
}

/** The reply of an analyst or of a merge with whole texts. */
export function rewritesOf(...texts: readonly string[]): string {
  const candidates = texts.map((text) => ({ title: 'New', new_skill: text, change_summary: [] }));
  return JSON.stringify({ failure_summary: [], skill_candidates: candidates });
}

/** An optimizer that suggests these words, ranks the first ones best and answers the rewrite by the script. */
export function aRewriter(words: readonly string[], rewrite: ScriptedAnswer): ScriptedModel {
  const suggestions = words.map(suggestion);
  return new ScriptedModel()
    .when(named('suggestions'), ({ dependsOn = [] }) => {
      // Analysts look at different tasks: the second has one more thing to say.
      const own = dependsOn[0]?.endsWith(':0') === true ? suggestions : [suggestion('more'), ...suggestions];
      return JSON.stringify({ failure_summary: [], revise_suggestions: own });
    })
    .when(named('merge_suggestions'), JSON.stringify({ reasoning: '', revise_suggestions: suggestions }))
    .when(named('ranking'), JSON.stringify({ reasoning: '', selected_indices: [0, 1, 2, 3] }))
    .when(named('rewrite'), rewrite);
}

/** An optimizer whose analysts rewrite by one answer, and whose merges by another. */
export function aWholeRewriter(rewrite: ScriptedAnswer, merge: ScriptedAnswer = rewrite): ScriptedModel {
  return new ScriptedModel().when(named('rewrites'), rewrite).when(named('merge_rewrites'), merge);
}

export function named(name: string): (request: ModelRequest) => boolean {
  return (request) => request.replySchema?.name === name;
}
