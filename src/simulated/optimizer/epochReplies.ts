import { blocksNamed, promptBlocks } from '../reading/promptBlocks.js';
import { instructionsIn } from '../reading/readInstructions.js';
import { lessonsFrom } from './helpfulEdits.js';
import { malformedChoice } from './misbehaviour.js';
import { asListItem } from './phrasings.js';
import type { OptimizerHabits } from './reflect.js';
import { editTexts, notAgain, readReflectionPrompt } from './reflectionPrompt.js';
import { voiceOf } from './skillVoice.js';

const mostNotes = 20;

/** Writes guidance after an epoch: what was forgotten over it is said once more, beside what the block says already. */
export function guide(prompt: string, { chance, shares }: OptimizerHabits): string {
  if (chance.fraction('reply') < shares.malformed) return malformedChoice(chance);
  const start = prompt.search(/^# Got worse/mu);
  const length =
    start < 0 ? -1 : prompt.slice(start).search(/^# (?:Fail under|Got better|Pass under|Rules for the guidance)/mu);
  if (length < 0) return guidance('Nothing got worse.', '');
  const read = readReflectionPrompt(prompt.slice(0, start + length));
  const lessons = lessonsFrom({ ...read, tried: [] });
  const before = textNamed(prompt, /^guidance$/);
  const said = lessons.map(({ instruction }) => asListItem(instruction, voiceOf(read.skill)));
  if (said.length === 0) return guidance('Nothing was forgotten that could be put into words.', '');
  return guidance('Over the epoch these were forgotten.', [...before, ...said].join('\n'));
}

/** Writes notes after an epoch: which edits were tried and not taken, beside what the notes say already. */
export function note(prompt: string, { chance, shares }: OptimizerHabits): string {
  if (chance.fraction('reply') < shares.malformed) return malformedChoice(chance);
  const untaken = textNamed(prompt, /^(?:step|rejected)$/)
    .filter((line) => /not taken|\(/.test(line))
    .flatMap(editTexts)
    .map((text) => `${notAgain} ${text.trim()}`);
  const lines = [...new Set([...textNamed(prompt, /^notes$/), ...untaken])].slice(-mostNotes);
  return JSON.stringify({ reasoning: 'What was tried in vain.', meta_skill_content: lines.join('\n') });
}

/** Makes fewer reminders of many: one for each thing that they ask for. */
export function joinNotes(prompt: string, { chance, shares }: OptimizerHabits): string {
  if (chance.fraction('reply') < shares.malformed) return malformedChoice(chance);
  const notes = textNamed(prompt, /^notes$/).map((line) => line.replace(/^\s*-\s+/, ''));
  const bySlot = new Map(notes.map((text) => [instructionsIn(text)[0]?.slot ?? text, text]));
  return JSON.stringify({ reasoning: 'One for each thing.', appendix_notes: [...bySlot.values()] });
}

function guidance(reasoning: string, content: string): string {
  return JSON.stringify({ reasoning, slow_update_content: content });
}

function textNamed(prompt: string, name: RegExp): readonly string[] {
  const { blocks } = promptBlocks(prompt);
  return blocksNamed(blocks, name).flatMap(({ text }) => text.split('\n').filter((line) => line.trim() !== ''));
}
