import { allKinds } from '../allKinds.js';
import type { Instruction } from '../instruction.js';
import { isSame } from '../resolve.js';
import { contentWords } from './contentWords.js';
import { statementsOf } from './statements.js';

/** An instruction, the sentence it stands in, and the condition it is bound to. */
export interface ReadInstruction {
  readonly instruction: Instruction;
  readonly source: string;
  readonly condition: string | undefined;
}

/** Every instruction of a text, in order. What no kind recognises has no effect. */
export function readInstructions(text: string, everything = false): readonly ReadInstruction[] {
  return statementsOf(text, everything).flatMap((statement) =>
    allKinds.flatMap((kind) =>
      kind.read(statement).map((instruction) => ({
        instruction,
        source: statement.source,
        condition: statement.condition,
      })),
    ),
  );
}

/** What one sentence asks for, each thing once. */
export function instructionsIn(sentence: string): readonly Instruction[] {
  const all = readInstructions(sentence).map(({ instruction }) => instruction);
  return all.filter((instruction, at) => all.findIndex((other) => isSame(other, instruction)) === at);
}

/** “If the customer is angry, …” counts for a task that has one of the condition's words. */
export function appliesTo(task: string): (read: ReadInstruction) => boolean {
  const lower = task.toLowerCase();
  return ({ condition }) => {
    if (condition === undefined) return true;
    const words = contentWords(condition).filter((word) => word !== 'user' && word !== 'asked' && word !== 'asks');
    return words.length === 0 || words.some((word) => lower.includes(word.replace(/s$/, '')));
  };
}
