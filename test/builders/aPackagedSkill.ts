import { aWorkspace, writtenTasks, type TestWorkspace, type WrittenTask } from './aWorkspace.js';

/** Points to a file that says the wrong thing, and lacks a rule itself. */
export const packagedSkill = [
  '---',
  'name: words',
  'description: Notes on what happened.',
  '---',
  '',
  '# Notes',
  '',
  'How long a note is and how it sounds stands in [the guide](references/tone.md).',
  '',
  '## Format',
  '',
  '- Plain verbs.',
  '- Times are in UTC.',
  '',
].join('\n');

/** With line breaks of its own, which it keeps. */
export const toneFile = [
  '# Tone',
  '',
  'Notes are read by people in a hurry.',
  '',
  '- Name the place first.',
  '- Write at least 900 words.',
  '',
].join('\r\n');

const tasks: readonly WrittenTask[] = writtenTasks({ training: 4, heldOut: 6, sealed: 0 }, []).map((task) => ({
  ...task,
  checks: [
    { check: 'max_chars', limit: 600 },
    { check: 'contains', text: 'alpha' },
  ],
}));

/** A workspace whose skill is mended in two files: one holds the rule that fails its tasks, the other lacks one. */
export function aPackagedSkill(): TestWorkspace {
  const files = { 'references/tone.md': toneFile, 'references/deep/names.md': '# Names\n\nShips are “she”.\n' };
  return aWorkspace({ skill: packagedSkill, files, tasks });
}

/** With what the target is shown the file, and the optimizer may edit it. */
export const shownReferences = { inlineReferences: true };
