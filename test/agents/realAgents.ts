import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { agentKinds } from '../../src/models/agents/agentKinds.js';
import type { AgentKind } from '../../src/models/agents/agentKind.js';
import { createAgentModel } from '../../src/models/agents/agentModel.js';
import { inspectAgent } from '../../src/models/agents/inspectAgent.js';
import type { AgentId, AgentPrograms } from '../../src/ports/agentPrograms.js';
import type { Workplaces } from '../../src/ports/workplace.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { nodeAgentPrograms } from '../../src/storage/programs/agentPrograms.js';
import { FakeAgentConsent } from '../fakes/AgentStandIn.js';
import { AgentServer } from './AgentServer.js';
import type { WireCall } from './wireFormats.js';

/** What a test needs to know of a real program beside its kind. */
interface RealAgent {
  readonly model: string;
  /** How it is pointed at a server, with a key. */
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  /** A shell, a read and a write call in its own words. */
  readonly calls: (place: { readonly secret: string; readonly written: string }) => readonly WireCall[];
  /** How its model runs a command, and how it loads a skill that it is offered. */
  readonly run: (command: string) => WireCall;
  readonly load: (skill: string) => WireCall;
}

const key = 'sk-planted-key-0123456789abcdef';

export const realAgents: Readonly<Partial<Record<AgentId, RealAgent>>> = {
  'claude-code': {
    model: 'claude-sonnet-5',
    environment: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key }),
    calls: ({ secret, written }) => [
      { name: 'Bash', input: { command: `cat ${secret} > ${written}`, description: 'copy' } },
      { name: 'Read', input: { file_path: secret } },
      { name: 'Write', input: { file_path: written, content: 'x' } },
    ],
    run: (command) => ({ name: 'Bash', input: { command, description: 'a step' } }),
    load: (skill) => ({ name: 'Skill', input: { skill } }),
  },
  codex: {
    model: 'gpt-5.5',
    environment: (url) => ({ WHETSTONE_CODEX_BASE_URL: `${url}/v1`, CODEX_API_KEY: key }),
    calls: ({ secret, written }) => [
      { name: 'exec_command', input: { cmd: `cat ${secret} > ${written}` } },
      { name: 'shell', input: { command: ['sh', '-c', `cat ${secret} > ${written}`] } },
      { name: 'exec', input: `text(await tools.exec_command({ cmd: "cat ${secret} > ${written}" }))` },
      { name: 'view_image', input: { path: secret } },
      { name: 'apply_patch', input: `*** Begin Patch\n*** Add File: ${written}\n+x\n*** End Patch` },
    ],
    run: (cmd) => ({ name: 'exec_command', input: { cmd } }),
    load: (skill) => ({ name: 'exec_command', input: { cmd: `cat .agents/skills/${skill}/SKILL.md` } }),
  },
  'copilot-cli': {
    model: 'gpt-5',
    environment: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: key,
      COPILOT_CACHE_HOME: path.join(installFolder(), 'copilot-cache'),
    }),
    calls: ({ secret, written }) => [
      { name: 'bash', input: { command: `cat ${secret} > ${written}`, description: 'copy' } },
      { name: 'view', input: { path: secret } },
      { name: 'create', input: { path: written, file_text: 'x' } },
    ],
    run: (command) => ({ name: 'bash', input: { command, description: 'a step' } }),
    load: (skill) => ({ name: 'skill', input: { skill } }),
  },
  'gemini-cli': {
    model: 'gemini-2.5-pro',
    environment: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key }),
    calls: ({ secret, written }) => [
      { name: 'run_shell_command', input: { command: `cat ${secret} > ${written}`, description: 'copy' } },
      { name: 'read_file', input: { file_path: secret } },
      { name: 'write_file', input: { file_path: written, content: 'x' } },
    ],
    run: (command) => ({ name: 'run_shell_command', input: { command, description: 'a step' } }),
    load: (name) => ({ name: 'activate_skill', input: { name } }),
  },
  opencode: {
    model: 'whetstone/fake',
    environment: (url) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          whetstone: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: key },
            models: { fake: { name: 'Fake' }, 'simulated-1': { name: 'Simulated' } },
          },
        },
        instructions: ['PLANTED'],
      }),
    }),
    calls: ({ secret, written }) => [
      { name: 'bash', input: { command: `cat ${secret} > ${written}`, description: 'copy' } },
      { name: 'read', input: { filePath: secret } },
      { name: 'write', input: { filePath: written, content: 'x' } },
    ],
    run: (command) => ({ name: 'bash', input: { command, description: 'a step' } }),
    load: (name) => ({ name: 'skill', input: { name } }),
  },
};

