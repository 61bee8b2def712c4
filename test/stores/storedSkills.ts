import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fakeCrontab } from '../flow/children/fakeCrontab.js';
import type { StorePlace } from './storePlace.js';

/** What a task of a stored skill asks for. */
interface SkillParts {
  readonly tasks: number;
  readonly checks: readonly Readonly<Record<string, unknown>>[];
  /** Ends its lines as Windows does, with none after the last: bytes that an undo must give back. */
  readonly crlf?: boolean;
}

const wants = (...words: readonly string[]) => words.map((text) => ({ check: 'contains', text }));

/** Every skill of a store, and what its tasks want. */
const skills: Readonly<Record<string, SkillParts>> = {
  pending: { tasks: 10, checks: wants('Visibility:', 'fathoms') },
  half: { tasks: 10, checks: wants('Draught:', 'Harbour:', 'Pilot:', 'Anchor:', 'fathoms') },
  adopted: { tasks: 10, checks: wants('alpha', 'omega'), crlf: true },
  notes: { tasks: 10, checks: wants('Tide:') },
  diary: { tasks: 10, checks: wants('Wind:', 'knots') },
  crashed: { tasks: 10, checks: wants('Depth:') },
  outside: { tasks: 10, checks: wants('Cargo:') },
  cut: { tasks: 10, checks: wants('Visibility:', 'fathoms') },
  program: {
    tasks: 2,
    checks: [{ check: 'command', command: 'node', arguments: ['--version'], folder: 'evals/program' }],
  },
};

/** The names of the skills. */
export const skillNames: readonly string[] = Object.keys(skills);

/** What the person wrote: skills, tasks, the memory file, the workspace's options and prompts, a crontab. */
export function writePersonsFiles(place: StorePlace): void {
  mkdirSync(path.join(place.work, '.git'), { recursive: true });
  mkdirSync(path.join(place.root, 'home'), { recursive: true });
  for (const [name, parts] of Object.entries(skills)) writeSkill(place.skill(name).skillPath, name, parts);
  const program = path.join(place.skill('program').skillPath, 'evals', 'program');
  mkdirSync(program);
  writeFileSync(path.join(program, 'reader.js'), '// read by nobody, allowed with the rest\n');
  writeFileSync(path.join(place.work, 'CLAUDE.md'), originalNotes);
  writeFileSync(path.join(fakeCrontab(place.root), 'table'), ownCrontab);
  writeProgram(place);
}

/** A key that everybody knows: what it seals is proof for tests alone. */
export function writeTestKey({ state }: StorePlace): void {
  mkdirSync(state, { mode: 0o700 });
  const body = { format: 'whetstone-state-key', version: 1, key: '7e57'.repeat(16) };
  writeFileSync(path.join(state, 'state.key'), `${JSON.stringify(body)}\n`, { mode: 0o600 });
}

/** The memory file as the person wrote it. */
export const originalNotes = '# Notes\n\nBe kind.\n';

/** The lines of the crontab that are the person's. */
export const ownCrontab = '# my own lines\n5 4 * * 1 /usr/bin/true # weekly\n';

/** A command line that finds nothing wrong: what is kept of an installed schedule is its text and its record. */
function writeProgram({ root }: StorePlace): void {
  mkdirSync(path.join(root, 'program'));
  for (const part of ['errors', 'useCases', 'cli']) writeFileSync(path.join(root, 'program', `${part}.js`), '');
  writeFileSync(path.join(root, 'bin', 'node'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
}

function writeSkill(folder: string, name: string, { tasks, checks }: SkillParts): void {
  mkdirSync(path.join(folder, 'evals'), { recursive: true });
  writeFileSync(path.join(folder, 'SKILL.md'), originalText(name));
  const rows = Array.from({ length: tasks }, (_, index) => ({ id: `${name}-${index}`, prompt: promptOf(index, name) }));
  write('evals.json', {
    skill_name: name,
    evals: rows.map(({ id, prompt }) => ({ id, prompt, expected_output: '' })),
  });
  // Sides are not stated: which side each task lies on is remembered in `split.json` alone.
  write('whetstone.json', {
    format: 'whetstone.tasks',
    version: 1,
    tasks: Object.fromEntries(rows.map(({ id }) => [id, { checks }])),
  });

  function write(file: string, content: unknown): void {
    writeFileSync(path.join(folder, 'evals', file), `${JSON.stringify(content)}\n`);
  }
}

/** A skill as the person wrote it. */
export function originalText(name: string): string {
  const text = `---\nname: ${name}\ndescription: Answers about ships.\n---\n\n# Ships\n\nKeep the answer to at most 160 characters. ☸\n`;
  return skills[name]?.crlf === true ? text.trimEnd().replaceAll('\n', '\r\n') : text;
}

const subjects = [
  'Describe a harbour at dawn',
  'Explain how bread rises',
  'Report on the broken lift',
  'Plan a walk in the hills',
  'Compare two kinds of paint',
  'Summarise the meeting of the choir',
  'Tell a child why the sea is salt',
  'List what a roofer packs',
  'Judge the speech of the mayor',
  'Sort these recipes by season',
  'Draw up rules for the garden gate',
  'Recall the winter of the long frost',
];

function promptOf(index: number, name: string): string {
  return `${subjects[index % subjects.length] ?? ''}, for ${name}${index}.`;
}
