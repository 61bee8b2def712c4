/** One check as the task file states it; its arguments are parsed by the check of that name. */
export interface CheckSpec {
  readonly check: string;
  /** Never shown to the optimizer. */
  readonly hidden: boolean;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A tool that a task offers: declared, never executed; it answers with a fixed result. */
export interface StubTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly result: string;
}

/** How an agent program works on a task. */
export interface AgentTask {
  /** The folder that each attempt starts from, relative to the skill's; or a git repository as it was at a commit. */
  readonly fixture: string | { readonly repository: string; readonly commit: string };
  /** `offered`: the agent decides whether it uses the skill; `forced`: it is told to. */
  readonly mode: 'offered' | 'forced';
  /** The one that it takes; whichever the run's target is where it is missing. */
  readonly program?: AgentName | undefined;
  /** What one attempt may take, where it is not what the run says. */
  readonly maxTokens?: number | undefined;
  readonly maxTurns?: number | undefined;
  readonly minutes?: number | undefined;
}

/** Programs that a task can ask for, by the name that stands before a model's. */
export const agentNames = ['claude-code', 'codex', 'copilot-cli', 'gemini-cli', 'opencode'] as const;
export type AgentName = (typeof agentNames)[number];

export type Side = 'training' | 'heldOut' | 'sealed';

/** How a task is attempted. */
export type EnvironmentName = string;

/** An example that the skill is judged by. */
export interface Task {
  readonly id: string;
  readonly prompt: string;
  readonly expectedOutput: string | undefined;
  /** Fixture files, relative to the folder that holds `evals/`. */
  readonly files: readonly string[];
  /** Natural-language expectations, graded by the judge model. */
  readonly expectations: readonly string[];
  readonly checks: readonly CheckSpec[];
  /** Reference answers; never shown to the target or the optimizer. */
  readonly references: readonly string[];
  readonly context: string | undefined;
  /** The task's own system text, used verbatim; `{skill}` in it is where the skill goes. */
  readonly system: string | undefined;
  readonly tools: readonly StubTool[];
  readonly environment: EnvironmentName;
  /** For tasks in the environment `agent` alone. */
  readonly agent?: AgentTask | undefined;
  readonly tags: readonly string[];
  /** Where the person put it, if they did. */
  readonly assigned: Side | undefined;
  /** Tasks of one origin (a session, a template's variants) stay on one side. */
  readonly origin: string | undefined;
  /** Drafted by a model and not confirmed: counts for nothing. */
  readonly draft: boolean;
  readonly enabled: boolean;
  /** Hash of what the target sees and how it is judged; the split remembers a task by it. */
  readonly contentHash: string;
  /** What an environment that brought the task knows of its answer; kept with training attempts, and no model sees it. */
  readonly referenceText?: string | undefined;
  /** Hash of the original's text, where this is a copy of it without its secrets; `contentHash` is the original's too. */
  readonly textHash?: string | undefined;
}

/** Three types, so that held-out evidence handed to reflection does not compile. */
export type TrainingTask = Task & { readonly side: 'training' };
export type HeldOutTask = Task & { readonly side: 'heldOut' };
export type SealedTask = Task & { readonly side: 'sealed' };
export type SidedTask = TrainingTask | HeldOutTask | SealedTask;

/** The tasks of one skill, each on one side; those that would tie two sides together are set aside. */
export interface SplitTasks {
  readonly training: readonly TrainingTask[];
  readonly heldOut: readonly HeldOutTask[];
  readonly sealed: readonly SealedTask[];
  readonly setAside: readonly { readonly task: Task; readonly reason: string }[];
}

/** The fixture files of a task with forward slashes, relative to the skill's folder, each once. */
export function listFixtures(task: Pick<Task, 'files'>): readonly string[] {
  return [...new Set(task.files.map((file) => file.replaceAll('\\', '/').replace(/^(?:\.\/)+/u, '')))];
}

/** The folder of the skill that an agent's work starts from; undefined where it starts from a repository, or there is none. */
export function workFolderOf({ environment, agent }: Pick<Task, 'environment' | 'agent'>): string | undefined {
  return environment === 'agent' && typeof agent?.fixture === 'string' ? agent.fixture : undefined;
}

/** True for a path that could leave the skill's folder: what a task file names is sent to a model. */
export function leavesFolder(file: string): boolean {
  const path = file.replaceAll('\\', '/');
  return path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:/u.test(path) || path.split('/').includes('..');
}
