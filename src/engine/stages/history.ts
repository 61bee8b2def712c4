import { fence } from '../../prompts/renderPrompt.js';
import { fileOf, type ApplyReportRow, type Edit } from '../../skill/edits/edit.js';
import type { FailurePattern } from '../patch.js';
import type { StepAction } from '../journal/upstreamWords.js';

/** What an earlier step of the run saw and tried, and how it went. */
export interface PastStep {
  readonly step: number;
  readonly action: StepAction;
  /** Tasks of the batch with a failed attempt, of those that could be attempted at all. */
  readonly failed: number;
  readonly attempted: number;
  readonly patterns: readonly FailurePattern[];
  readonly report: readonly ApplyReportRow[];
  /** What a rewrite said it changed: shown in place of its edits, which are the whole text. */
  readonly changes?: readonly string[] | undefined;
}

/** An edit that was not taken, kept across runs so that it is not proposed again. */
export interface RejectedEdit {
  readonly op: string;
  /** Only of a file beside SKILL.md. */
  readonly file?: string | undefined;
  readonly anchor?: string | undefined;
  readonly content?: string | undefined;
  readonly reason: string;
  /** Keys of the held-out tasks that it showed no gain on, where nothing else speaks against it. */
  readonly notShownOn?: readonly string[] | undefined;
}

/** Beyond this many the list costs more than it saves. */
export const mostRejectedShown = 12;
const mostStepsShown = 8;

/** What was tried before, so that it is not proposed again. */
export function historyText(steps: readonly PastStep[], rejected: readonly RejectedEdit[]): string {
  const earlier = steps.slice(-mostStepsShown).map(stepText);
  const refused = rejected.slice(-mostRejectedShown).map(rejectedText);
  return [
    ...(earlier.length === 0 ? [] : ['# Earlier steps', ...earlier]),
    ...(refused.length === 0 ? [] : ['# Edits that were rejected before', fence('rejected', refused.join('\n'))]),
  ].join('\n\n');
}

/** The person's wishes, as a prior, and what they allow. */
export function preferencesText(preferences: string, { code }: { readonly code: boolean }): string {
  const wishes = preferences.trim();
  return [
    ...(wishes === '' ? [] : [`# What the owner of the skill prefers\n\n${fence('preferences', wishes)}`]),
    ...(code ? ['# Code in fences\n\nThe owner of the skill allows edits of the code inside its fences.'] : []),
  ].join('\n\n');
}

function describeEdit(edit: Edit): string {
  const anchor = 'anchor' in edit ? ` at “${edit.anchor}”` : '';
  const content = 'content' in edit ? `: ${edit.content}` : '';
  return `${edit.op}${placeOf(fileOf(edit))}${anchor}${content}`;
}

function placeOf(file: string | undefined): string {
  return file === undefined ? '' : ` in ${file}`;
}

function stepText(step: PastStep): string {
  const lines = [
    ...step.patterns.map((pattern) => `- seen ${pattern.count} times: ${pattern.description || pattern.type}`),
    ...(step.changes === undefined
      ? step.report.map((row) => `- ${becameOf(row, step)}: ${describeEdit(row.edit)}`)
      : rewriteLines(step, step.changes)),
  ];
  const title = `Step ${step.step}: ${step.action.replaceAll('_', ' ')} (${step.failed} of ${step.attempted} failed)`;
  return lines.length === 0 ? title : `${title}\n${fence('step', lines.join('\n'))}`;
}

function rewriteLines(step: PastStep, changes: readonly string[]): readonly string[] {
  const row = step.report.find(({ outcome }) => outcome.kind === 'applied') ?? step.report[0];
  const became = row === undefined ? 'not applied' : becameOf(row, step);
  const lost = step.report.filter(({ outcome }) => outcome.kind !== 'applied');
  return [
    ...(changes.length === 0 ? ['a rewrite of the skill'] : changes).map((change) => `- ${became}: ${change}`),
    ...lost.map(({ outcome }) => `- part of it was not applied: ${'detail' in outcome ? outcome.detail : ''}`),
  ];
}

/** Edits are judged as a bundle: what was rejected with others may still be right, and the prompt says so. */
function becameOf({ outcome }: ApplyReportRow, { action, report }: PastStep): string {
  if (outcome.kind !== 'applied') return `not applied (${outcome.detail})`;
  if (action === 'keep_as_branch') return 'kept for now, for the score stayed the same';
  if (action !== 'reject') return 'taken';
  const others = report.filter((row) => row.outcome.kind === 'applied').length - 1;
  return others === 0 ? 'not taken' : `not taken with ${others} ${others === 1 ? 'other' : 'others'}`;
}

function rejectedText(rejected: RejectedEdit): string {
  const anchor = rejected.anchor === undefined ? '' : ` at “${rejected.anchor}”`;
  return `- ${rejected.op}${placeOf(rejected.file)}${anchor}${rejected.content === undefined ? '' : `: ${rejected.content}`} (${rejected.reason})`;
}
