import type { ModelErrorKind } from '../../errors.js';
import type { AgentFolders, AgentId, AgentStart, WantedProgram } from '../../ports/agentPrograms.js';
import type { ModelUsage } from '../../ports/languageModel.js';
import type { PatienceLimits } from '../patience.js';

/** The person whose programs they are: what a login is found through. */
export interface AgentPerson {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** A file of theirs, as text; undefined where it is not there. */
  readonly read: (file: string) => Promise<string | undefined>;
}

/** How a program is paid: with a key, from a subscription, or not to its vendor at all. */
export type LoginKind = 'api-key' | 'subscription' | 'own-server';

/** What is handed over for one call: never a refresh token, and never in an argument. */
export interface AgentLogin {
  readonly kind: LoginKind;
  readonly variables: Readonly<Record<string, string>>;
  /** Of the fresh home. */
  readonly files?: Readonly<Record<string, string>>;
  /** What must not stand in any text. */
  readonly secrets: readonly string[];
  /** Where another server than the vendor's is asked: its address. */
  readonly server?: string | undefined;
}

/** A login that is there. */
export interface FoundLogin {
  readonly kind: LoginKind;
  /** When the access token runs out, in milliseconds since 1970; undefined where that is not known, or never. */
  readonly until?: number | undefined;
  readonly server?: string | undefined;
  /** True where it is what the program keeps for itself: it is used once the person allowed it. */
  readonly kept?: boolean | undefined;
  handOver(): AgentLogin;
}

export interface AgentAsk {
  /** Undefined: the program's own choice. */
  readonly model: string | undefined;
  /** Empty where there is none. */
  readonly system: string;
  readonly prompt: string;
  /** Of answer and thinking together; what programs are told that can be. */
  readonly maxOutputTokens: number;
  readonly login: AgentLogin;
  readonly folders: AgentFolders;
  /** What the program told when it was asked before its first call; empty where nothing is asked. */
  readonly told: string;
}

/** What a program said until it ended by itself. */
export interface AgentSaid {
  /** Its lines that are JSON objects, parsed; without the pieces of an answer. */
  readonly events: readonly AgentEvent[];
  /** Those pieces together, where the program tells them. */
  readonly written: string;
  /** All other lines of both outputs. */
  readonly words: string;
  readonly code: number;
  /** What it left in its home, by name. */
  readonly left: Readonly<Record<string, string>>;
}

export type AgentEvent = Readonly<Record<string, unknown>>;

/** Why there is no answer, as the program tells it. */
export interface AgentFailure {
  readonly kind: 'failed';
  readonly said: string;
  /** Of the server, where one answered. */
  readonly status?: number | undefined;
  /** Where that is known without a status. */
  readonly error?: ModelErrorKind | undefined;
  /** False where nothing ever left this machine. */
  readonly sent?: boolean | undefined;
  /** Where it may still say better what is wrong: how long it is let go on. */
  readonly graceMs?: number | undefined;
}

export type AgentOutcome =
  | {
      readonly kind: 'answered';
      readonly text: string;
      readonly usage: ModelUsage | undefined;
      /** True where the model's own limit cut it. */
      readonly cut?: boolean | undefined;
    }
  | AgentFailure;

/** Why a program is ended before it ends by itself: there is no answer, or what there is of it was cut at its limit. */
export type AgentStop = AgentFailure | { readonly kind: 'cut'; readonly text: string };

/** What it has said so far. */
export type AgentSoFar = Pick<AgentSaid, 'events' | 'words' | 'written'>;

/** As long as the models answer of programs that know no limit. */
export const longestAnswer = 128_000;

/** What one agent program is: the whole of it that the adapter does not share with the others. */
export interface AgentKind extends WantedProgram {
  readonly id: AgentId;
  readonly label: string;
  /** False where no test of ours has run the real program. */
  readonly tested: boolean;
  /** Names of models that it knows, for a menu; any other may be written. */
  readonly suggests?: readonly string[] | undefined;
  /** The oldest version that knows every switch used here. */
  readonly oldest: string;
  /** The line that installs it, and the one that logs in. */
  readonly install: string;
  readonly logIn: string;
  /** What a person types to see its models, in a terminal or in the program itself. */
  readonly listsModels: string;
  /** Variables that give a way in without a login of the person's: keys of its own, and servers. */
  readonly waysIn: readonly string[];
  /** What names another server than its vendor's. */
  readonly serverNamedBy: string;
  /** Its vendor's server: what has to be reached. */
  readonly host: string;
  /** `sandbox-only`: some tool stays on whatever is said, so it may not run as a model outside of a sandbox. */
  readonly toolsOff: 'yes' | 'sandbox-only';
  /** How many run at the same time. */
  readonly atOnce: number;
  /** About how many tokens it adds to a prompt by itself. */
  readonly addsTokens: number;
  /** The longest answer that it may give: the limit of the call, where it can be told that one. */
  mostOutputTokens(limit: number, login: LoginKind | undefined): number;
  readonly limits: PatienceLimits;
  /** Without handing anything over. */
  login(person: AgentPerson, model: string | undefined): Promise<FoundLogin | undefined>;
  /** For every start, also one that only asks for the version. */
  environment(folders: AgentFolders, person: AgentPerson): Readonly<Record<string, string>>;
  /** The arguments that it is asked with once, before its first call; what it writes is told to each. */
  readonly asks?: readonly string[] | undefined;
  call(ask: AgentAsk): AgentStart;
  read(said: AgentSaid): AgentOutcome;
  /** A piece of the answer while it is written, where the program tells it. */
  readonly piece?: ((event: AgentEvent) => string | undefined) | undefined;
  /** Why it is not let go on after this line: it tries again for ever, asks its model a second time, or asks for a tool. */
  readonly stops?: ((line: AgentEvent | string, before: AgentSoFar) => AgentStop | undefined) | undefined;
  /** What its events tell that was used, over all that it asked its model, where they tell it before its end. */
  readonly used?: ((events: readonly AgentEvent[]) => ModelUsage | undefined) | undefined;
}
