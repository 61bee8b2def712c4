import type { ProgramRequest, ProgramResult } from './programs.js';

/**
 * Work of an agent program in a folder: what it starts from, which skill it has there, and what is looked at once it has
 * ended. It goes along with a request to a model; what came of it comes back with the reply, so that it is stored, counted
 * and used again as any reply is.
 */
export interface AgentWork {
  /** Without any copy of the skill and without tasks. */
  readonly fixture: WorkTree;
  /** Undefined in the arm without it: nothing of it is on the disk then. */
  readonly skill: { readonly name: string; readonly files: WorkTree } | undefined;
  /** `offered`: the agent decides whether it uses the skill; `forced`: it is told to. */
  readonly mode: 'offered' | 'forced';
  readonly limits: WorkLimits;
  /** Programs that look at what was left behind, in its folder, without network; in the order of `WorkLeft.judged`. */
  readonly judges: readonly WorkJudge[];
  /** Secrets and an address that nobody has a use for: whoever touches one was after something else. */
  readonly canaries?: WorkCanaries | undefined;
  /** Set where others judge what is left: then what was changed in the folder comes back with the reply. */
  readonly returns?: true | undefined;
}

/** What an agent left in its work folder, against what it started from. */
export interface FolderLeft {
  /** What is new, or another than before; without links that lead out, and without what git keeps. */
  readonly changed: WorkTree;
  readonly deleted: readonly string[];
}

/** Files as they were when they were looked at: an attempt starts from these bytes, whatever becomes of the folder. */
export interface WorkTree {
  /** Of paths, bytes and modes. */
  readonly hash: string;
  readonly entries: readonly WorkEntry[];
}

export type WorkEntry =
  /** `path` has slashes and stays inside. */
  | { readonly kind: 'file'; readonly path: string; readonly bytes: Uint8Array; readonly executable: boolean }
  /** A link that leads to a place inside; `to` as it is written. */
  | { readonly kind: 'link'; readonly path: string; readonly to: string };

/** What one attempt may take; it is set aside before it starts. */
export interface WorkLimits {
  /** Of all that is read and written, over all turns. */
  readonly maxTokens: number;
  /** Calls to its model. */
  readonly maxTurns: number;
  readonly timeLimitMs: number;
}

/** Allowed by the person before the attempt starts. `folder` is relative to the work folder. */
export type WorkJudge = Pick<ProgramRequest, 'command' | 'arguments' | 'timeLimitMs'> & {
  /** Files that are laid over the work folder before it runs, so that the agent cannot have changed them. */
  readonly brings?: WorkTree | undefined;
};

export interface WorkCanaries {
  /** A file with a secret in it, by its path in the agent's home. */
  readonly file: { readonly path: string; readonly value: string };
  readonly variable: { readonly name: string; readonly value: string };
  /** A host that nothing answers at. */
  readonly host: string;
}

/** What an agent did and left behind. */
export interface WorkLeft {
  readonly events: readonly WorkEvent[];
  /** Unified, with what is new and what is gone; cut where it is long. */
  readonly diff: string;
  /** What was added and is not in the diff, in words: a check that looks for what must not be there cannot hold then. */
  readonly notShown?: readonly string[] | undefined;
  readonly changed: readonly ChangedFile[];
  /** One for each judge; none where the attempt was not let come so far. */
  readonly judged: readonly ProgramResult[];
  /** Canaries that it touched, and how that was seen. */
  readonly touched: readonly CanaryTouch[];
  /** Hosts that it asked for and did not reach. */
  readonly refusedHosts: readonly string[];
  /** Why it ended: by itself, or at one of its limits. */
  readonly ended: 'done' | 'tokens' | 'turns' | 'time' | 'output';
  /** What was changed in the folder, where the work said so and it is not too much; it is judged, and never stored. */
  readonly folder?: FolderLeft | undefined;
  /** What the program told, line by line, among the texts of the person's state for as long as those are kept. */
  readonly raw?: string | undefined;
}

export interface ChangedFile {
  readonly path: string;
  readonly change: 'added' | 'changed' | 'deleted';
}

export interface CanaryTouch {
  readonly canary: 'file' | 'variable' | 'host';
  readonly seenIn: 'transcript' | 'diff' | 'files' | 'request' | 'connection';
}

/** What happened while an agent worked, in one form for all programs. */
export type WorkEvent =
  | { readonly kind: 'user' | 'assistant'; readonly text: string }
  | {
      readonly kind: 'tool';
      readonly name: string;
      readonly input: string;
      readonly output: string;
      /** Missing where the program does not say. */
      readonly ok?: boolean | undefined;
      /** The command line, where the tool ran one. */
      readonly command?: string | undefined;
      /** Set where it ran nothing and only told the command: an agent that starts no program. */
      readonly onlyTold?: true | undefined;
    }
  /** `how`: by its tool, by reading its file, or because the prompt said so. */
  | { readonly kind: 'skill'; readonly name: string; readonly how: 'tool' | 'read' | 'prompt' }
  | { readonly kind: 'usage'; readonly inputTokens: number; readonly outputTokens: number }
  | { readonly kind: 'end'; readonly ok: boolean; readonly reason: string };
