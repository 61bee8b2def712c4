import type { Command } from 'commander';
import { UserError } from '../../errors.js';
import type { QueueState, WorkerLane, WorkerState } from '../../ports/queueState.js';
import type { CliContext, ModelOptions } from '../commandLine.js';
import { addAllow } from './workers/workerAllow.js';
import { typedWord } from '../../wording/shownText.js';
import { table } from '../table.js';
import { oneLine } from '../terminal.js';

/** What the composition root does with a queue, which is loaded only then. */
export interface QueuePrograms {
  /** Works until the command is interrupted. */
  readonly work: (wishes: WorkerRequest, began: (worker: WorkerState) => void) => Promise<void>;
  readonly look: (wishes: ModelOptions) => Promise<QueueState>;
  /** Carries calls of a window until its input ends. */
  readonly carry: (wishes: ModelOptions) => Promise<void>;
}

export interface WorkerRequest extends ModelOptions {
  readonly concurrency: number;
  readonly roles: string;
  readonly environments: string;
  /** The file with the programs that it may run. */
  readonly programs?: string | undefined;
  readonly lockMs: number;
  readonly metrics?: string | undefined;
  readonly name?: string | undefined;
  /** Told while it works and when it is ended, as whole sentences. */
  readonly tell: (line: string) => void;
}

const queueHelp =
  'the queue, such as redis://localhost:6379; one with a password belongs in WHETSTONE_QUEUE, because everybody on a machine sees the words of a command';
const secretHelp = 'the file with the secret that both sides of the queue were given';

/** `whetstone worker`: makes attempts and judgements that runs on other machines ask for. */
export function addWorker(program: Command, face: CliContext, { work }: QueuePrograms): void {
  const worker = program.command('worker');
  addAllow(worker, face);
  worker
    .description(
      'make attempts and judgements for runs on other machines, with the keys of this one, until interrupted',
    )
    .option('--model <model>', 'the model that it asks, named as the runs name it')
    .option('--target <model>', 'the model of the attempts, where it is another one')
    .option('--judge <model>', 'the model of the grades, where it is another one')
    .option('--queue <address>', queueHelp)
    .option('--secret-file <file>', secretHelp)
    .option(
      '--allow-login',
      'let your login to the agent program that is the model be used; remembered for the program',
    )
    .option('--concurrency <number>', 'jobs of each role and model at a time', '2')
    .option('--roles <roles>', 'what it does: target, judge', 'target,judge')
    .option(
      '--environments <kinds>',
      'chat: answers; agent: agent programs at work in a folder; program: programs of tasks and checks, in the sandbox',
      'chat',
    )
    .option('--programs <file>', 'the list of programs that it may run, as “whetstone worker allow” writes it')
    .option('--lock <seconds>', 'a worker that has not been heard of for so long has lost its job', '30')
    .option(
      '--metrics <port>',
      'serve figures for Prometheus at /metrics, on this machine alone unless host:port is given',
    )
    .option('--name <name>', 'how the worker is called; host and process id where it is left out')
    .action(async (options: WorkerOptions) => {
      const concurrency = positive('--concurrency', options.concurrency);
      const lockMs = positive('--lock', options.lock) * 1_000;
      const { terminal } = face;
      refuseWithoutList(options);
      warnOfPassword(face, options);
      const tell = (line: string): void => terminal.err(`${oneLine(line)}\n`);
      await work({ ...options, concurrency, lockMs, tell }, ({ name, lanes, noPrograms }) => {
        if (noPrograms !== undefined) terminal.err(`${oneLine(noPrograms)}\n`);
        const served = lanes.map((lane) => `${lane.role} (${lane.environment}) on ${placedModel(lane)}`);
        terminal.err(
          `${oneLine(`${name} works: ${served.join(', ')}; ${concurrency} at a time each. Ctrl+C ends it.`)}\n`,
        );
      });
    });
}

interface WorkerOptions extends ModelOptions {
  readonly concurrency: string;
  readonly roles: string;
  readonly environments: string;
  readonly programs?: string;
  readonly lock: string;
  readonly metrics?: string;
  readonly name?: string;
}

/** Nothing runs that nobody listed. */
function refuseWithoutList({ environments, programs }: Pick<WorkerOptions, 'environments' | 'programs'>): void {
  if (!environments.split(',').some((kind) => kind.trim() === 'program') || programs !== undefined) return;
  throw new UserError(
    'usage',
    'A worker runs only programs that are in its list, and no list is named.',
    'Make one with “whetstone worker allow <skill> --file <file>”, and name it with --programs <file>.',
  );
}

