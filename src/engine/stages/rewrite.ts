import { fence, renderPrompt } from '../../prompts/renderPrompt.js';
import { rewriteReply, rewriteReplySchema, rewriteSkillPrompt, type Rewrite } from '../../prompts/rewrite/rewrites.js';
import type { Edit } from '../../skill/edits/edit.js';
import { findExcess, grownSize, mostEditsOn } from '../../skill/edits/sizeBudget.js';
import { normalRule } from '../../skill/edits/sameRule.js';
import { partOfRewrite, rewriteEdits, type RewriteEdit } from '../../skill/rewrite/rewriteEdits.js';
import { parseSkill } from '../../skill/document/skillDocument.js';
import type { Candidate } from '../candidate.js';
import { rowOf, sourceOf, type PatchEdit, type PatchItem } from '../patch.js';
import type { RunContext } from '../runContext.js';
import type { UpdateMode } from '../updateMode.js';
import { askOptimizer } from './askOptimizer.js';
import { preferencesText } from './history.js';
import { readableReason, readableRewrite } from './readableReasons.js';

/** The edits that a step applies. */
export interface EditsToApply {
  readonly edits: readonly PatchEdit[];
  /** What the rewrite that they come from says it changed; undefined where there was none. */
  readonly changes?: readonly string[];
  /** Why a rewrite that was wanted gave no edits. */
  readonly noRewrite?: string;
}

/** Where a step stands when it updates the skill. */
export interface UpdateStart {
  readonly step: number;
  /** What the optimizer should know about the document; empty for a short skill. */
  readonly about?: string;
}

/**
 * What was chosen, as edits. Suggestions are worked into the skill by one call, a rewrite is there already; either becomes
 * ordinary edits, one for each changed block, that are lawful or refused like all others.
 */
export async function editsToApply(
  context: RunContext,
  current: Candidate,
  { items, at }: { readonly items: readonly PatchItem[]; readonly at: UpdateStart },
  signal: AbortSignal,
): Promise<EditsToApply> {
  const edits = items.filter((item) => 'edit' in item);
  if (edits.length === items.length) return { edits };
  const rewrite = items.flatMap((item) => ('rewrite' in item ? [item.rewrite] : []))[0];
  const written = rewrite ?? (await rewritten(context, { skill: current.text, items, at }, signal));
  const made =
    typeof written === 'string'
      ? { edits: [], noRewrite: written }
      : madeOf(context, { current, rewrite: written, items });
  context.record({
    kind: 'rewritten',
    step: at.step,
    edits: made.edits.length,
    textHash: typeof written === 'string' ? undefined : await context.texts.put(JSON.stringify(written, undefined, 2)),
    reason: made.noRewrite,
  });
  return made;
}

/** The skill with the suggestions worked into it; a sentence where no such text came. */
async function rewritten(
  context: RunContext,
  { skill, items, at }: { readonly skill: string; readonly items: readonly PatchItem[]; readonly at: UpdateStart },
  signal: AbortSignal,
): Promise<Rewrite | string> {
  context.record({ kind: 'stage', stage: 'update', step: at.step, planned: 1 });
  const rows = items.map((item) => ({ ...rowOf(item), support_count: item.support }));
  const question = {
    prompt: renderPrompt(
      rewriteSkillPrompt,
      {
        skill,
        suggestions: { words: fence('suggestions', JSON.stringify(rows, undefined, 2)) },
        guardrail: { words: at.about ?? '' },
        preferences: { words: preferencesText(context.options.preferences, context.options.edits) },
      },
      context.prompts,
    ),
    reply: rewriteReply,
    replySchema: rewriteReplySchema,
    about: 'rewrite' as const,
    step: at.step,
    part: '',
    whole: true,
  };
  const answer = await askOptimizer(context, question, signal);
  if (answer.kind === 'lost') return answer.reason;
  const { new_skill: text, change_summary: changes } = answer.value;
  return readableRewrite(context, { title: '', text, changes });
}

interface Making {
  readonly current: Candidate;
  readonly rewrite: Rewrite;
  readonly items: readonly PatchItem[];
}

