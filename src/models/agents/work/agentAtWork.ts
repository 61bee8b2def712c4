import type { AgentFolders, AgentStart } from '../../../ports/agentPrograms.js';
import type { AgentWork } from '../../../ports/agentWork.js';
import type { ModelUsage } from '../../../ports/languageModel.js';
import type { AgentEvent, AgentFailure, AgentLogin, AgentPerson, AgentSaid, AgentSoFar } from '../agentKind.js';

/** What one agent program is when it works in a folder with its tools on: all that the adapter does not share. */
export interface AgentAtWork {
  /** Where it reads skills, from the work folder. */
  readonly skillsFolder: '.claude/skills' | '.agents/skills';
  /** Whether its events tell what each call to its model took, or only its end what all of them took. */
  readonly tellsUsage: boolean;
  /** Whether its events tell each call to its model; else they are counted by what came of them. */
  readonly tellsTurns: boolean;
  /** Whether it tells a call of a tool when it begins. */
  readonly tellsCalls: boolean;
  /** The most that one call to its model reads and writes: the longest context and the longest answer. */
  readonly callTokens: number;
  /** Whether a forced skill is in the very first request; else the agent is told to take it, and does so with a tool. */
  readonly forcedByPrompt: boolean;
  environment(folders: AgentFolders, person: AgentPerson): Readonly<Record<string, string>>;
  start(ask: WorkAsk): WorkStart;
  /** What has to be reached with this login, beside a server that the login names. */
  hosts(login: AgentLogin, model: string | undefined): readonly string[];
  /** What it reads of this machine beside itself, by absolute paths. */
  readonly reads?: ((person: AgentPerson) => readonly string[]) | undefined;
  /** What one of its events says; nothing where it is of no interest. */
  tell(event: AgentEvent): readonly ProgramEvent[];
  /** Why it is not let go on after this line: it would try a server that fails again and again. */
  readonly stops?: ((line: AgentEvent | string, before: AgentSoFar) => AgentFailure | undefined) | undefined;
  read(said: AgentSaid): WorkOutcome;
}

export interface WorkAsk extends Pick<AgentWork, 'mode' | 'limits'> {
  /** Undefined: the program's own choice. */
  readonly model: string | undefined;
  readonly prompt: string;
  /** The name of the skill that is there; undefined without one. */
  readonly skill: string | undefined;
  readonly login: AgentLogin;
  readonly folders: AgentFolders;
}

export interface WorkStart extends AgentStart {
  /** Variables whose value the program must not see where that can be had. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
}

/** How it ended by itself: with its work done, at the most calls that it was told, or in vain. */
export type WorkOutcome =
  | { readonly kind: 'answered'; readonly text: string; readonly usage: ModelUsage | undefined }
  | { readonly kind: 'turns'; readonly usage: ModelUsage | undefined }
  | AgentFailure;

/** What an event says, before calls and their results are brought together. */
export type ProgramEvent =
  | { readonly kind: 'assistant'; readonly text: string }
  | ToldCall
  | { readonly kind: 'result'; readonly id: string; readonly output: string; readonly ok: boolean | undefined }
  /** A call to its model; those of one id are one. */
  | { readonly kind: 'turn'; readonly id: string }
  /** What a call to its model took; of one id, the input is told again and the output is the next part. */
  | { readonly kind: 'usage'; readonly id: string; readonly inputTokens: number; readonly outputTokens: number };

export interface ToldCall {
  readonly kind: 'call';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly command?: string | undefined;
  /** The skill that the call loads, where it is the tool for that. */
  readonly skill?: string | undefined;
}

/** As long as one answer may be, where a program can be told: room to write a long file. */
export const longestStep = 32_000;
