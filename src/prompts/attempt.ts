import text from './attempt.md';
import withoutText from './attemptWithoutSkill.md';
import type { PromptTemplate } from './renderPrompt.js';

/** The system text of an attempt: the skill, in neutral words. */
export const attemptPrompt: PromptTemplate<'skill' | 'memory'> = {
  name: 'attempt',
  text,
  placeholders: ['skill', 'memory'],
};

/** The same without a skill, for the baseline. */
export const attemptWithoutSkillPrompt: PromptTemplate<'memory'> = {
  name: 'attemptWithoutSkill',
  text: withoutText,
  placeholders: ['memory'],
};
