import { typedWord } from '../wording/shownText.js';
import type { Command } from 'commander';
import { layerOfSetting, presetNamed, presetNames } from '../engine/runOptions.js';
import type { SpendCap } from '../ports/spend.js';
import type { UseCases } from '../app/useCases.js';
import { listed, readCaps, wholeCap } from './caps.js';
import type { Consent } from './consent.js';
import type { Terminal } from './terminal.js';

/** What every command is given. */
export interface CliContext {
  readonly terminal: Terminal;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Opens the use cases with the models that the options name; `simulated` where a command asks for it. */
  readonly open: (models: ModelOptions) => UseCases;
  readonly exit: (code: number) => void;
  /** The demo workspace that ships with the program. */
  readonly demoFolder: string;
}

/** Which model plays which role, and what may run or be said to it, as given on the command line. */
export interface ModelOptions extends Consent {
  readonly model?: string | undefined;
  readonly target?: string | undefined;
  readonly optimizer?: string | undefined;
  readonly judge?: string | undefined;
  /** `day.usd=1` and the like, as typed. */
  readonly cap?: readonly string[] | undefined;
  /** `my-model=0.5/1.5` and the like, as typed. */
  readonly price?: readonly string[] | undefined;
  /** The queue that attempts and judgements are made on, and the file of its secret. */
  readonly queue?: string | undefined;
  readonly secretFile?: string | undefined;
  /** Caps that an installed schedule brings along. */
  readonly caps?: { readonly day: SpendCap; readonly month: SpendCap } | undefined;
}

export interface RunCommandOptions extends ModelOptions {
  readonly json?: boolean;
  readonly root?: string;
  readonly preset: string;
  readonly set: readonly string[];
  readonly seed?: string;
  readonly rule?: string;
  readonly maxCalls?: string;
  readonly maxTokens?: string;
}

/** Options of every command that makes a run. */
export function withRunOptions(command: Command): Command {
  return withModelOptions(command)
    .option('--json', 'print one JSON object instead of text')
    .option('--root <folder>', 'the folder whose .whetstone holds proposals and runs')
    .option('--preset <name>', `one of ${presetNames.join(', ')}`, 'standard')
    .option('--set <name=value>', 'set an option of the run, such as train.epochs=2 (repeatable)', collect, [])
    .option('--seed <number>', 'the seed of batches and of the simulated model')
    .option('--rule <rule>', 'how the gate decides: confident, strict or off')
    .option('--max-calls <number>', 'end the run before it makes more model calls')
    .option('--max-tokens <number>', 'end the run before it uses more tokens')
    .option('--allow-programs', 'let the programs that tasks declare run as they are now; remembered for that content');
}

/** Of the commands that score a skill. */
export const freshHelp = 'ask the models anew instead of taking answers that are stored on this machine';

export function withModelOptions(command: Command): Command {
  return command
    .option(
      '--model <model>',
      'the model for all roles, such as simulated, claude-code, ollama/llama3.2 or openai/gpt-5-mini; handoff: you answer',
    )
    .option('--target <model>', 'the model whose skill is trained')
    .option('--optimizer <model>', 'the model that reflects on failures')
    .option('--judge <model>', 'the model that grades')
    .option(
      '--cap <limit>',
      'spend no more, such as run.tokens=50000, day.usd=1 or month.minutes=600 (repeatable)',
      collect,
      [],
    )
    .option(
      '--price <price>',
      'what a model costs, US dollars a million tokens in and out: my-model=0.5/1.5 (repeatable)',
      collect,
      [],
    )
    .option(
      '--queue <address>',
      'make attempts and judgements on the workers of a queue, such as redis://localhost:6379',
    )
    .option('--secret-file <file>', 'the file with the secret that both sides of the queue were given')
    .option(
      '--allow-login',
      'let your login to the agent program that is the model be used; remembered for the program',
    )
    .option('--allow-prompts', 'use the prompts in .whetstone/prompts as they are now; remembered for that text')
    .option(
      '--allow-preferences',
      'say the preferences of the workspace to the optimizer as they are now; remembered for that text',
    );
}

/** A run request out of a path and the options of a command. */
export function runRequest(
  face: CliContext,
  skillPath: string,
  options: RunCommandOptions,
): Omit<Parameters<UseCases['optimize']>[0], 'purpose'> {
  return {
    ...skillRequest(face, skillPath, options),
    preset: presetNamed(options.preset),
    settings: [...options.set.map(layerOfSetting), ...shortcuts(options)],
    trusted: true,
  };
}

export function skillRequest(
  face: CliContext,
  skillPath: string,
  options: { readonly root?: string },
): Parameters<UseCases['overview']>[0] {
  return { skillPath, workspaceFolders: [], explicitRoot: options.root, cwd: face.cwd };
}

/** The caps of a run: those of the environment, and those of the command, which win. */
export function runCaps({ cap = [] }: Pick<ModelOptions, 'cap'>): SpendCap {
  return readCaps([...listed(process.env['WHETSTONE_CAPS']), ...cap]).run;
}

function shortcuts(options: RunCommandOptions): readonly Readonly<Record<string, unknown>>[] {
  const pairs: readonly (readonly [string | undefined, string])[] = [
    [options.seed, 'train.seed'],
    [options.rule, 'gate.rule'],
    [wholeCap('--max-calls', options.maxCalls)?.toString(), 'caps.calls'],
    [wholeCap('--max-tokens', options.maxTokens)?.toString(), 'caps.tokens'],
  ];
  const run = runCaps(options);
  const given = pairs.flatMap(([value, name]) => (value === undefined ? [] : [layerOfSetting(`${name}=${value}`)]));
  return [{ caps: run }, ...given];
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** The options that name these models once more: a server that was given by its address is not found by its name. */
export function modelWords({ model, target, optimizer, judge }: RunCommandOptions): string {
  const roles = Object.entries({ model, target, optimizer, judge });
  return roles.flatMap(([role, spec]) => (spec === undefined ? [] : [` --${role} ${typedWord(spec)}`])).join('');
}

/** The same with what else a run was given: how it is made, where it is kept, and what holds it. */
export function runWords(options: RunCommandOptions & { readonly consolidate?: boolean }): string {
  const { root, preset, set, seed, rule, cap = [], price = [], maxCalls, maxTokens } = options;
  const pairs: readonly (readonly [string, string | undefined])[] = [
    ['root', root],
    ['preset', preset === 'standard' ? undefined : preset],
    ...set.map((each) => ['set', each] as const),
    ['seed', seed],
    ['rule', rule],
    ...cap.map((each) => ['cap', each] as const),
    ...price.map((each) => ['price', each] as const),
    ['max-calls', maxCalls],
    ['max-tokens', maxTokens],
  ];
  const given = pairs.flatMap(([name, value]) => (value === undefined ? [] : [` --${name} ${typedWord(value)}`]));
  return [options.consolidate === true ? ' --consolidate' : '', ...given, modelWords(options)].join('');
}
