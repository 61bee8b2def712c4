import type { Command } from 'commander';
import { UserError } from '../../errors.js';
import { skillRequest, type CliContext } from '../commandLine.js';

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
