/** Where a foreign task comes from: the sessions it was mined from, and the task it is a variant of. */
export interface TaskDescent {
  readonly id: string;
  readonly sessions: readonly string[];
  readonly derivedFrom: string | undefined;
}

/**
 * One origin for all tasks that share a session, descend from one another, or are joined by a chain of such ties;
 * tasks that stand alone have none. Its name is the smallest of the sessions and ids in it.
 */
export function originsOf(tasks: readonly TaskDescent[]): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  const rootOf = (node: string): string => {
    let root = node;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up;
    parents.set(node, root);
    return root;
  };
  const join = (first: string, second: string): void => {
    const [low, high] = [rootOf(first), rootOf(second)].toSorted();
    if (low !== undefined && high !== undefined && low !== high) parents.set(high, low);
  };
  for (const { id, sessions, derivedFrom } of tasks) {
    for (const session of sessions) join(`task ${id}`, `session ${session}`);
    if (derivedFrom !== undefined && derivedFrom !== '') join(`task ${id}`, `task ${derivedFrom}`);
  }
  return new Map(
    tasks
      .filter(({ sessions, derivedFrom }) => sessions.length > 0 || (derivedFrom ?? '') !== '')
      .map(({ id }) => [id, rootOf(`task ${id}`)]),
  );
}
