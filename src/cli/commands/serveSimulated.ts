import type { Command } from 'commander';
import { UserError } from '../../errors.js';
import type { CliContext } from '../commandLine.js';

/** What the server is started with; the composition root fits it to the real one. */
export interface ServeRequest {
  readonly port: number;
  readonly latencyMs: number;
  readonly requestsPerMinute: number | undefined;
  readonly seed: number;
  readonly lapseRate: number;
  readonly faults: Readonly<Record<string, number | boolean | 'expired'>>;
}

export interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

const faultOptions = ['rate429', 'rate500', 'reset', 'truncatedStream', 'stall', 'malformed', 'empty'] as const;
const switches = ['auth', 'quota', 'wrongModel'] as const;

/** `whetstone serve-simulated`: the simulated model as an OpenAI-compatible endpoint on this machine. */
export function addServeSimulated(
  program: Command,
  face: CliContext,
  start: (request: ServeRequest) => Promise<RunningServer>,
): void {
  const command = program
    .command('serve-simulated')
    .description(
      'serve the simulated model over HTTP as an OpenAI-compatible endpoint, with faults by flag, until interrupted',
    )
    .option('--port <number>', 'the port (0: any that is free)', '4010')
    .option('--latency <ms>', 'how long an answer takes', '0')
    .option('--rpm <number>', 'answer 429 above this many requests a minute')
    .option('--seed <number>', 'the seed of model and faults', '1')
    .option('--lapse <share>', 'how often an instruction is not followed, 0..1', '0');
  for (const name of faultOptions) command.option(`--${name} <share>`, `how often a call fails this way, 0..1`);
  for (const name of switches) command.option(`--${name}`, 'every call fails this way');
  command.action(async (options: Readonly<Record<string, string | boolean | undefined>>) => {
    const server = await start(requestOf(options));
    face.terminal.out(`${server.url}\n`);
    face.terminal.err('The simulated model is being served. Ctrl+C ends it.\n');
    await new Promise<void>((resolve) => face.signal.addEventListener('abort', () => resolve(), { once: true }));
    await server.stop();
  });
}

function requestOf(options: Readonly<Record<string, string | boolean | undefined>>): ServeRequest {
  const rates = faultOptions.flatMap((name) =>
    options[name] === undefined ? [] : [[name, numberOf(name, options[name])] as const],
  );
  const always = switches.flatMap((name) =>
    options[name] === true ? [[name, name === 'auth' ? 'expired' : true] as const] : [],
  );
  return {
    port: numberOf('port', options['port']),
    latencyMs: numberOf('latency', options['latency']),
    requestsPerMinute: options['rpm'] === undefined ? undefined : numberOf('rpm', options['rpm']),
    seed: numberOf('seed', options['seed']),
    lapseRate: numberOf('lapse', options['lapse']),
    faults: Object.fromEntries([...rates, ...always]),
  };
}

function numberOf(name: string, value: string | boolean | undefined): number {
  const number = Number(value);
  if (typeof value !== 'string' || value === '' || !Number.isFinite(number) || number < 0) {
    throw new UserError(
      'usage',
      `--${name} takes a number, not “${String(value)}”.`,
      'See whetstone serve-simulated --help.',
    );
  }
  return number;
}
