import { canonicalJson } from '../hash.js';
import { canonicalHash } from './canonicalHash.js';
import type { CheckSpec, StubTool, Task } from './task.js';

/** A task as a person, a reader or a test states it: only what is not the default. */
export type TaskSource = Pick<Task, 'id' | 'prompt'> &
  Partial<Omit<Task, 'id' | 'prompt' | 'contentHash' | 'textHash'>>;

/** Fills the defaults and gives the task its content hash. A task with tools runs in `tools`, any other in `chat`. */
export function makeTask(source: TaskSource): Task {
  const tools = source.tools ?? [];
  const task = {
    id: source.id,
    prompt: source.prompt,
    expectedOutput: source.expectedOutput,
    files: source.files ?? [],
    expectations: source.expectations ?? [],
    checks: source.checks ?? [],
    references: source.references ?? [],
    context: source.context,
    system: source.system,
    tools,
    environment: source.environment ?? defaultEnvironment(tools),
    ...agentOf(source),
    tags: source.tags ?? [],
    assigned: source.assigned,
    origin: source.origin,
    draft: source.draft ?? false,
    enabled: source.enabled ?? true,
  };
  return { ...task, ...referenceTextOf(source), contentHash: contentHashOf(task) };
}

/** Said only where there is one, as the text below. */
export function agentOf({ agent }: Pick<TaskSource, 'agent'>): Pick<Task, 'agent'> {
  return agent === undefined ? {} : { agent };
}

/** Said only where there is one: most tasks have no such field. */
function referenceTextOf({ referenceText }: TaskSource): Pick<Task, 'referenceText'> {
  return referenceText === undefined ? {} : { referenceText };
}

export function defaultEnvironment(tools: readonly StubTool[]): string {
  return tools.length > 0 ? 'tools' : 'chat';
}

/** What `evals.json` says of a task: stored beside its checks, so that a changed or renumbered task is noticed. */
export function publicHashOf(task: Pick<Task, 'prompt' | 'expectedOutput' | 'files' | 'expectations'>): string {
  const { prompt, expectedOutput, files, expectations } = task;
  return canonicalHash({ prompt, expectedOutput, files, expectations });
}

/** What the target reads of a task: an edited check leaves it as it is. */
export function textHashOf(task: Pick<Task, 'prompt' | 'context' | 'files' | 'textHash'>): string {
  return task.textHash ?? canonicalHash({ prompt: task.prompt, context: task.context, files: [...task.files].sort() });
}

function contentHashOf(task: Omit<Task, 'contentHash'>): string {
  return canonicalHash({
    prompt: task.prompt,
    context: task.context,
    system: task.system,
    files: [...task.files].sort(),
    tools: task.tools,
    environment: task.environment,
    agent: task.agent,
    expectedOutput: task.expectedOutput,
    expectations: [...task.expectations].sort(),
    references: [...task.references].sort(),
    checks: task.checks.map(checkContent).sort(),
  });
}

function checkContent(check: CheckSpec): string {
  return canonicalJson({ check: check.check, arguments: check.arguments });
}
