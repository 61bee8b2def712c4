/** The agents whose sessions can be read. */
export const harvestSources = [
  'claude-code',
  'codex',
  'copilot-cli',
  'gemini-cli',
  'opencode',
  'vscode-chat',
  'cursor-agent',
  'pi',
] as const;

export type HarvestSource = (typeof harvestSources)[number];

/**
 * A conversation with an agent, in the form that all sources share. It holds what was said and which tools and skills were
 * used by name: never what a tool was given or gave back. Texts are as they were said, with the secrets that stand in them.
 */
export interface Session {
  readonly source: HarvestSource;
  readonly id: string;
  /** `own-call`: Whetstone asked, itself or through somebody who answers by hand. */
  readonly kind: 'main' | 'sub-agent' | 'own-call';
  /** As the source tells it, which need not be a real path; undefined where it tells none. */
  readonly folder: string | undefined;
  /** Other folders that were open with it, of which nothing tells which was talked about. */
  readonly alsoIn?: readonly string[];
  readonly git: GitState;
  /** The first and the last instant that are told, in milliseconds since 1970. */
  readonly started: number | undefined;
  readonly ended: number | undefined;
  /** In the order of the conversation as it stands: what was undone is not in it. */
  readonly exchanges: readonly Exchange[];
  readonly counts: SessionCounts;
}

/** Of the repository when the session began, as far as it is told; the commit may be abbreviated. */
export interface GitState {
  readonly commit: string | undefined;
  readonly branch: string | undefined;
}

/** One request of the person, and what came of it. */
export interface Exchange {
  /** In the person's words, without what their program put around them. */
  readonly asked: string;
  readonly askedAt: number | undefined;
  /** `program`: no person typed it (a script, a timer, the agent's own machinery). */
  readonly by: Author;
  /** What the agent said after its last tool; empty where it said nothing. */
  readonly answer: string;
  /** Whether one of the texts was longer than what is kept of it. */
  readonly isCut: boolean;
  /** In the order of their use, each as often as it was used. */
  readonly tools: readonly string[];
  /** Those that were loaded, each once. */
  readonly skills: readonly string[];
  /** What the person let know about the answer; undefined where they said nothing about it. */
  readonly feedback: Feedback | undefined;
  /** What was said right before it is not kept: it was in another folder, or too long ago. */
  readonly goesOn?: true;
  /**
   * Where the agent stood meanwhile, as the source tells it, where that is another folder than the session's. By its name
   * it lies beneath that one; a link in it may lead elsewhere, which only whoever reads files can tell.
   */
  readonly stood?: readonly string[];
}

export type Author = 'person' | 'program' | 'unknown';

export interface Feedback {
  readonly tone: Tone;
  /** A vote counts more than the words of the next message. */
  readonly from: 'vote' | 'next-message';
}

export type Tone = 'positive' | 'negative' | 'mixed';

/** What was not understood or not taken, so that a person can be told. */
export interface SessionCounts {
  /** Entries of a kind that is not known here. */
  readonly unknown: number;
  /** Lines or entries that are not what they should be. */
  readonly broken: number;
  /** Lines over the limit, which were skipped. */
  readonly tooLong: number;
  /** Commands to the program that are no skills. */
  readonly commands: number;
  /** Messages in which nothing was asked by anybody: notices of the program, pasted output. */
  readonly noise: number;
  /** Exchanges before the last ones that are kept. */
  readonly dropped: number;
}

/** What the place of a session tells that its text does not. */
export interface SessionPlace {
  /** The name of its file or folder, where that is the id. */
  readonly id?: string | undefined;
  readonly folder?: string | undefined;
  readonly alsoIn?: readonly string[] | undefined;
  /** The folder whose path has this hash, as far as it is known: SHA-256, in hex. */
  readonly folderOfHash?: ((hash: string) => string | undefined) | undefined;
  /** Who typed, where another file of the program tells. */
  readonly by?: Author | undefined;
  readonly isSubAgent?: boolean | undefined;
  /** When its file was last written, for sources that tell no times. */
  readonly written?: number | undefined;
}
