import { aWorkspace, writtenTasks, type TestWorkspace, type WrittenTask } from './aWorkspace.js';

/** It says the wrong thing in three places in the same words, the last one below the place for new rules. */
export const contradictingSkill = [
  '---',
  'name: words',
  'description: Notes on what happened.',
  '---',
  '',
  '# Notes',
  '',
  '<!-- whetstone:keep -->',
  'Call the owner first.',
  '<!-- /whetstone:keep -->',
  '',
  'Write at least 900 words.',
  '',
  '## Format',
  '',
  '- Write at least 900 words.',
  '- Plain verbs.',
  '',
  '## Remember',
  '',
  '- Write at least 900 words.',
  '- Times are in UTC.',
  '',
].join('\n');

const tasks: readonly WrittenTask[] = writtenTasks({ training: 3, heldOut: 6, sealed: 0 }, []).map((task) => ({
  ...task,
  checks: [{ check: 'max_chars', limit: 600 }],
}));

/** A workspace that single edits cannot mend, and a rewrite can. */
export function aContradictingSkill(): TestWorkspace {
  return aWorkspace({ skill: contradictingSkill, tasks });
}
