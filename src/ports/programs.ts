import type { SandboxState } from './sandbox.js';

export interface ProgramRequest {
  readonly command: string;
  readonly arguments: readonly string[];
  /** A folder whose copy becomes the working directory; the original is never touched. */
  readonly folder: string | undefined;
  /** The one file of the folder that is copied; all of them without it. */
  readonly only?: string | undefined;
  readonly input: string;
  readonly timeLimitMs: number;
  readonly outputLimitBytes: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** What the sandbox lets it reach beside the system and its folder. Without a sandbox nothing holds it back. */
  readonly reach?: ProgramReach | undefined;
  /** The file of a module that the words load: another machine loads it with a Node of its own. */
  readonly module?: string | undefined;
  /** Set where it judges an attempt, or makes and judges one: then it may run on another machine. */
  readonly travels?: true | undefined;
}

/** What a program may reach from within the sandbox. */
export interface ProgramReach {
  /** Files and folders of this machine, by absolute paths; `~` is the person's home. */
  readonly reads?: readonly string[] | undefined;
  /** Hosts, each with or without a port. */
  readonly hosts?: readonly string[] | undefined;
  /** Ports of this machine: where the run's target answers. */
  readonly ports?: readonly number[] | undefined;
  /** Variables whose value it never sees: what it sends to one of the hosts holds the real one when it leaves. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
}

export type ProgramResult = (
  | { readonly kind: 'exited'; readonly code: number; readonly output: string; readonly errorOutput: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'output-too-large' }
  | { readonly kind: 'not-started'; readonly reason: string }
) & {
  /** What the sandbox says of it, as whole sentences: why it ended it, what it kept it from. No words of the program. */
  readonly told?: readonly string[] | undefined;
};

/** Runs a program in a throw-away copy of a folder, with limits. Kills the whole process group on timeout or abort. */
export interface Programs {
  run(request: ProgramRequest, signal: AbortSignal): Promise<ProgramResult>;
}

/** A program before it runs. `within` is the skill's folder: nothing is read through a link that leads out of it. */
export interface ProgramToRun extends Pick<ProgramRequest, 'command' | 'arguments' | 'folder'> {
  readonly within: string;
  /** What it is told beside its arguments. A part of what it is; files that it names are not, for it may write to them. */
  readonly told?: readonly string[] | undefined;
  /** Those of them that the question shows in a line of their own, not as words of the command. */
  readonly apart?: readonly string[] | undefined;
  /** What it may read in the sandbox, as declared: where links lead to is a part of what it is. */
  readonly reads?: readonly string[] | undefined;
}

/** What a program is. */
export type ProgramContent =
  | {
      readonly kind: 'found';
      /** Every byte that would run, as far as it can be found: equal texts are equal programs. */
      readonly text: string;
      /** The command as it is, in one line, with nothing hidden. */
      readonly shown: string;
      /** What cannot be bound to bytes, as sentences. */
      readonly unbound: readonly string[];
      /** What it may read, by the real names where links lead to. */
      readonly reads?: readonly string[] | undefined;
      /** The files alone, where they are all that there is: what an earlier version asked about. */
      readonly plain: readonly { readonly path: string; readonly hash: string | undefined }[] | undefined;
    }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Finds out what a program is, within limits of files, bytes and time. */
export interface ProgramContents {
  of(program: ProgramToRun, signal: AbortSignal): Promise<ProgramContent>;
}

/** What the person is asked about. */
export interface ProgramQuestion {
  readonly what: string;
  readonly content: string;
  /** What an earlier version would have asked about, where that bound as much: a yes to it counts. */
  readonly formerly?: string | undefined;
  /** Where the person can look at it; no part of what is allowed. */
  readonly folder?: string | undefined;
  /** How it is shown, where `what` could hide something. */
  readonly shown?: string | undefined;
  readonly unbound?: readonly string[] | undefined;
  /** What it may reach from the sandbox; a part of `content`. */
  readonly reach?: Pick<ProgramReach, 'reads' | 'hosts'> | undefined;
  /** Whether another content of it was allowed in this folder before: it changed since. */
  readonly otherwise?: boolean | undefined;
  /** Whether the sandbox would hold it. A yes to what it holds is none to the same without it. */
  readonly sandbox?: SandboxState | undefined;
}

/** A program, and what it was when somebody looked. */
export type SeenProgram = Pick<ProgramQuestion, 'what' | 'folder' | 'content'>;

/** Whether the person allowed exactly this content to run, once, here. */
export interface ProgramConsent {
  /** `content` is hashed; asking again for the same content never prompts. */
  allows(question: ProgramQuestion, signal: AbortSignal): Promise<boolean>;
  /** Told what a program is where a run begins. There only where a yes is to what is there then, and to nothing later. */
  readonly began?: ((program: SeenProgram) => void) | undefined;
  /** Whether a program that was not allowed was another one when the run began. */
  readonly changed?: ((program: SeenProgram) => boolean) | undefined;
}
