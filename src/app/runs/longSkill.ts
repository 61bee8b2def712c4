import { grouped } from '../../wording/amounts.js';
import type { RunOptions } from '../../engine/runOptions.js';
import { parseSkill } from '../../skill/document/skillDocument.js';
import { lintInvisible } from '../../skill/lint/invisibleLint.js';
import { advisedSize, grownSize, isLittleRoom, roomLeft } from '../../skill/edits/sizeBudget.js';
import type { OpenSkill } from '../openSkill.js';

/** What a person should know before a run on a skill that can hardly grow: most of what is usually learnt adds lines. */
export function longSkillNotes(
  { text }: Pick<OpenSkill, 'text'>,
  { edits }: Pick<RunOptions, 'edits'>,
): readonly string[] {
  const { size } = parseSkill(text);
  const room = roomLeft(size, grownSize(size, edits.growth));
  if (!isLittleRoom(room)) return [];
  const is = `The skill has ${grouped(size.lines)} lines and about ${grouped(size.tokens)} tokens; ${advisedSize.lines} and ${grouped(advisedSize.tokens)} are advised.`;
  const may = `It may grow by ${grouped(room.lines)} lines and about ${grouped(room.tokens)} tokens; beyond that, what is learnt has to replace what is there.`;
  return [`${is} ${may} The option edits.growth allows more.`];
}

const mostUnseenLines = 3;

/** What nobody sees in the skill goes to the model all the same. */
export function unseenNotes({ text }: Pick<OpenSkill, 'text'>): readonly string[] {
  return lintInvisible(parseSkill(text))
    .slice(0, mostUnseenLines)
    .map(({ message }) => message);
}
