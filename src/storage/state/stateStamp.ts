import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../files/fileErrors.js';
import { promptFolders } from '../handoff/waitingPrompts.js';
import { isRunId, runsFolder } from '../runs/runFolder.js';

const watchedRuns = 4; // of the newest runs those that may still be at work; older ones have ended

/**
 * A text that changes when proposals, decisions, runs or prompts that wait in this folder do, whichever process wrote them: files are put
 * in place by renaming, which touches their folder. Asks for times only and reads no file.
 */
export async function stateStamp(workspaceState: string): Promise<string> {
  const folders = ['proposals', 'decisions', 'runs'].map((name) => path.join(workspaceState, name));
  const runs = runsFolder({ workspaceState });
  const ids = ((await unlessMissing(readdir(runs))) ?? []).filter(isRunId).sort().slice(-watchedRuns);
  const summaries = ids.map((id) => path.join(runs, id, 'summary.json'));
  const prompts = await promptFolders(workspaceState);
  return (await Promise.all([...folders, ...summaries, ...prompts].map(changedAt))).join(' ');
}

/** The same for what people write: the skill and its tasks. */
export async function skillStamp(skillPath: string): Promise<string> {
  const evals = path.join(path.dirname(skillPath), 'evals');
  const files = [skillPath, path.join(evals, 'evals.json'), path.join(evals, 'whetstone.json')];
  return (await Promise.all(files.map(changedAt))).join(' ');
}

async function changedAt(file: string): Promise<number> {
  return (await unlessMissing(stat(file)))?.mtimeMs ?? 0;
}
