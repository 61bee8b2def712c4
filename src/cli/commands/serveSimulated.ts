import { Option, type Command } from 'commander';
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

/** Faults that come by chance, each with its flag and what then happens. */
const faultOptions = [
  ['rate429', 'rate-429', 'a call is answered with “too many requests” (429)'],
  ['rate500', 'rate-500', 'a call is answered with a server error (500)'],
  ['reset', 'reset', 'the connection is cut before the answer'],
  ['truncatedStream', 'truncated-stream', 'a streamed answer breaks off in the middle'],
  ['stall', 'stall', 'an answer stops in the middle and the connection stays open'],
  ['malformed', 'malformed', 'an answer is no valid JSON'],
  ['empty', 'empty', 'an answer is empty'],
] as const;

/** Faults of every call. */
const switches = [
  ['auth', 'auth', 'every call is refused: the key has expired'],
  ['quota', 'quota', 'every call is refused: the quota is used up'],
  ['wrongModel', 'wrong-model', 'every call is refused: the model is not known'],
] as const;

/** `whetstone serve-simulated`: the simulated model as a server on this machine. */
export function addServeSimulated(
  program: Command,
  face: Pick<CliContext, 'terminal' | 'signal'>,
  start: (request: ServeRequest) => Promise<RunningServer>,
): void {
  const command = program
    .command('serve-simulated')
    .description(
      'serve the simulated model over HTTP as OpenAI, Anthropic and Google do, with faults by flag, until interrupted',
    )
    .option('--port <number>', 'the port (0: any that is free)', '4010')
    .option('--latency <ms>', 'how long an answer takes', '0')
    .option('--rpm <number>', 'answer 429 above this many requests a minute')
    .option('--seed <number>', 'the seed of model and faults', '1')
    .option('--lapse <share>', 'how often an instruction is not followed, 0..1', '0');
  for (const [name, flag, what] of faultOptions) {
    command.option(`--${flag} <share>`, `how often ${what}, 0..1`);
    if (flag !== name) command.addOption(new Option(`--${name} <share>`).hideHelp()); // as it was spelt before
  }
  for (const [name, flag, what] of switches) {
    command.option(`--${flag}`, what);
    if (flag !== name) command.addOption(new Option(`--${name}`).hideHelp());
  }
  command.action(async (options: Readonly<Record<string, string | boolean | undefined>>) => {
    const server = await start(requestOf(options));
    face.terminal.out(`${server.url}\n`);
    face.terminal.err(`The simulated model is being served. Ctrl+C ends it.\n${forPrograms(server.url)}\n`);
    await new Promise<void>((resolve) => face.signal.addEventListener('abort', () => resolve(), { once: true }));
    await server.stop();
  });
}

/** Which address each agent program wants of it, with any key of 16 characters or more, and the one model that it has. */
function forPrograms(url: string): string {
  const root = url.replace(/\/v1$/u, '');
  const server = `{"baseURL":"${root}/v1","apiKey":"simulated-key-0001"}`;
  const provider = `{"npm":"@ai-sdk/openai-compatible","options":${server},"models":{"simulated-1":{}}}`;
  return [
    'For an agent program as the model, set its address and any key, and name the model as here:',
    `  claude-code/simulated-1    ANTHROPIC_BASE_URL=${root} ANTHROPIC_API_KEY=simulated-key-0001`,
    `  codex/simulated-1          WHETSTONE_CODEX_BASE_URL=${root}/v1 CODEX_API_KEY=simulated-key-0001`,
    `  copilot-cli/simulated-1    COPILOT_PROVIDER_BASE_URL=${root}/v1 COPILOT_PROVIDER_API_KEY=simulated-key-0001`,
    `  gemini-cli/simulated-1     GOOGLE_GEMINI_BASE_URL=${root} GEMINI_API_KEY=simulated-key-0001`,
    `  opencode/here/simulated-1  OPENCODE_CONFIG_CONTENT='{"provider":{"here":${provider}}}'`,
  ].join('\n');
}

function requestOf(options: Readonly<Record<string, string | boolean | undefined>>): ServeRequest {
  const rates = faultOptions.flatMap(([name, flag]) => {
    const given = options[name];
    return given === undefined ? [] : [[name, numberOf(flag, given)] as const];
  });
  const always = switches.flatMap(([name]) =>
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
