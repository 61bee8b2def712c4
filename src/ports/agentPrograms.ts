/** The agent programs that are known, by the name that stands before a model's: `claude-code/sonnet`. */
export type AgentId = 'claude-code' | 'codex' | 'copilot-cli' | 'gemini-cli' | 'opencode' | 'cursor-agent';

/** A program that is installed here, and how it is started without a shell. */
export interface FoundProgram {
  /** Where it was found, as it is shown. */
  readonly path: string;
  /** What the system starts: the program itself, or the Node that a shim would start it with. */
  readonly command: string;
  /** What stands before its own arguments then. */
  readonly before: readonly string[];
}

/** What is looked for: names on the PATH, then in folders beneath the person's home where installers put it. */
export interface WantedProgram {
  readonly commands: readonly string[];
  readonly places: readonly string[];
}

/** The folders of one start: new, empty, and removed afterwards. */
export interface AgentFolders {
  readonly home: string;
  readonly work: string;
  readonly temporary: string;
}

/** One start of a program. */
export interface AgentStart {
  readonly arguments: readonly string[];
  /** Beside what every program needs; nothing else of our own environment is handed over. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of the fresh home, by their path in it, with slashes. */
  readonly files?: Readonly<Record<string, string>>;
  /** What is written to its input, which is closed then. */
  readonly input: string;
  /** Files of the fresh home that are read once it has ended. */
  readonly leaves?: readonly string[];
}

export interface AgentRun {
  readonly program: FoundProgram;
  start(folders: AgentFolders): AgentStart;
  /** A whole line that it wrote; `error` are those of its error output. */
  onLine(line: string, from: 'output' | 'error'): void;
  /** Of both outputs together. */
  readonly outputLimitBytes: number;
}

export type AgentEnd =
  | { readonly kind: 'exited'; readonly code: number; readonly left: Readonly<Record<string, string>> }
  | { readonly kind: 'output-too-large' }
  | { readonly kind: 'not-started'; readonly reason: string };

/** Finds and starts agent programs, and reads what they keep of a login. */
export interface AgentPrograms {
  /** Never one of the workspace. */
  find(wanted: WantedProgram): Promise<FoundProgram | undefined>;
  /** Where one lies that is not used, because it is of the workspace. */
  findInWorkspace(wanted: WantedProgram): Promise<string | undefined>;
  /**
   * Runs it in an empty folder, with a fresh home and an environment of its own, until it ends or the signal is aborted,
   * which throws the signal's reason. Nothing that it started is left then, as far as the system lets it be found.
   */
  run(run: AgentRun, signal: AbortSignal): Promise<AgentEnd>;
  /** A file of the person's, as text; undefined where it is not there, is too large or may not be read. */
  readOwn(file: string): Promise<string | undefined>;
}

/** Whether the person allowed that their login to an agent program is used. */
export interface AgentConsent {
  /** Undefined where they have not been asked. */
  isAllowed(agent: AgentId): boolean | undefined;
  /** Asks where they have not been; false where nobody is there to ask. */
  allows(agent: AgentId, signal: AbortSignal): Promise<boolean>;
}
