export interface ProgramRequest {
  readonly command: string;
  readonly arguments: readonly string[];
  /** A folder whose copy becomes the working directory; the original is never touched. */
  readonly folder: string | undefined;
  readonly input: string;
  readonly timeLimitMs: number;
  readonly outputLimitBytes: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export type ProgramResult =
  | { readonly kind: 'exited'; readonly code: number; readonly output: string; readonly errorOutput: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'output-too-large' }
  | { readonly kind: 'not-started'; readonly reason: string };

/** Runs a program in a throw-away copy of a folder, with limits. Kills the whole process group on timeout or abort. */
export interface Programs {
  run(request: ProgramRequest, signal: AbortSignal): Promise<ProgramResult>;
}

/** Whether the person allowed exactly this content to run, once, here. */
export interface ProgramConsent {
  /**
   * `content` is hashed; asking again for the same content never prompts. `folder` is where the person can look at it,
   * and no part of what is allowed.
   */
  allows(
    request: { readonly what: string; readonly content: string; readonly folder?: string | undefined },
    signal: AbortSignal,
  ): Promise<boolean>;
}
