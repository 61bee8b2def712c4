import type { Candidate } from '../candidate.js';
import type { PatchEdit } from '../patch.js';

/** What attribution came to, and what it would have dropped where the bundle was the better one. */
interface AttributionResult {
  readonly dropped: readonly PatchEdit[];
  readonly doubtful: readonly PatchEdit[];
  readonly without: readonly PatchEdit[];
}

/** What a person is told about edits that are not certified, or are although they did not help singly: each by name. */
export function attributionNotes(
  { edits }: Candidate,
  { dropped, doubtful, without }: AttributionResult,
): readonly string[] {
  const useless = dropped.filter((each) => !doubtful.includes(each));
  const notes: string[] = [];
  if (useless.length > 0)
    notes.push(
      `Edits dropped because training tasks did not score higher with them (${useless.length} of ${edits.length}): ${quoted(useless)}`,
    );
  if (doubtful.length > 0)
    notes.push(
      `Edits dropped because it did not become clear within the calls of gate.attributionCalls that they help (${doubtful.length} of ${edits.length}): ${quoted(doubtful)}`,
    );
  if (dropped.length === 0 && without.length > 0)
    notes.push(
      `All ${edits.length} edits stay: on training tasks they did better together than without those that did not help singly: ${quoted(without)}`,
    );
  return notes;
}

/** Edits by their first words. */
export function quoted(edits: readonly PatchEdit[]): string {
  return edits.map(({ edit }) => `“${firstWords('content' in edit ? edit.content : edit.anchor)}”`).join(', ');
}

const longest = 60; // characters: enough to know an edit again

function firstWords(text: string): string {
  const line = text.trim().replace(/\s+/gu, ' ');
  return line.length <= longest ? line : `${line.slice(0, longest - 1).trimEnd()}…`;
}
