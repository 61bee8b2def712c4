import { Command, CommanderError } from 'commander';
import { cureIn, messageOf, UserError, type UserErrorCode } from '../errors.js';
import type { CliContext } from './commandLine.js';
import { addCheck } from './commands/check.js';
import { addClean } from './commands/clean.js';
import { addDemo } from './commands/demo.js';
import { addDoctor } from './commands/doctor.js';
import { addEvaluate } from './commands/evaluate.js';
import { addGate } from './commands/gate.js';
import { addGather } from './commands/gather.js';
import { addNight } from './commands/night.js';
import { addOptimize } from './commands/optimize.js';
import { addPreview } from './commands/preview.js';
import { addProposalCommands } from './commands/proposals.js';
import { addReport } from './commands/report.js';
import { addRebase } from './commands/rebase.js';
import { addSchedule } from './commands/schedule.js';
import { addTasks } from './commands/tasks.js';
import { takeNames, type FindSkills } from './namedSkills.js';

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

/** Refusals say why and leave everything as it was; they are told apart from failures by their exit code. */
const refusals: readonly UserErrorCode[] = [
  'busy',
  'made-elsewhere',
  'run-not-resumable',
  'proposal-stale',
  'proposal-not-adoptable',
  'proposal-missing',
  'nothing-to-undo',
  'skill-changed',
  'usage',
  'workspace-untrusted',
  'leads-outside',
  'schedule-refused',
  'record-missing',
  'record-malformed',
  'record-other-model',
  'environment-refused',
  'preferences-not-allowed',
  'prompt-not-allowed',
];

/** Runs the command line and gives its exit code: 0 done, 1 failed, 2 refused. */
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
    })
    .showHelpAfterError('(add --help for what there is)');
  addOptimize(program, face);
  addEvaluate(program, face);
  addPreview(program, face);
  addProposalCommands(program, face, parts.findSkills);
  addNight(program, face, parts.findSkills);
  addRebase(program, face);
  addSchedule(program, face, parts);
  addDoctor(program, face, parts);
  addGather(program, face);
  addGate(program, face, parts.readInput);
  addTasks(program, face);
  addCheck(program, face, parts.findSkills);
  addReport(program, face);
  addClean(program, face);
  addDemo(program, face);
  parts.more(program);
  takeNames(program, face.cwd, parts.findSkills);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return 0;
  } catch (error) {
    return report(face, error);
  }
}

function report({ terminal, signal }: CliContext, error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (signal.aborted) {
    terminal.err('Cancelled. Every file is as it was.\n');
    return 1;
  }
  const words = `${messageOf(error)} ${cureIn(error)}`.trim().replaceAll(/\r\n|\n/g, '\n  '); // it forges no line of ours
  terminal.err(`${terminal.paint('red', 'whetstone:')} ${words}\n`);
  return error instanceof UserError && refusals.includes(error.code) ? 2 : 1;
}
