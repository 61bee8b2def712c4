import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { UserError } from '../../errors.js';
import type { Places } from '../state/places.js';

const runIdForm = /^[0-9]{8}-[0-9]{6}-[0-9a-f]{6}$/;

/** A fresh run id: sorts by the time it was made (UTC), and no two are equal. */
export function newRunId(now: number): string {
  const time = new Date(now).toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${time}-${randomBytes(3).toString('hex')}`;
}

/** When a run began, as its id tells to the second. */
export function startOfRun(runId: string): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})-/.exec(runId)?.map(Number) ?? [];
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}

/** What else lies among the runs is not ours to read. */
export function isRunId(name: string): boolean {
  return runIdForm.test(name);
}

/** Where a run leaves its files. Only a true run id is taken: it becomes part of a path. */
export function runFolder(places: Pick<Places, 'workspaceState'>, runId: string): string {
  if (isRunId(runId)) return path.join(runsFolder(places), runId);
  throw new UserError(
    'usage',
    `${runId} is not the id of a run.`,
    'Leave it out for the last run; the folders in .whetstone/runs are named after the others.',
  );
}

/** One folder a run in it. */
export function runsFolder(places: Pick<Places, 'workspaceState'>): string {
  return path.join(places.workspaceState, 'runs');
}
