import { makeTask, type TaskSource } from '../../src/tasks/makeTask.js';
import type { CheckSpec, HeldOutTask, SealedTask, Task, TrainingTask } from '../../src/tasks/task.js';

/** A valid task; the test states only what matters. */
export function aTask(source: Partial<TaskSource> = {}): Task {
  return makeTask({
    id: 'task',
    prompt: 'Say hello to the customer.',
    checks: [aCheck('contains', { text: 'hello' })],
    ...source,
  });
}

export function aTrainingTask(source: Partial<TaskSource> = {}): TrainingTask {
  return { ...aTask(source), side: 'training' };
}

export function aHeldOutTask(source: Partial<TaskSource> = {}): HeldOutTask {
  return { ...aTask(source), side: 'heldOut' };
}

export function aSealedTask(source: Partial<TaskSource> = {}): SealedTask {
  return { ...aTask(source), side: 'sealed' };
}

export function aCheck(check: string, options: Readonly<Record<string, unknown>> = {}, hidden = false): CheckSpec {
  return { check, hidden, arguments: options };
}
