import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readCaps } from '../../src/cli/caps.js';
import { consentBy } from '../../src/cli/consent.js';
import { readPrices } from '../../src/cli/prices.js';
import { oneLine, openTerminal } from '../../src/cli/terminal.js';
import { runProgram } from '../../src/cli/program.js';
import type { Clock } from '../../src/ports/clock.js';
import { nodeClock } from '../../src/storage/files/nodeAdapters.js';
import { agentAccess } from '../../src/app/models/agentAccess.js';
import { namesByHand } from '../../src/app/handoff/handoffSpec.js';
import { examineChosen } from '../../src/app/models/checkConnection.js';
import { chooseModels } from '../../src/app/models/chooseModels.js';
import { createUseCases } from '../../src/app/useCases.js';
import { worldSandbox } from './aSandbox.js';

/** What a command printed, and how it ended. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A workspace and a user state of their own, and the command line to work on them. */
export interface CommandLine {
  readonly folder: string;
  readonly home: string;
  run(...words: readonly string[]): Promise<CommandResult>;
  dispose(): void;
}

interface CommandLineParts {
  readonly copy?: string;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** A folder that holds `workspace` and `home` already, and is left alone by `dispose`. */
  readonly at?: { readonly base: string };
  /** What is asked where no command names a model: the simulated one, unless it is said that nobody is. */
  readonly model?: 'simulated' | 'none';
  /** Beside what this process has. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What a person at the terminal writes, line by line; nobody is there without it. */
  readonly answers?: readonly string[] | undefined;
  /** Where programs run; see `worldSandbox`. */
  readonly programs?: 'sandbox' | 'bare' | undefined;
  /** What stands on standard input. */
  readonly input?: string;
  /** The skills below a folder; the folder itself where nothing is said. */
  readonly findSkills?: (folder: string) => Promise<readonly string[]>;
}

/** The command line in this process, on the simulated model, in a throw-away folder. */
export function aCommandLine(parts: CommandLineParts = {}): CommandLine {
  const { copy, signal, clock = nodeClock, at, findSkills } = parts;
  const answers = parts.answers === undefined ? undefined : [...parts.answers];
  const base = at?.base ?? mkdtempSync(path.join(tmpdir(), 'whetstone-cli-'));
  const folder = path.join(base, 'workspace');
  const home = path.join(base, 'home');
  if (at === undefined) cpSync(copy ?? path.resolve('test/fixtures/workspaces/probe'), folder, { recursive: true });
  return {
    folder,
    home,
    run: async (...words) => {
      const printed = { out: '', err: '' };
      let exitCode = 0;
      const terminal = openTerminal({
        color: false,
        live: false,
        columns: 100,
        out: (text: string): void => void (printed.out += text),
        err: (text: string): void => void (printed.err += text),
        readLine: answers === undefined ? undefined : () => Promise.resolve(answers.shift() ?? '?'),
        readKey: answers === undefined ? undefined : () => Promise.resolve(answers.shift() ?? 'q'),
      });
      const environment = { ...process.env, WHETSTONE_HOME: home, ...parts.environment };
      const code = await runProgram(
        {
          face: {
            terminal,
            cwd: folder,
            signal: signal ?? new AbortController().signal,
            open: (models) => {
              const all = models.model ?? (parts.model === 'none' ? undefined : 'simulated');
              const specs = {
                target: models.target ?? all,
                optimizer: models.optimizer ?? all,
                judge: models.judge ?? all,
              };
              const { allowsLogin, ...allowed } = consentBy(models, terminal);
              const here = {
                environment,
                platform: process.platform,
                home,
                clock,
                trusted: () => true,
                ...worldSandbox(parts.programs),
              };
              const agents = agentAccess({ world: here, ask: allowsLogin, workspace: () => [folder] });
              const surroundings = { environment, fetch: globalThis.fetch, agents };
              return createUseCases({
                ...here,
                models: (stop) => chooseModels(specs, surroundings, stop),
                target: () => specs.target,
                byHand: () => namesByHand(specs),
                examine: (around, abort) =>
                  examineChosen(
                    specs,
                    { ...surroundings, clock, remoteName: undefined, proxyAware: false },
                    around,
                    abort,
                  ),
                ...allowed,
                caps: () => models.caps ?? readCaps(models.cap ?? []),
                prices: () => readPrices(models.price ?? []),
                tell: (note) => terminal.err(`${oneLine(note)}\n`),
              });
            },
            exit: (wanted) => void (exitCode = wanted),
            demoFolder: path.resolve('media/demo'),
          },
          version: '0.0.0',
          cli: path.resolve('dist/cli.js'),
          findSkills: findSkills ?? ((place) => Promise.resolve([place])),
          readInput: () => Promise.resolve(parts.input ?? ''),
          more: () => undefined,
        },
        words,
      );
      return { code: Math.max(code, exitCode), ...printed };
    },
    dispose: () => (at === undefined ? rmSync(base, { recursive: true, force: true }) : undefined),
  };
}

/** Every file below a folder with its bytes, but for Whetstone's own state: what must be as it was. */
export function snapshotOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.split(path.sep).includes('.whetstone'))
    .filter((file) => statSync(path.join(folder, file), { throwIfNoEntry: false })?.isFile() === true)
    .sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(path.join(folder, file)).toString('base64')]));
}
