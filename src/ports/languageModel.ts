import type { UserError } from '../errors.js';
import type { AgentWork, FolderLeft, WorkLeft, WorkLimits } from './agentWork.js';
import type { BatchServer } from './batches.js';
import type { ProgramResult } from './programs.js';

/** What a model is asked for: the skill's own work, reflection on it, or a grade. */
export type ModelRole = 'target' | 'optimizer' | 'judge';

/** Which model answered. Part of every cache key; `simulated` is shown wherever a result is. */
export interface ModelIdentity {
  readonly provider: string;
  readonly endpoint: string;
  readonly model: string;
  readonly simulated: boolean;
  /** What the person asks of this server beyond the usual, such as how long to think; it changes answers. */
  readonly options?: string | undefined;
}

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them: JSON text that may not parse. */
  readonly arguments: string;
}

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export interface ModelRequest {
  readonly role: ModelRole;
  readonly messages: readonly ModelMessage[];
  /** Of answer and thinking together. */
  readonly maxOutputTokens: number;
  /** How much of that thinking may take, where the person says so; for servers that can be told. */
  readonly thinkingTokens?: number;
  readonly temperature?: number;
  readonly tools?: readonly ToolDeclaration[];
  /** A JSON schema the reply should follow, where the server can hold a model to one. */
  readonly replySchema?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
  /** Which independent sample of the same question this is. Part of the cache key, never sent. */
  readonly attempt: number;
  /** Hashes of what the answer depends on beside the messages (environment, fixtures). Part of the cache key, never sent. */
  readonly dependsOn?: readonly string[];
  /** How long the person waits for an answer, where they say so. Never sent, and no part of the cache key. */
  readonly timeoutMs?: number | undefined;
  /** How long the run may still take, where it is capped: a program is ended then. Never sent, and no part of the cache key. */
  readonly restMs?: number | undefined;
  /** The reply that is stored for it cannot be read: it is asked anew, and the new one takes its place. Never sent. */
  readonly again?: true;
  /** The last reply was not of the form that was asked for, as the messages say. Never sent, and no part of the cache key. */
  readonly formless?: true;
  /**
   * What an agent program does with the messages, in a folder with its tools on; a model without it answers them. Its own
   * hash is among `dependsOn`. Never sent by us.
   */
  readonly work?: AgentWork | undefined;
}

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** False where the backend reports no usage, or one that cannot be right, and the figures are our estimate. */
  readonly exact: boolean;
  /** What the server says that it charges, in USD, where it says so. */
  readonly usd?: number | undefined;
  /** How long the server took, in milliseconds; missing where that was not measured, and on the simulated model. */
  readonly ms?: number | undefined;
}

export interface ModelReply {
  readonly text: string;
  /**
   * `length`: the answer was cut at its limit, which the skill can cause and is therefore scored. Without text and tool
   * calls, thinking used up all its room.
   */
  readonly finish: 'stop' | 'length' | 'tool-calls';
  /** What gives its server a longer context, where that one cut the answer: more room to ask for there is not. Never stored. */
  readonly contextCure?: string | undefined;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: ModelUsage;
  /** True where a stored reply was used: it cost nothing. */
  readonly cached: boolean;
  /** What came of the request's work. */
  readonly work?: WorkLeft | undefined;
  /** Who made the call, where it was made on a queue: written down with it, and no part of what is stored. */
  readonly worker?: string | undefined;
}

/**
 * A model that answers. Contract: resolves with a complete answer, or throws a `ModelError`, or, once `signal`
 * is aborted, throws the signal's reason. Never resolves with half an answer, nor with an empty one without tool calls
 * unless thinking used up its room, which `finish` says.
 */
export interface LanguageModel {
  readonly identity: ModelIdentity;
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
  /**
   * As `complete`, with one request over the wire: throws a `RefusedForm` where the server refuses its form and another
   * one may be taken. Undefined where `complete` never makes more than one.
   */
  readonly once?: LanguageModel['complete'] | undefined;
  /** What was learnt of the form that the server takes: for adapters in other processes that ask the same one. */
  readonly form?: { readonly tell: () => unknown; readonly take: (form: unknown) => void } | undefined;
  /**
   * What one call may take beyond the longest prompt that the request may be and the limit of its answer: what a program
   * says by itself, and the longest answer of one that cannot be told a limit. Nothing where it is missing.
   */
  readonly takesMore?: ((request: Pick<ModelRequest, 'maxOutputTokens'>) => TokensMore) | undefined;
  /**
   * By how many tokens one attempt of an agent program may pass what is set aside for it, for what a call took is known
   * when it is over. Undefined where it does no work in a folder.
   */
  readonly mayPassBy?: ((limits: WorkLimits) => number) | undefined;
  /** Judges on this machine what an agent left on another one; undefined where it does no work in a folder. */
  readonly workJudge?: WorkJudging | undefined;
  /** The most calls under way at once, whatever a run wants; those beyond it wait before anything is set aside for them. */
  readonly atOnce?: number | undefined;
  /** Its calls wait for workers on other machines: how long one goes without an answer says nothing of a server. */
  readonly isElsewhere?: true | undefined;
  /** What `complete` would send, and where to, with nothing secret in it; undefined where nothing leaves the machine. */
  readonly wire?: ((request: ModelRequest) => WireRequest) | undefined;
  /**
   * Throws a `ModelError` where no connection to its server can be made; asks for no answer and costs nothing. Gives
   * whether the server also takes the login and lists the model. Undefined where there is nothing to connect to.
   */
  readonly reach?: ((signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Its server as one that may take many requests as a file; undefined where there is no such way to ask it. */
  readonly batches?: BatchServer | undefined;
  /**
   * What the server says of the model that it serves, where a person runs the server; asks for no answer and costs nothing.
   * Undefined, or resolving to it, where the server does not say.
   */
  readonly served?: ((signal: AbortSignal) => Promise<ServedModel | undefined>) | undefined;
  /** How many billions of parameters its server says that it has; undefined where nobody asked, or it does not say. */
  readonly billions?: number | undefined;
  /** Whose plan it is that calls are taken from, where they are not billed one by one. */
  readonly subscription?: string | undefined;
  /** Why it cannot be asked while nobody is there to give access; undefined where it can. */
  readonly needsPerson?: (() => UserError | undefined) | undefined;
}

export interface WorkJudging {
  /** Where the program reads skills, from the work folder. */
  readonly skillsFolder: '.claude/skills' | '.agents/skills';
  /** Runs the judges of the work, one result for each. */
  judge(work: AgentWork, left: FolderLeft, signal: AbortSignal): Promise<readonly ProgramResult[]>;
}

/** What a server that people run themselves says of a model. */
export interface ServedModel {
  /** Tokens that the prompt and the answer of a request may have together; undefined where it does not say. */
  readonly contextTokens: number | undefined;
  /** False where the model is not loaded yet, and this is what the server usually gives. */
  readonly isSure: boolean;
  /** What the model could have. */
  readonly mostContextTokens: number | undefined;
  /** How many requests it works on at the same time, where it says so. */
  readonly atOnce: number | undefined;
  /** How many parameters the model has, as the server writes it (“1.5B”). */
  readonly size: string | undefined;
  /** Whether it cuts a prompt that is too long without a word; the others refuse it. */
  readonly cutsSilently: boolean;
  /** What a person does to have so many. */
  readonly longerContext: (tokens: number) => string;
}

export interface TokensMore {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A request as it goes over the wire, but for its headers. */
export interface WireRequest {
  readonly url: string;
  readonly body: unknown;
}
