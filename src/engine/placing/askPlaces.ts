import { mergeReply, placeEditsPrompt } from '../../prompts/edits/mergeEdits.js';
import { namingFile, skillValue } from '../../prompts/reflection/packageFiles.js';
import { placesReplySchema } from '../../prompts/reflection/reflection.js';
import { readEdits } from '../../prompts/replies/editReply.js';
import { fence, renderPrompt } from '../../prompts/renderPrompt.js';
import type { ApplyReportRow } from '../../skill/edits/edit.js';
import { filesIn, type Candidate } from '../candidate.js';
import { rowOf, type PatchEdit } from '../patch.js';
import type { RunContext } from '../runContext.js';
import { askOptimizer } from '../stages/askOptimizer.js';
import { readableReason } from '../stages/readableReasons.js';

/** What became of the edits of a step. */
interface UnplacedEdits {
  readonly from: Candidate;
  readonly edits: readonly PatchEdit[];
  readonly report: readonly ApplyReportRow[];
  readonly at: { readonly step: number; readonly about?: string };
}

/**
 * The edits of a step with those of the optimizer asked for once more, with the reasons, where not one edit of the step
 * found its place. Undefined where one did, where none is the optimizer's, and where no edit came back.
 */
export async function askPlaces(
  context: RunContext,
  { from, edits, report, at }: UnplacedEdits,
  signal: AbortSignal,
): Promise<readonly PatchEdit[] | undefined> {
  const named = report.filter(({ edit }) => 'anchor' in edit || edit.op === 'append');
  const isLost = named.every(({ outcome }) => outcome.kind === 'unmatched');
  const lost = named.filter(({ index }) => edits[index]?.source !== 'environment');
  if (!isLost || lost.length === 0) return undefined;
  const shown = { skill: from.text, ...(from.files === undefined ? {} : { files: filesIn(from) }) };
  const question = {
    prompt: promptFor(context, { shown, lost, about: at.about ?? '' }),
    reply: mergeReply,
    replySchema: namingFile(placesReplySchema, shown),
    about: 'merge' as const,
    step: at.step,
    part: 'places',
  };
  const answer = await askOptimizer(context, question, signal);
  const read = answer.kind === 'answered' ? readEdits(answer.value.edits).edits.slice(0, lost.length) : [];
  if (read.length === 0) return undefined;
  const again = read.map(({ edit }, number) => ({ ...originOf(lost, edits, number), edit: readable(context, edit) }));
  return [...again, ...edits.filter((_, index) => !lost.some((row) => row.index === index))];
}

/** Where an edit came from: the one in its place, for the same are asked for again. */
function originOf(
  lost: readonly ApplyReportRow[],
  edits: readonly PatchEdit[],
  number: number,
): Omit<PatchEdit, 'edit'> {
  const proposed = edits[lost[number]?.index ?? -1];
  if (proposed === undefined) throw new Error('more edits came back than were asked for');
  const { edit: _lost, ...origin } = proposed;
  return origin;
}

function readable(context: RunContext, edit: PatchEdit['edit']): PatchEdit['edit'] {
  return { ...edit, rationale: readableReason(context, edit.rationale) };
}

interface PlaceQuestion {
  readonly shown: Parameters<typeof skillValue>[0];
  readonly lost: readonly ApplyReportRow[];
  readonly about: string;
}

function promptFor({ prompts }: RunContext, { shown, lost, about }: PlaceQuestion): string {
  const rows = lost.map(({ edit, outcome }, index) => {
    const why = outcome.kind === 'applied' ? '' : outcome.detail;
    return fence(`edit-${index}`, JSON.stringify({ ...rowOf({ edit }), not_made: why }, undefined, 2));
  });
  const given = { skill: skillValue(shown), edits: { words: rows.join('\n\n') }, guardrail: { words: about } };
  return renderPrompt(placeEditsPrompt, given, prompts);
}
