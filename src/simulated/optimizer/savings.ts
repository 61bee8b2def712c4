import { isSame } from '../instruction.js';
import type { ReplyEdit } from './helpfulEdits.js';
import type { ReflectionPrompt } from './reflectionPrompt.js';

/** Whether the prompt says that the length of the skill counts too. */
export function wantsShorter(prompt: string): boolean {
  return /^# What counts beside the score$/m.test(prompt) && prompt.includes('the tokens of the skill');
}

/** Takes out what the skill says a second time: whole lines that ask for nothing that an earlier one does not ask for. */
export function savingsIn({ skill, said }: ReflectionPrompt): readonly ReplyEdit[] {
  const lines = skill.split(/\r?\n/);
  const sources = [...new Set(said.map(({ source }) => source))];
  return sources.flatMap((source, at) => {
    const earlier = new Set(sources.slice(0, at));
    const own = said.filter((each) => each.source === source);
    const isSaid = own.every(({ instruction, condition }) =>
      said.some(
        (other) => earlier.has(other.source) && other.condition === condition && isSame(other.instruction, instruction),
      ),
    );
    const line = lines.filter((each) => each.trim().replace(/^[-*+]\s+/, '') === source);
    const [anchor = ''] = line;
    if (!isSaid || line.length !== 1 || skill.split(anchor).length !== 2) return [];
    return [{ op: 'delete', anchor, content: '', rationale: 'The skill says this already.', tasks: [] }];
  });
}
