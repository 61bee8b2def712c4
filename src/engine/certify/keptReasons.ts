import { notesIn } from '../../skill/document/appendixNotes.js';
import { partOfRewrite } from '../../skill/rewrite/rewriteEdits.js';
import type { PatchEdit } from '../patch.js';
import { quoted } from './attributionNotes.js';

/**
 * The reason of an edit that stays, where others were dropped: what a rewrite said of several edits names those that went,
 * and a reminder of a rule that went no longer says that the skill has it.
 */
export function reasonKept(each: PatchEdit, dropped: readonly PatchEdit[]): string {
  const { rationale } = each.edit;
  const shared = dropped.filter((other) => saysTheSame(each, other));
  if (shared.length > 0) {
    const many = shared.length === 1 ? 'one was' : `${shared.length} were`;
    return `${rationale.trim()} (Said of several edits of a rewrite, of which ${many} dropped: ${quoted(shared)}.)`;
  }
  const rules = dropped.filter((other) => isReminderOf(each, other));
  if (rules.length === 0) return rationale;
  const tasks = each.tasks.length === 1 ? '1 training task' : `${each.tasks.length} training tasks`;
  return `Attempts at ${tasks} did not follow this. What it repeats was tried and dropped: ${quoted(rules)}.`;
}

function saysTheSame(one: PatchEdit, other: PatchEdit): boolean {
  if (one.ofRewrite !== true || other.ofRewrite !== true) return false;
  const { rationale } = one.edit;
  return rationale.trim() !== '' && rationale !== partOfRewrite && rationale === other.edit.rationale;
}

const mostlyTheSame = 0.6; // of the words of the shorter one: a reminder says a rule in other words

function isReminderOf({ edit }: PatchEdit, { edit: rule }: PatchEdit): boolean {
  if (edit.op !== 'appendix' || !('content' in rule) || rule.op === 'appendix') return false;
  const said = wordsOf(rule.content);
  return notesIn(edit.content).some((note) => {
    const words = wordsOf(note);
    const both = [...words].filter((word) => said.has(word)).length;
    return both > 0 && both >= mostlyTheSame * Math.min(words.size, said.size);
  });
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
}
