import type { Command } from 'commander';
import { UserError } from '../../errors.js';
import { skillRequest, type CliContext } from '../commandLine.js';
import { oneLine } from '../terminal.js';

interface MetaOptions {
  readonly json?: boolean;
  readonly root?: string;
}

/** `whetstone meta show|edit|reset <skill>`: the notes that the optimizer keeps on a skill; never part of it. */
export function addMeta(program: Command, face: CliContext, readInput: () => Promise<string>): void {
  const meta = program
    .command('meta')
    .description('read, rewrite or forget the notes that the optimizer keeps on a skill');
  const request = (skill: string, options: MetaOptions) => skillRequest(face, skill, options);
  metaCommand(meta, 'show')
    .description('print the notes that later runs of the skill begin with')
    .action(async (skill: string, options: MetaOptions) => {
      const text = await face.open({}).metaSkill(request(skill, options), face.signal);
      if (options.json === true) face.terminal.json({ metaSkill: text });
      else face.terminal.out(text === '' ? 'There are no notes on this skill.\n' : `${text}\n`);
    });
  metaCommand(meta, 'edit')
    .description('take the notes from standard input: whetstone meta edit code-review < notes.md')
    .action(async (skill: string, options: MetaOptions) => {
      if (face.terminal.ask !== undefined) face.terminal.err(howToEnd);
      const text = (await readInput()).trim();
      if (text === '') throw nothingCameIn();
      const useCases = face.open({});
      await useCases.writeMetaSkill({ ...request(skill, options), text }, face.signal);
      const kept = await useCases.metaSkill(request(skill, options), face.signal);
      if (kept !== text) face.terminal.err(masked);
      if (options.json === true) face.terminal.json({ metaSkill: kept });
      else face.terminal.out('Written. Later runs of this skill begin with these notes.\n');
    });
  metaCommand(meta, 'reset')
    .description('forget the notes; the skill and its proposals stay as they are')
    .action(async (skill: string, options: MetaOptions) => {
      await face.open({}).writeMetaSkill({ ...request(skill, options), text: '' }, face.signal);
      if (options.json === true) face.terminal.json({ metaSkill: '' });
      else face.terminal.out('Forgotten. The next run of this skill begins without notes.\n');
    });
}

const howToEnd = 'Type the notes, then end them with Ctrl+D (on Windows Ctrl+Z, then Enter).\n';
const masked = 'What looks like a secret was masked in what is kept: “whetstone meta show <skill>” prints it.\n';

/** A redirection that failed must not cost the notes. */
function nothingCameIn(): UserError {
  const happened = 'Nothing came in on standard input: the notes stay as they are.';
  return new UserError('usage', happened, 'Use “whetstone meta reset <skill>” to forget them.');
}

function metaCommand(meta: Command, name: string): Command {
  return meta
    .command(name)
    .argument('<skill>', 'a SKILL.md, or the folder that holds one')
    .option('--json', 'print one JSON object instead of text')
    .option('--root <folder>', 'the folder whose .whetstone holds proposals and runs');
}

interface RejectedOptions {
  readonly json?: boolean;
  readonly root?: string;
  readonly forget?: true | string;
}

const longestText = 100;

/** `whetstone rejected <skill>`: edits that were not taken in earlier runs, which the optimizer is told not to propose again. */
export function addRejected(program: Command, face: CliContext): void {
  program
    .command('rejected')
    .argument('<skill>', 'a SKILL.md, or the folder that holds one')
    .description('edits that were not taken before, which the optimizer is told not to propose again')
    .option(
      '--forget [numbers]',
      'forget all of them, or those with these numbers, such as 1,3: they may be tried again',
    )
    .option('--json', 'print one JSON object instead of text')
    .option('--root <folder>', 'the folder whose .whetstone holds proposals and runs')
    .action(async (skill: string, options: RejectedOptions) => {
      const request = skillRequest(face, skill, options);
      const useCases = face.open({});
      const { rejected } = await useCases.overview(request, face.signal);
      if (options.forget === undefined) {
        if (options.json === true) face.terminal.json({ rejected });
        else face.terminal.out(`${listText(rejected)}\n`);
        return;
      }
      const which = options.forget === true ? undefined : numbersIn(options.forget, rejected.length);
      const forgotten = await useCases.forgetRejected({ ...request, which }, face.signal);
      if (options.json === true) face.terminal.json({ forgotten });
      else face.terminal.out(forgottenText(forgotten));
    });
}

function listText(rejected: readonly { readonly text: string; readonly reason: string }[]): string {
  if (rejected.length === 0) return 'There are none: the optimizer may propose whatever it finds.';
  return [
    ...rejected.map(({ text, reason }, index) => `${index + 1}  ${shortened(oneLine(text))} (${oneLine(reason)})`),
    'The optimizer is shown the newest of them and told not to propose them again; --forget lets them be tried once more.',
  ].join('\n');
}

function shortened(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`;
}

function numbersIn(text: string, most: number): readonly number[] {
  return text.split(',').map((word) => {
    const number = Number(word.trim());
    if (Number.isInteger(number) && number >= 1 && number <= most) return number;
    const cure = most === 0 ? 'There are none to forget.' : `Give numbers from 1 to ${most}.`;
    throw new UserError('usage', `“${word.trim()}” is the number of no edit that was not taken.`, cure);
  });
}

function forgottenText(forgotten: number): string {
  if (forgotten === 0) return 'There were none to forget.\n';
  return forgotten === 1
    ? 'Forgotten: 1 edit. The next run may try it again.\n'
    : `Forgotten: ${forgotten} edits. The next run may try them again.\n`;
}