/** It works all the same: the words of a command are no secret on a machine of one's own alone. */
function warnOfPassword({ terminal }: CliContext, { queue = '' }: ModelOptions): void {
  const url = URL.canParse(queue) ? new URL(queue) : undefined;
  if (url === undefined || url.password === '') return;
  terminal.err('Others on this machine can see the password in the words of this command: WHETSTONE_QUEUE keeps it.\n');
}

function positive(option: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new UserError(
    'usage',
    `${option} takes a whole number above 0, not “${text}”.`,
    'See whetstone worker --help.',
  );
}

/** `whetstone queue`: who works, what waits, and what failed where. */
export function addQueue(program: Command, face: CliContext, { look, carry }: QueuePrograms): void {
  program
    .command('queue')
    .description('show who works on a queue, what waits, and which jobs failed where and why')
    .option('--queue <address>', queueHelp)
    .option('--secret-file <file>', secretHelp)
    .option('--json', 'print one JSON object instead of text')
    .option('--calls', 'carry calls of a VS Code window to the queue: lines of JSON on standard input and output')
    .action(async ({ json, calls, ...options }: QueueOptions) => {
      if (calls === true) return carry(options);
      warnOfPassword(face, options);
      const state = await look(options);
      if (json === true) face.terminal.json({ ...state });
      else face.terminal.out(`${queueText(state, options)}\n`);
    });
}

interface QueueOptions extends ModelOptions {
  readonly json?: boolean;
  readonly calls?: boolean;
}

function queueText(
  { workers, lanes, failures, otherSecret = 0, otherClock = 0 }: QueueState,
  options: ModelOptions,
): string {
  const refused = workers.flatMap(({ name, refused: by }) =>
    Object.entries(by).map(([why, times]) => `${name} refused ${times} ${times === 1 ? 'job' : 'jobs'} as ${why}`),
  );
  const parts = [
    workers.length === 0
      ? nobodyText(otherSecret + otherClock, options)
      : table([workerHead, ...workers.map(workerRow)]),
    otherSecret === 0 ? '' : otherSecretText(otherSecret),
    otherClock === 0 ? '' : otherClockText(otherClock),
    lanes.length === 0 ? '' : table([laneHead, ...lanes.map(laneRow)]),
    workers
      .flatMap(({ name, noPrograms }) => (noPrograms === undefined ? [] : oneLine(`${name}: ${noPrograms}`)))
      .join('\n'),
    refused.map(oneLine).join('\n'),
    failures.map(failureLine).join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** What is there does not serve whoever has another secret. */
function otherSecretText(count: number): string {
  const there = count === 1 ? 'One worker is there that was' : `${count} workers are there that were`;
  return `${there} given another secret. Give all machines the same file with the secret (--secret-file).`;
}

/** The same of whoever lives in another time. */
function otherClockText(count: number): string {
  const there = count === 1 ? 'One worker is there whose clock is' : `${count} workers are there whose clocks are`;
  return `${there} more than a minute behind the one of this machine. Set the clocks of all machines.`;
}

/** With the command that starts one, where no other mistake is told. */
function nobodyText(mistaken: number, { queue, secretFile }: ModelOptions): string {
  const nobody = 'No worker is there.';
  if (mistaken > 0) return nobody;
  const address = queue === undefined || queue.includes('@') ? [] : ['--queue', queue];
  const secret = secretFile === undefined ? [] : ['--secret-file', secretFile];
  const words = ['whetstone worker', ...[...address, ...secret].map(typedWord), '--model openai/gpt-5-mini'];
  return `${nobody} Start one where the key of the model is, named as the runs name it: ${words.join(' ')}`;
}

const workerHead = ['worker', 'since', 'at a time', 'active', 'answered', 'failed'];

function workerRow({ name, startedAt, concurrency, lanes }: WorkerState): readonly string[] {
  const sum = (of: 'active' | 'answered' | 'failed'): string =>
    String(lanes.reduce((total, lane) => total + lane[of], 0));
  return [name, timeOf(startedAt), String(concurrency), sum('active'), sum('answered'), sum('failed')];
}

const laneHead = ['role', 'kind', 'model', 'workers', 'waiting', 'active', 'failed', 'answers a minute'];

function laneRow(lane: QueueState['lanes'][number]): readonly string[] {
  const { role, environment, workers, waiting, active, failed, answeredLastMinute } = lane;
  return [role, environment, placedModel(lane), ...[workers, waiting, active, failed, answeredLastMinute].map(String)];
}

/** With the address, where the same name may be another model elsewhere. */
function placedModel({ model, server }: Pick<WorkerLane, 'model' | 'server'>): string {
  return server === undefined ? model : `${model} at ${server}`;
}

function failureLine({ at, worker, model, why }: QueueState['failures'][number]): string {
  return oneLine(`${timeOf(at)} ${worker}, ${model}: ${why}`);
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
