import type { Task } from './task.js';

/** The fixture files of a task with forward slashes, relative to the skill's folder, each once. */
export function listFixtures(task: Pick<Task, 'files'>): readonly string[] {
  return [...new Set(task.files.map((file) => file.replaceAll('\\', '/').replace(/^(?:\.\/)+/u, '')))];
}

/** True for a path that could leave the skill's folder: what a task file names is sent to a model. */
export function leavesFolder(file: string): boolean {
  const path = file.replaceAll('\\', '/');
  return path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:/u.test(path) || path.split('/').includes('..');
}
