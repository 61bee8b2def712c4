import { fence } from '../prompts/fence.js';
import type { Edit } from '../skill/edit.js';
import type { FailurePattern } from './patch.js';
import type { RejectedEdit } from './runContext.js';
import type { StepAction } from './runEvents.js';

/** What an earlier step of the epoch tried and how it went. */
export interface EpochStep {
  readonly step: number;
  readonly action: StepAction;
  readonly failed: number;
  readonly attempted: number;
  readonly patterns: readonly FailurePattern[];
  readonly edits: readonly Edit[];
}

/** Beyond this many the list costs more than it saves. */
const mostRejectedShown = 12;

/** What was tried before, so that it is not proposed again. */
export function historyText(steps: readonly EpochStep[], rejected: readonly RejectedEdit[]): string {
  const earlier = steps.map(stepText);
  const refused = rejected.slice(-mostRejectedShown).map(rejectedText);
  return [
    ...(earlier.length === 0 ? [] : ['# Earlier steps', ...earlier]),
    ...(refused.length === 0 ? [] : ['# Edits that were rejected before', fence('rejected', refused.join('\n'))]),
  ].join('\n\n');
}

/** The person's wishes, as a prior. */
export function preferencesText(preferences: string): string {
  return preferences.trim() === ''
    ? ''
    : `# What the owner of the skill prefers\n\n${fence('preferences', preferences.trim())}`;
}

export function describeEdit(edit: Edit): string {
  const anchor = 'anchor' in edit ? ` at “${edit.anchor}”` : '';
  const content = 'content' in edit ? `: ${edit.content}` : '';
  return `${edit.op}${anchor}${content}`;
}

function stepText(step: EpochStep): string {
  const taken = step.action === 'accept' || step.action === 'accept_new_best' || step.action === 'force_accept';
  const lines = [
    ...step.patterns.map((pattern) => `- seen ${pattern.count} times: ${pattern.description || pattern.type}`),
    ...step.edits.map((edit) => `- ${taken ? 'taken' : 'not taken'}: ${describeEdit(edit)}`),
  ];
  const title = `Step ${step.step}: ${step.action.replaceAll('_', ' ')} (${step.failed} of ${step.attempted} failed)`;
  return lines.length === 0 ? title : `${title}\n${fence('step', lines.join('\n'))}`;
}

function rejectedText(rejected: RejectedEdit): string {
  const anchor = rejected.anchor === undefined ? '' : ` at “${rejected.anchor}”`;
  return `- ${rejected.op}${anchor}${rejected.content === undefined ? '' : `: ${rejected.content}`} (${rejected.reason})`;
}
