import path from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../errors.js';
import { isInside } from '../../isInside.js';
import { typedWord, visibleText } from '../../wording/shownText.js';
import type { CliContext } from '../commandLine.js';
import { oneLine } from '../terminal.js';

interface NewOptions {
  readonly fromEnvironment?: string | true;
  readonly description?: string;
  readonly allowPrograms?: boolean;
  readonly yes?: boolean;
}

/** `whetstone new <folder>`: a first SKILL.md, as an environment brings it or to be filled in. */
export function addNew(program: Command, face: CliContext): void {
  program
    .command('new')
    .argument('<folder>', 'the folder of the skill; its last part is the name')
    .description('write a first SKILL.md, never over one that is there')
    .option('--from-environment [name]', 'take the text from the environment of evals/whetstone.json that brings it')
    .option('--description <text>', 'what the skill does and when to use it, where its text is still to be written')
    .option('--allow-programs', 'let the environment run, as it is now, from now on')
    .option('--yes', 'write what the environment brings without asking')
    .action((folder: string, options: NewOptions) => {
      const place = path.resolve(face.cwd, folder);
      return options.fromEnvironment === undefined
        ? toFillIn(face, place, options.description)
        : fromEnvironment(face, place, options);
    });
}

async function toFillIn({ open, terminal, signal, cwd }: CliContext, folder: string, description = ''): Promise<void> {
  const name = path.basename(folder);
  if (description.trim() === '') throw undescribed(path.relative(cwd, folder) || '.');
  // From where the person is no link leads out; a place that they name elsewhere is taken as it is.
  const workspaceFolder = isInside(cwd, path.dirname(folder)) ? cwd : path.dirname(folder);
  const place = path.relative(workspaceFolder, path.dirname(folder));
  const skillPath = await open({}).createSkill({ workspaceFolder, place, name, description, examples: [] }, signal);
  terminal.out(`Written: ${oneLine(skillPath)}\n`);
}

function undescribed(folder: string): UserError {
  return new UserError(
    'usage',
    'Say what the skill does and when to use it: agents choose skills by that.',
    `Run whetstone new ${typedWord(folder)} --description "…".`,
  );
}

/** Shows the text, and writes it once the person said yes. */
async function fromEnvironment(face: CliContext, folder: string, options: NewOptions): Promise<void> {
  const { terminal, signal } = face;
  const useCases = face.open(options);
  const { fromEnvironment: named } = options;
  const brought = await useCases.broughtSkill({ folder, environment: named === true ? undefined : named }, signal);
  terminal.out(`${visibleText(brought.text, longestShown)}\n`);
  if (options.yes !== true) await agreed(face, brought.skillPath);
  terminal.out(`Written: ${oneLine(await useCases.writeBroughtSkill(brought, signal))}\n`);
}

const longestShown = 20_000; // characters

async function agreed({ terminal, signal }: CliContext, file: string): Promise<void> {
  const answer = await terminal.ask?.(`Write it to ${oneLine(file)}? (y/N) `, signal);
  if (answer !== undefined && /^\s*y(?:es)?\s*$/iu.test(answer)) return;
  throw new UserError('usage', 'Nothing was written.', 'Add --yes to write it without being asked.');
}
