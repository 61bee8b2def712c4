import type { AttemptFacts } from '../../engine/journal/attemptRow.js';
import { messagesFor, type TaskSources } from '../../environments/taskMessages.js';
import type { Task } from '../../tasks/task.js';

/**
 * What the target is told of each task in our own environments, found once a task. `{skill}` stands for the
 * skill, which is as long as all the rest and lies beside the attempts; a memory file is left out.
 */
export function taskPrompts(
  sources: Pick<TaskSources, 'files' | 'folder' | 'prompts'>,
): (task: Task) => Promise<AttemptFacts['prompts']> {
  const known = new Map<Task, Promise<AttemptFacts['prompts']>>();
  return (task) => {
    if (task.environment !== 'chat' && task.environment !== 'tools') return Promise.resolve(undefined);
    const found = known.get(task) ?? promptsOf(task, sources);
    known.set(task, found);
    return found;
  };
}

async function promptsOf(
  task: Task,
  sources: Pick<TaskSources, 'files' | 'folder' | 'prompts'>,
): Promise<AttemptFacts['prompts']> {
  const request = { skill: '{skill}', memory: undefined, phase: 'single', seed: 0, attempt: 1, family: '' } as const;
  // What a cancelled run leaves is written all the same.
  const { signal } = new AbortController();
  const found = await messagesFor({ task, ...request }, { ...sources, references: new Map() }, signal);
  if (found.kind === 'invalid') return undefined;
  const said = (role: 'system' | 'user'): string => found.messages.find((each) => each.role === role)?.content ?? '';
  return { system: said('system'), user: said('user') };
}