/** Those of the kinds that `npm run test:agents` installs. */
export const installedKinds: readonly AgentKind[] = agentKinds.filter(({ id }) => realAgents[id] !== undefined);

function installFolder(): string {
  const folder = process.env['WHETSTONE_AGENTS'];
  if (folder === undefined) throw new Error('These tests are run by “npm run test:agents”.');
  return folder;
}

/** Not in memory where tests may be told to keep things: inside of the sandbox nothing of /dev is there. */
const temporary = process.platform === 'linux' ? '/tmp' : os.tmpdir();

/** A person's machine with the real program, and a server that it is pointed at. */
export class AgentMachine {
  readonly home: string;
  readonly environment: Record<string, string>;
  readonly kind: AgentKind;
  readonly server: AgentServer;
  /** How often the program was started to answer. */
  starts = 0;
  readonly #folder: string;

  private constructor(kind: AgentKind, server: AgentServer) {
    this.kind = kind;
    this.server = server;
    this.#folder = realpathSync(mkdtempSync(path.join(temporary, 'whetstone-real-')));
    this.home = path.join(this.#folder, 'home');
    mkdirSync(this.home);
    this.environment = {
      PATH: [this.#linked(), '/usr/bin', '/bin'].join(path.delimiter),
      HOME: this.home,
      // Whatever else it tries to reach is noted by the server, and refused.
      HTTPS_PROXY: server.url,
      HTTP_PROXY: server.url,
      NO_PROXY: '127.0.0.1,localhost',
      ...realAgents[kind.id]?.environment(server.url),
    };
  }

  /** The programs, linked to from a folder outside of this repository: nothing of the folder that we work in is run. */
  #linked(): string {
    const [bin, installed] = [path.join(this.#folder, 'bin'), path.join(installFolder(), 'node_modules', '.bin')];
    mkdirSync(bin);
    for (const name of readdirSync(installed)) symlinkSync(path.join(installed, name), path.join(bin, name));
    return bin;
  }

  static async start(kind: AgentKind): Promise<AgentMachine> {
    return new AgentMachine(kind, await AgentServer.start());
  }

  /** A file outside of everything that a call may see. */
  place(name: string, content?: string): string {
    const file = path.join(this.#folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    if (content !== undefined) writeFileSync(file, content);
    return file;
  }

  async model(
    limits = { firstByteMs: 60_000, idleMs: 60_000, totalMs: 120_000 },
    workplaces?: Workplaces,
  ): Promise<LanguageModel> {
    const { environment, kind } = this;
    const programs = this.#counted(nodeAgentPrograms({ environment, workspace: () => [] }));
    const sources = { environment, programs, consent: new FakeAgentConsent(), workplaces };
    const state = await inspectAgent(kind, sources, new AbortController().signal);
    if (state.kind !== 'ready') throw new Error(`${kind.label} is ${JSON.stringify(state)}`);
    this.starts = 0;
    return createAgentModel(kind, sources, { installed: state, model: realAgents[kind.id]?.model, limits });
  }

  #counted(programs: AgentPrograms): AgentPrograms {
    return {
      ...programs,
      run: (run, signal) => {
        const asks = this.kind.asks?.[0];
        return programs.run(
          {
            ...run,
            onLine: (line, from) => run.onLine(line, from),
            start: (folders) => {
              const start = run.start(folders);
              if (asks === undefined || start.arguments[0] !== asks) this.starts += 1;
              return start;
            },
          },
          signal,
        );
      },
    };
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
