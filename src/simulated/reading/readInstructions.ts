import { type Instruction, isSame, type InstructionKind } from '../instruction.js';
import { contentWords } from './wording.js';
import { statementsOf } from './statements.js';
import { commands, notedFiles } from '../kinds/agentWork.js';
import { closingLine, labelLines, openingLine } from '../kinds/fixedLines.js';
import { commitment, noRefusal, pleasantries } from '../kinds/manner.js';
import { forbiddenWords, requiredWords } from '../kinds/words.js';
import { itemCounts } from '../kinds/itemCounts.js';
import { json, tags } from '../kinds/markup.js';
import { language } from '../kinds/language.js';
import { maximumLength, minimumLength } from '../kinds/length.js';
import { sectionContents, sectionOrder } from '../kinds/sectionOrder.js';
import { sections } from '../kinds/sections.js';
import { toolUse } from '../kinds/toolUse.js';

/** An instruction, the sentence it stands in, and the condition it is bound to. */
export interface ReadInstruction {
  readonly instruction: Instruction;
  readonly source: string;
  readonly condition: string | undefined;
}

/** Every instruction of a text, in order. What no kind recognises has no effect. */
export function readInstructions(text: string, everything = false): readonly ReadInstruction[] {
  return statementsOf(text, everything).flatMap((statement) =>
    [...allKinds, ...workKinds].flatMap((kind) =>
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

/** What changes no answer, and is done where the model is an agent with a folder. */
const workKinds: readonly InstructionKind[] = [commands, notedFiles];

/** Everything the simulated model understands. Anything else has no effect on it. */
export const allKinds: readonly InstructionKind[] = [
  maximumLength,
  minimumLength,
  sections,
  sectionOrder,
  sectionContents,
  labelLines,
  openingLine,
  closingLine,
  pleasantries,
  json,
  tags,
  requiredWords,
  forbiddenWords,
  toolUse,
  commitment,
  language,
  itemCounts,
  noRefusal,
];
