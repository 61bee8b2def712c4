import path from 'node:path';
import { isInside } from '../../isInside.js';

/** What a line that is typed names a skill by: its folder as seen from where the person is, else its whole path. */
export function skillWord(skill: string, cwd: string): string {
  const whole = path.resolve(cwd, skill);
  const folder = path.basename(whole) === 'SKILL.md' ? path.dirname(whole) : whole;
  return isInside(cwd, folder) ? path.relative(cwd, folder) || '.' : whole;
}
