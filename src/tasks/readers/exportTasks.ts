import { memberOf, valueOf } from '../json/jsonTree.js';
import type { TaskSource } from '../makeTask.js';
import { openTaskFile } from '../taskFile.js';
import { writeTasks, type TaskTexts } from '../writeTasks.js';
import { Notes, withDistinctIds, type ImportNote } from './importedTasks.js';

/**
 * The texts of `evals.json` and `whetstone.json` with imported tasks added to what is there. An id that is taken gets
 * a number, and a note.
 */
export function exportTasks(
  tasks: readonly TaskSource[],
  { skillName, existing }: { readonly skillName: string; readonly existing: TaskTexts },
): { readonly texts: TaskTexts; readonly notes: readonly ImportNote[] } {
  const notes = new Notes();
  const ids = new Set([...idsIn(existing.evalsText), ...idsIn(existing.heldOutText)]);
  const taken = [...ids].map((id) => ({ id, prompt: '' }));
  const added = withDistinctIds([...taken, ...tasks], notes).slice(taken.length);
  return { texts: writeTasks(existing, { kind: 'add', tasks: added }, { skillName }), notes: notes.all };
}

function idsIn(evalsText: string | undefined): readonly string[] {
  if (evalsText === undefined) return [];
  const evals = memberOf(openTaskFile('evals.json', evalsText).root, 'evals')?.value;
  const items = evals?.kind === 'array' ? evals.items : [];
  return items.flatMap((item) => {
    const id = memberOf(item, 'id')?.value;
    return id === undefined ? [] : [String(valueOf(id))];
  });
}
