import { fence, renderPrompt } from '../../prompts/renderPrompt.js';
import {
  consolidateNotesPrompt,
  consolidateNotesReply,
  consolidateNotesReplySchema,
  readNote,
} from '../../prompts/reflection/skillAware.js';
import { notesIn, plainNote, withMoreNotes, withOtherNotes } from '../../skill/document/appendixNotes.js';
import { ownBlockText } from '../../skill/edits/planOwnBlock.js';
import { normalRule } from '../../skill/edits/sameRule.js';
import type { Candidate } from '../candidate.js';
import type { Patch, PatchEdit, Reminder } from '../patch.js';
import type { RunContext } from '../runContext.js';
import type { RunOptions } from '../runOptions.js';
import { askOptimizer } from './askOptimizer.js';
import { documentOf, withEdits } from './update.js';

/** Whether analysts tell lapses from defects. The appendix stands in the body, and a rewrite has no place for it. */
export function isSkillAware({ reflect, edits }: Pick<RunOptions, 'reflect' | 'edits'>): boolean {
  return reflect.skillAware && edits.scope === 'body' && edits.mode === 'patch';
}

const longestNote = 400; // characters: a sentence or two

/** The reminders of one analyst's reply, at most as many as it may propose edits, and what was none. */
export function readReminders(
  values: readonly unknown[],
  most: number,
): { readonly reminders: readonly Reminder[]; readonly malformed: readonly string[] } {
  const read = values.map((value) => {
    const found = readNote(value);
    const note = plainNote(found?.note ?? '');
    if (found === undefined || note === '') return 'not a reminder';
    return note.length > longestNote ? 'a reminder that is too long' : { note, tasks: found.tasks };
  });
  return {
    reminders: read.filter((each) => typeof each !== 'string').slice(0, most),
    malformed: read.filter((each) => typeof each === 'string'),
  };
}

/**
 * What analysts put down to lapses, as one edit of the appendix block: its reminders with the new ones behind them, fewer
 * by a call to the optimizer where they became too many. The edit is gated with the others of its step. Undefined where
 * there is nothing new to remind of.
 */
export async function remind(
  context: RunContext,
  patches: readonly Patch[],
  at: { readonly step: number; readonly from: Candidate },
  signal: AbortSignal,
): Promise<PatchEdit | undefined> {
  const block = ownBlockText(documentOf(at.from), 'appendix');
  const found = newReminders(patches, block);
  if (found.length === 0) return undefined;
  const { kept, lost } = await lawful(context, at.from, { block, found }, signal);
  const written = await writtenWith(context, { ...at, block, kept }, signal);
  context.record({
    kind: 'reminders',
    step: at.step,
    found: found.length,
    held: notesIn(written.content ?? block).length,
    consolidated: written.kind === 'joined',
    textHash: await context.texts.put(JSON.stringify(found, undefined, 2)),
    lost: [...lost, ...(written.kind === 'lost' ? [written.reason] : [])],
  });
  return written.content === undefined ? undefined : editOf(written.content, kept, at.from);
}

/** What the block is to hold: more than before, as much in fewer words, or no more, with or without a reason. */
type BlockUpdate =
  | { readonly kind: 'added' | 'joined'; readonly content: string }
  | { readonly kind: 'nothing'; readonly content?: undefined }
  | { readonly kind: 'lost'; readonly content?: undefined; readonly reason: string };

interface Writing {
  readonly step: number;
  readonly from: Candidate;
  readonly block: string;
  readonly kept: readonly Reminder[];
}

async function writtenWith(context: RunContext, writing: Writing, signal: AbortSignal): Promise<BlockUpdate> {
  const { block, kept } = writing;
  if (kept.length === 0) return { kind: 'nothing' };
  if (notesIn(block).length + kept.length > context.options.reflect.reminders)
    return consolidated(context, writing, signal);
  const added = kept.map(({ note }) => note);
  return { kind: 'added', content: withMoreNotes(block, added) };
}

