import type { Rewrite } from '../../prompts/rewrite/rewrites.js';
import type { RunContext } from '../runContext.js';
import type { ReadItem, UpdateMode } from '../updateMode.js';
import { shortened } from './shortened.js';

/** What a model says for what it proposes is shown beside each edit, stored, and shown to the optimizer again. */
const longestReason = 1_000; // characters, the middle left out of what is longer
const mostChanges = 40; // entries of a change summary; a rewrite becomes fewer edits than that

type Redacting = Pick<RunContext, 'redact'>;

/** A reason as much of it as a person reads, without secrets; one of usual length as it was written. */
export function readableReason({ redact = (text) => text }: Redacting, reason: string): string {
  return shortened(reason, longestReason, redact);
}

/** A rewrite with as much of its change summary as a person reads. */
export function readableRewrite(context: Redacting, rewrite: Rewrite): Rewrite {
  const { title, changes } = rewrite;
  return {
    ...rewrite,
    title: readableReason(context, title),
    changes: changes.slice(0, mostChanges).map(({ section, change }) => ({
      section: readableReason(context, section),
      change: readableReason(context, change),
    })),
  };
}

/** What a reply proposed, with reasons that a person reads to their end. */
export function readableItems(
  context: Redacting,
  read: ReturnType<UpdateMode['read']>,
): ReturnType<UpdateMode['read']> {
  return { ...read, items: read.items.map((item) => readableItem(context, item)) };
}

function readableItem(context: Redacting, item: ReadItem): ReadItem {
  if ('rewrite' in item) return { ...item, rewrite: readableRewrite(context, item.rewrite) };
  if (!('edit' in item)) return item;
  return { ...item, edit: { ...item.edit, rationale: readableReason(context, item.edit.rationale) } };
}
