import type { Patch, PatchEdit, PatchSource } from '../../src/engine/patch.js';
import type { Edit } from '../../src/skill/edits/edit.js';

/** An edit with where it came from; the test states only what matters. */
export function aPatchEdit(edit: Edit, parts: Partial<Omit<PatchEdit, 'edit'>> = {}): PatchEdit {
  return { edit, source: 'failure', tasks: ['t1'], support: 2, ...parts };
}

/** What one analyst proposed. */
export function aPatch(edits: readonly Edit[], parts: Partial<Omit<Patch, 'edits'>> = {}): Patch {
  const source: PatchSource = parts.source ?? 'failure';
  return { source, size: 2, failures: [], ...parts, edits: edits.map((edit) => aPatchEdit(edit, { source })) };
}