function madeOf(context: RunContext, { current, rewrite, items }: Making): EditsToApply {
  const document = parseSkill(current.text);
  const made = rewriteEdits(document, rewrite.text, {
    most: Math.max(1, mostEditsOn(current.text)),
    allowed: grownSize(current.grownFrom ?? document.size, context.options.edits.growth),
  });
  if (made.kind === 'refused') return { edits: [], noRewrite: made.detail };
  if (made.edits.length === 0) return { edits: [], noRewrite: 'The rewrite changes nothing.' };
  const origin = originOf(items);
  const edits = made.edits.map((each) => ({
    edit: { ...each.edit, rationale: readableReason(context, rationaleOf(each, rewrite, made.edits)) },
    ...origin,
    ofRewrite: true as const,
  }));
  return { edits, changes: rewrite.changes.map(({ change }) => change) };
}

/** All that taught the rewrite taught each of its edits: which of them owes what to whom nobody knows. */
function originOf(items: readonly PatchItem[]): Omit<PatchEdit, 'edit' | 'ofRewrite'> {
  const sources = new Set(items.map((item) => JSON.stringify(sourceOf(item))));
  return {
    ...sourceOf(sources.size === 1 ? items[0] : undefined),
    tasks: [...new Set(items.flatMap(({ tasks }) => tasks))],
    support: items.reduce((sum, { support }) => sum + support, 0),
  };
}

/**
 * What the change summary says of the section that the edit lies in: what quotes it, or else what quotes no other edit of
 * the rewrite. A summary of one change is about a single edit.
 */
function rationaleOf(each: RewriteEdit, { changes }: Rewrite, edits: readonly RewriteEdit[]): string {
  for (const heading of each.headings) {
    const said = changes
      .filter(({ section }) => nameOf(section) === nameOf(heading))
      .map(({ change }) => change.trim());
    const own = said.filter((change) => quotes(change, each));
    const of = own.length > 0 ? own : said.filter((change) => !edits.some((other) => quotes(change, other)));
    if (of.length > 0) return of.join(' ');
  }
  return changes.length === 1 && edits.length === 1 ? (changes[0]?.change.trim() ?? partOfRewrite) : partOfRewrite;
}

const leastQuoted = 6; // characters: a shorter line stands in many a sentence by chance

/** Whether a change says a line that the edit takes away or brings. */
function quotes(change: string, { edit }: RewriteEdit): boolean {
  const sides = [
    ...('anchor' in edit && edit.op !== 'insert_after' ? [edit.anchor] : []),
    ...('content' in edit ? [edit.content] : []),
  ];
  const [old, current] = sides.map((side) => side.split('\n').map(normalRule));
  const lines =
    current === undefined
      ? old
      : [
          ...(old ?? []).filter((line) => !current.includes(line)),
          ...current.filter((line) => old?.includes(line) !== true),
        ];
  const said = normalRule(change);
  return (lines ?? []).some((line) => line.length >= leastQuoted && said.includes(line));
}

function nameOf(heading: string): string {
  let end = heading.length;
  while (end > 0 && /[#\s:]/u.test(heading.charAt(end - 1))) end -= 1; // an expression would start anew at each of a row
  return heading
    .slice(0, end)
    .replace(/^[#\s]+/u, '')
    .replaceAll(/\s+/gu, ' ')
    .toLowerCase();
}

/** What a reply proposed without the whole texts that are longer than the skill may become: nothing could be made of them. */
export function withinSize(
  { options }: RunContext,
  skill: string,
  read: ReturnType<UpdateMode['read']>,
): ReturnType<UpdateMode['read']> {
  if (!read.items.some((item) => 'rewrite' in item)) return read;
  const allowed = grownSize(parseSkill(skill).size, options.edits.growth);
  const excesses = read.items.map((item) =>
    'rewrite' in item ? findExcess(parseSkill(item.rewrite.text).size, allowed) : undefined,
  );
  return {
    items: read.items.filter((_, at) => excesses[at] === undefined),
    malformed: [
      ...read.malformed,
      ...excesses.flatMap((excess) => (excess === undefined ? [] : [`a rewrite that is too long: ${excess}`])),
    ],
  };
}

/** The edits with those first that make the skill shorter, so that what they take away makes room for the others. */
export function shrinkingFirst(edits: readonly PatchEdit[]): readonly PatchEdit[] {
  return edits.toSorted((a, b) => growthOf(a.edit) - growthOf(b.edit));
}

function growthOf(edit: Edit): number {
  const taken = edit.op === 'replace' || edit.op === 'delete' ? edit.anchor.length : 0;
  return ('content' in edit ? edit.content.length : 0) - taken;
}