/** Each once, whoever wrote it, but for what the block says already. */
function newReminders(patches: readonly Patch[], block: string): readonly Reminder[] {
  const held = new Set(notesIn(block).map(normalRule));
  const byRule = new Map<string, Reminder>();
  for (const { note, tasks } of patches.flatMap(({ reminders = [] }) => reminders)) {
    const key = normalRule(note);
    const known = byRule.get(key);
    if (!held.has(key))
      byRule.set(key, { note: known?.note ?? note, tasks: [...new Set([...(known?.tasks ?? []), ...tasks])] });
  }
  return [...byRule.values()];
}

/** One that may not stand in the skill does not cost the others. */
async function lawful(
  context: RunContext,
  from: Candidate,
  { block, found }: { readonly block: string; readonly found: readonly Reminder[] },
  signal: AbortSignal,
): Promise<{ readonly kept: readonly Reminder[]; readonly lost: readonly string[] }> {
  const kept: Reminder[] = [];
  const lost: string[] = [];
  for (const reminder of found) {
    const content = withMoreNotes(
      block,
      [...kept, reminder].map(({ note }) => note),
    );
    const refusal = await refusalOf(context, from, content, signal);
    if (refusal === undefined) kept.push(reminder);
    else lost.push(`a reminder was left out: ${refusal}`);
  }
  return { kept, lost };
}

async function refusalOf(
  context: RunContext,
  from: Candidate,
  content: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { report } = await withEdits(context, from, [editOf(content, [], from)], signal);
  const [row] = report;
  return row === undefined || row.outcome.kind === 'applied' ? undefined : row.outcome.detail;
}

/** Fewer reminders that say the same. Where none come that are shorter and within the bound, the block stays as it was. */
async function consolidated(
  context: RunContext,
  { step, from, block, kept }: Writing,
  signal: AbortSignal,
): Promise<BlockUpdate> {
  const most = context.options.reflect.reminders;
  const notes = [...notesIn(block), ...kept.map(({ note }) => note)];
  context.record({ kind: 'stage', stage: 'update', step, planned: 1 });
  const values = {
    most,
    skill: from.text,
    notes: { words: fence('notes', notes.map((note) => `- ${note}`).join('\n')) },
  };
  const answer = await askOptimizer(
    context,
    {
      prompt: renderPrompt(consolidateNotesPrompt, values, context.prompts),
      reply: consolidateNotesReply,
      replySchema: consolidateNotesReplySchema,
      about: 'appendix',
      step,
      part: '',
    },
    signal,
  );
  if (answer.kind === 'lost') return leftOut(answer.reason);
  const fewer = [...new Map(answer.value.appendix_notes.map((note) => [normalRule(note), plainNote(note)])).values()];
  const said = fewer.filter((note) => note !== '');
  const isShorter = said.join('\n').length < notes.join('\n').length;
  if (said.length === 0 || said.length > most || !isShorter)
    return leftOut('the list of all of them did not get shorter');
  const content = withOtherNotes(block, said);
  const refusal = await refusalOf(context, from, content, signal);
  return refusal === undefined ? { kind: 'joined', content } : leftOut(refusal);
}

function leftOut(reason: string): BlockUpdate {
  return { kind: 'lost', reason: `new reminders were left out, because ${reason}` };
}

/** It takes the place of the edit before it, whose lessons it has too. */
function editOf(content: string, added: readonly Reminder[], { edits }: Candidate): PatchEdit {
  const before = edits.findLast(({ edit }) => edit.op === 'appendix');
  const tasks = [...new Set([...(before?.tasks ?? []), ...added.flatMap((reminder) => reminder.tasks)])];
  const many = tasks.length === 1 ? '1 training task' : `${tasks.length} training tasks`;
  const rationale = `According to the optimizer the skill says this already, and attempts at ${many} did not follow it.`;
  return { edit: { op: 'appendix', content, rationale }, source: 'failure', tasks, support: Math.max(1, tasks.length) };
}
