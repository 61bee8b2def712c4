import { Command, CommanderError, Help, Option } from 'commander';
import { AnswersAwaited, cureIn, messageOf, UserError } from '../errors.js';
import { ownCure } from '../wording/ownCure.js';
import type { CliContext } from './commandLine.js';
import { addCheck } from './commands/check.js';
import { addClean } from './commands/clean.js';
import { addNew } from './commands/newSkill.js';
import { addCompletion } from './commands/completion.js';
import { addDemo } from './commands/demo.js';
import { addDoctor } from './commands/doctor.js';
import { addEvaluate } from './commands/evaluate.js';
import { addGate } from './commands/gate.js';
import { addGather } from './commands/gather.js';
import { addHandoff } from './commands/handoff.js';
import { addJudge } from './commands/tasks/judge.js';
import { addMeta, addRejected } from './commands/meta.js';
import { addNight } from './commands/night.js';
import { addOptimize } from './commands/optimize.js';
import { addPrice } from './commands/price.js';
import { addPreview } from './commands/preview.js';
import { addProposalCommands } from './commands/proposals.js';
import { addReport } from './commands/report.js';
import { addRebase } from './commands/rebase.js';
import { addSchedule } from './commands/schedule.js';
import { addTasks } from './commands/tasks/tasks.js';
import { addLogins, addMachine, addSandbox, addScripts, addSecrets } from './commands/trust.js';
import { addHarvest } from './commands/sessions/harvest.js';
import { addMine } from './commands/sessions/mine.js';
import { addUsage } from './commands/sessions/usage.js';
import { exitCodeOf } from './exitCode.js';
import { takeNames, type FindSkills } from './namedSkills.js';
import { oneLine } from './terminal.js';

export interface ProgramParts {
  readonly face: CliContext;
  readonly version: string;
  /** The file of the command line itself: what an installed schedule gets a copy of. */
  readonly cli: string;
  readonly findSkills: FindSkills;
  readonly readInput: () => Promise<string>;
  /** Commands that the composition root adds, because they need what the command line may not import. */
  readonly more: (program: Command) => void;
}

const examples = `
Examples:
  $ whetstone demo                                     train a demo skill, offline and free
  $ whetstone status                                   where the skills below this folder stand
  $ whetstone tasks draft code-review                  draft tasks for a skill; confirm the good ones
  $ whetstone optimize code-review --model openai/gpt-5-mini --cap run.usd=1
  $ whetstone adopt code-review --edits E1,E3          take two of the proposed edits

Environment:
  WHETSTONE_MODEL   the model where --model is not given
  WHETSTONE_CAPS    caps as in --cap, separated by commas
  WHETSTONE_PRICES  what models cost as in --price, separated by commas
  WHETSTONE_WORKERS how many model calls go on at the same time
  WHETSTONE_QUEUE   the queue where --queue is not given; its secret: WHETSTONE_QUEUE_SECRET
  WHETSTONE_HOME    where your own state lies
  OPENAI_API_KEY and the like: keys of model servers; NO_COLOR: no colours`;

/** An option that can be repeated begins with nothing, which nobody has to be told. */
function optionDescription(option: Option): string {
  const isNothing = Array.isArray(option.defaultValue) && option.defaultValue.length === 0;
  return new Help().optionDescription(isNothing ? new Option(option.flags, option.description) : option);
}

/** Runs the command line and gives its exit code: 0 done, 1 failed, 2 refused, 3 waiting for answers by hand. */
export async function runProgram(parts: ProgramParts, words: readonly string[]): Promise<number> {
  const { face } = parts;
  const program = new Command('whetstone')
    .description(
      'Trains agent skills: replays a skill’s tasks, proposes a few bounded edits, and accepts them only if held-out tasks prove them better.',
    )
    .version(parts.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => face.terminal.out(text),
      writeErr: (text) => face.terminal.err(text),
      outputError: (text, write) => write(`${oneLine(text)}\n`),
    })
    .showHelpAfterError('(add --help for what there is)')
    .configureHelp({ optionDescription })
    .addHelpText('after', examples);
  program.commandsGroup('Train and measure:');
  addOptimize(program, face);
  addEvaluate(program, face);
  addHandoff(program, face, parts.findSkills);
  addGather(program, face);
  addCheck(program, face, parts.findSkills);
  addJudge(program, face);
  addPreview(program, face);
  addMeta(program, face, parts.readInput);
  addRejected(program, face);
  program.commandsGroup('Decide on a proposal:');
  addProposalCommands(program, face, parts.findSkills);
  addRebase(program, face);
  addReport(program, face);
  program.commandsGroup('Tasks:');
  addNew(program, face);
  addTasks(program, face);
  addHarvest(program, face);
  addMine(program, face, parts.findSkills);
  addUsage(program, face, parts.findSkills);
  program.commandsGroup('Nights:');
  addNight(program, face, parts.findSkills);
  addSchedule(program, face, parts);
  addHousekeeping(program, parts);
  takeNames(program, face.cwd, parts.findSkills);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return 0;
  } catch (error) {
    return isOwnWord(words, error) ? Math.max(2, report(face, error)) : report(face, error);
  }
}

function addHousekeeping(program: Command, parts: ProgramParts): void {
  const { face } = parts;
  program.commandsGroup('Help and housekeeping:');
  addDemo(program, face);
  addDoctor(program, face, parts);
  addPrice(program, face);
  addGate(program, face, parts.readInput);
  addSandbox(program, face);
  addMachine(program, face);
  addScripts(program, face);
  addLogins(program, face);
  addSecrets(program, face);
  addClean(program, face);
  parts.more(program);
  addCompletion(program, face);
}

/** An option that is wrong where `--set` names it is bad usage; one that a file of the workspace says is a failure. */
function isOwnWord(words: readonly string[], error: unknown): boolean {
  if (!(error instanceof UserError) || error.code !== 'options-malformed') return false;
  const said = words.flatMap((word, at) => (words[at - 1] === '--set' ? [word] : word.split(/^--set=/).slice(1)));
  return said.some((setting) => error.message.includes(`“${setting.split('=')[0] ?? ''}`));
}

function report({ terminal, signal }: CliContext, error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (signal.aborted) {
    terminal.err('Cancelled. Every file is as it was.\n');
    return 1;
  }
  const words = oneLine(`${messageOf(error)} ${ownCure(cureIn(error), 'terminal')}`); // names stand in it: it forges no line of ours
  // What waits for answers is no failure.
  const mark = error instanceof AnswersAwaited ? '' : `${terminal.paint('red', 'whetstone:')} `;
  terminal.err(`${mark}${words}\n`);
  return exitCodeOf(error);
}
