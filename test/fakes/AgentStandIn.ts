import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AgentConsent } from '../../src/ports/agentPrograms.js';

interface StandInUsage {
  readonly input: number;
  readonly output: number;
}

/** What a stand-in for an agent program does when it is started. */
export type StandInBehaviour =
  | { readonly kind: 'cut'; readonly text: string }
  /** `told` is what it tells that the call took, in place of what it usually does. */
  | { readonly kind: 'answer'; readonly text: string; readonly told?: StandInUsage }
  | { readonly kind: 'late'; readonly ms: number }
  /** Asks a server that speaks Anthropic's form; after so many starts the login has run out. */
  | { readonly kind: 'relay'; readonly url: string; readonly starts?: number }
  | { readonly kind: 'status'; readonly status: number; readonly message?: string }
  | {
      readonly kind:
        | 'echo'
        | 'empty'
        | 'not-logged-in'
        | 'drop'
        | 'half'
        | 'silent-success'
        | 'hang'
        | 'deaf'
        | 'flood'
        | 'leaves-child'
        | 'bad-flag'
        | 'tool'
        | 'limit';
    };

/** How a stand-in was started. */
export interface StandInStart {
  readonly pid: number;
  readonly words: readonly string[];
  readonly input: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Of its fresh home, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** A person's machine with one stand-in installed: a home, a folder on the PATH, and what is in the environment. */
export class AgentStandIn {
  readonly home: string;
  readonly environment: Record<string, string>;
  readonly #folder: string;
  readonly #bin: string;

  /** `script` is one of test/fakes/agents, `command` the name that it is installed under. */
  constructor(script: string, command: string) {
    this.#folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-stand-in-')));
    this.#bin = path.join(this.#folder, 'bin');
    this.home = path.join(this.#folder, 'home');
    mkdirSync(this.#bin);
    mkdirSync(this.home);
    // Copies: a link would lead into the folder that tests are run in, where no program of a person lies.
    copyFileSync(path.resolve('test/fakes/agents', script), path.join(this.#bin, command));
    copyFileSync(path.resolve('test/fakes/agents/standIn.cjs'), path.join(this.#bin, 'standIn.cjs'));
    chmodSync(path.join(this.#bin, command), 0o755);
    this.environment = { PATH: [this.#bin, path.dirname(process.execPath)].join(path.delimiter), HOME: this.home };
    this.behaves({ kind: 'answer', text: 'Hello.' });
  }

  behaves(behaviour: StandInBehaviour): void {
    writeFileSync(path.join(this.#bin, 'behaviour.json'), JSON.stringify(behaviour));
  }

  /** A file of the person's home. */
  keeps(file: string, content: unknown): void {
    const place = path.join(this.home, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, typeof content === 'string' ? content : JSON.stringify(content));
  }

  starts(): readonly StandInStart[] {
    try {
      const lines = readFileSync(path.join(this.#bin, 'starts.jsonl'), 'utf8').trim().split('\n');
      return lines.map((line): StandInStart => JSON.parse(line));
    } catch {
      return [];
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A person who answers the question about their login always alike, and counts how often it was asked. */
export class FakeAgentConsent implements AgentConsent {
  asked = 0;
  readonly #allowed: boolean;

  constructor(allowed = true) {
    this.#allowed = allowed;
  }

  isAllowed(): boolean {
    return this.#allowed;
  }

  allows(): Promise<boolean> {
    this.asked += 1;
    return Promise.resolve(this.#allowed);
  }
}
