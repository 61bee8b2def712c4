import type { SplitTasks, Task } from '../task.js';
import { tokensOf } from './similarity.js';

/** Fewer words stand in many texts by chance. */
const fewestWords = 6;

/** Held-out tasks whose words training can read, in the skill itself or in a training task: a note on each. */
export function quotedHeldOut(
  { training, heldOut }: Pick<SplitTasks, 'training' | 'heldOut'>,
  skill: string,
): readonly string[] {
  const shown = training.map((task) => ({ task, words: wordsIn(textOf(task)) }));
  const ofSkill = wordsIn(skill);
  return heldOut.flatMap(({ id, prompt }) => {
    if (tokensOf(prompt).length < fewestWords) return [];
    const words = wordsIn(prompt);
    const quoting = shown.find((each) => each.words.includes(words));
    if (quoting !== undefined)
      return [
        `The words of the held-out task “${id}” stand in the training task “${quoting.task.id}”: the optimizer sees them.`,
      ];
    return ofSkill.includes(words)
      ? [
          `The words of the held-out task “${id}” stand in the skill: it proves less than one that the skill does not quote.`,
        ]
      : [];
  });
}

function textOf({ prompt, context = '', system = '', expectedOutput = '', references }: Task): string {
  return [prompt, context, system, expectedOutput, ...references].join('\n');
}

/** Between spaces, so that no word is found within another. */
function wordsIn(text: string): string {
  return ` ${tokensOf(text).join(' ')} `;
}
