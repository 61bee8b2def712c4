import { type Instruction, contradicts } from '../instruction.js';
import { blocksOf } from '../reading/blocks.js';
import { instructionsIn, type ReadInstruction } from '../reading/readInstructions.js';
import { sentencesOf } from '../reading/statements.js';
import { isImperative } from './skillVoice.js';

/** Texts of the skill that ask for the contrary and nothing else, each with what argues for it, as they stand there. */
export function rivalsOf(wanted: Instruction, skill: string, said: readonly ReadInstruction[]): readonly string[] {
  const bySource = new Map<string, ReadInstruction[]>();
  for (const each of said) bySource.set(each.source, [...(bySource.get(each.source) ?? []), each]);
  return [...bySource].flatMap(([source, all]) =>
    all.every(({ instruction }) => contradicts(instruction, wanted))
      ? anchorFor(withReasons(source, skill), skill)
      : [],
  );
}

/** Every text of the skill that a later edit may replace: nothing else should hang on it. */
export function replaceable(skill: string, said: readonly ReadInstruction[]): readonly string[] {
  return [...new Set(said.map(({ source }) => source))].flatMap((source) =>
    anchorFor(withReasons(source, skill), skill),
  );
}

/** The sentence with those behind it that only say why: they neither ask for anything nor tell the reader what to do. */
function withReasons(source: string, skill: string): string {
  for (const { kind, text } of blocksOf(skill)) {
    const sentences = kind === 'code' || kind === 'heading' ? [] : sentencesOf(text);
    const at = sentences.indexOf(source);
    if (at < 0) continue;
    const behind = sentences.slice(at + 1);
    const end = behind.findIndex((sentence) => isImperative(sentence) || instructionsIn(sentence).length > 0);
    return [source, ...behind.slice(0, end < 0 ? undefined : end)].join(' ');
  }
  return source;
}

/** The text as it stands in the skill, line breaks and all; none where it stands there twice. */
function anchorFor(text: string, skill: string): readonly string[] {
  const words = text.split(/\s+/).map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  const found = [...skill.matchAll(new RegExp(words.join(String.raw`\s+`), 'g'))].map(([match]) => match);
  return found.length === 1 ? found : [];
}
