import { attemptPrompt, attemptWithoutSkillPrompt } from './attempt.js';
import { draftTasksPrompt } from './tasks/draftTasks.js';
import { editBudgetPrompt } from './edits/editBudget.js';
import { epochPrompts } from './epochs/epochPrompts.js';
import { judgePrompt } from './judge.js';
import { mergePrompt, placeEditsPrompt, rankPrompt } from './edits/mergeEdits.js';
import { mineSessionPrompt } from './tasks/mineSession.js';
import {
  contrastPrompt,
  learnedBlockPrompt,
  littleRoomPrompt,
  measuresPrompt,
  memoryFilePrompt,
  reflectFailuresPrompt,
  reflectSuccessesPrompt,
} from './reflection/reflection.js';
import { packageFilesPrompt, packageScriptsPrompt, scriptEditsPrompt } from './reflection/packageFiles.js';
import type { PromptTemplate } from './renderPrompt.js';
import { consolidateNotesPrompt, skillAwarePrompt } from './reflection/skillAware.js';
import {
  mergeRewritesPrompt,
  rewriteContrastPrompt,
  rewriteFailuresPrompt,
  rewriteSkillPrompt,
  rewriteSuccessesPrompt,
} from './rewrite/rewrites.js';
import {
  mergeSuggestionsPrompt,
  suggestContrastPrompt,
  suggestFailuresPrompt,
  suggestSuccessesPrompt,
} from './rewrite/suggestions.js';

/** A prompt as it ships, and what it is for, in words for the person who wants to change it. */
export interface ShippedPrompt {
  readonly template: PromptTemplate<string>;
  readonly about: string;
}

/** Everything that is ever said to a model, in the order in which a run says it. A file that is not here is never read. */
export const allPrompts: readonly ShippedPrompt[] = [
  { template: attemptPrompt, about: 'What the target reads before its task: the skill.' },
  { template: attemptWithoutSkillPrompt, about: 'The same without a skill, for the baseline.' },
  { template: judgePrompt, about: 'Grades an answer against natural-language criteria.' },
  { template: contrastPrompt, about: 'Asks what separates good from bad attempts at the same tasks.' },
  { template: reflectFailuresPrompt, about: 'Asks for edits that would prevent what failed.' },
  { template: reflectSuccessesPrompt, about: 'Asks for edits that make dependable what succeeded.' },
  { template: skillAwarePrompt, about: 'With reflect.skillAware: asks which failures are lapses, for reminders.' },
  { template: consolidateNotesPrompt, about: 'With reflect.skillAware: asks for fewer reminders where they are many.' },
  { template: memoryFilePrompt, about: 'Tells the optimizer that it edits a memory file, not a skill.' },
  { template: learnedBlockPrompt, about: 'Tells the optimizer that it may write in the learned block alone.' },
  { template: packageFilesPrompt, about: 'Tells the optimizer which files beside SKILL.md it may edit.' },
  { template: scriptEditsPrompt, about: 'Tells the optimizer which scripts of a package it may edit, and how.' },
  { template: packageScriptsPrompt, about: 'Shows the optimizer the scripts of a package, which it cannot edit.' },
  { template: littleRoomPrompt, about: 'Tells the optimizer how much a long skill may grow, and to replace instead.' },
  { template: measuresPrompt, about: 'Tells the optimizer what counts beside the score, and to make it less.' },
  { template: mergePrompt, about: 'Merges the edits of several analysts into one list.' },
  {
    template: editBudgetPrompt,
    about: 'With edits.control autonomous: asks how many of the edits a step should take.',
  },
  { template: rankPrompt, about: 'Chooses the most valuable edits where there are too many.' },
  { template: placeEditsPrompt, about: 'Asks once more for edits of which none found its place, with the reasons.' },
  { template: suggestContrastPrompt, about: 'In rewrite_from_suggestions: what separates good from bad attempts.' },
  {
    template: suggestFailuresPrompt,
    about: 'In rewrite_from_suggestions: how to revise a skill so that nothing fails.',
  },
  { template: suggestSuccessesPrompt, about: 'In rewrite_from_suggestions: how to revise a skill by what succeeded.' },
  { template: mergeSuggestionsPrompt, about: 'In rewrite_from_suggestions: merges what several analysts suggest.' },
  { template: rewriteSkillPrompt, about: 'In rewrite_from_suggestions: rewrites the skill by the suggestions chosen.' },
  { template: rewriteContrastPrompt, about: 'In full_rewrite_minibatch: rewrites the skill by good and bad attempts.' },
  { template: rewriteFailuresPrompt, about: 'In full_rewrite_minibatch: rewrites the skill by what failed.' },
  { template: rewriteSuccessesPrompt, about: 'In full_rewrite_minibatch: rewrites the skill by what succeeded.' },
  { template: mergeRewritesPrompt, about: 'In full_rewrite_minibatch: makes one skill of several rewrites.' },
  { template: epochPrompts.slowUpdate, about: 'Asks, after an epoch, for guidance that mends what got worse in it.' },
  { template: epochPrompts.metaSkill, about: 'Asks for the optimizer’s notes to itself after an epoch.' },
  { template: epochPrompts.metaSkillNotes, about: 'Puts those notes before every later question about edits.' },
  { template: draftTasksPrompt, about: 'Asks for tasks that show whether a skill works.' },
  { template: mineSessionPrompt, about: 'Asks for the tasks in one of your own sessions with an agent.' },
];

export function promptNamed(name: string): ShippedPrompt | undefined {
  return allPrompts.find(({ template }) => template.name === name);
}
