import { AnswersAwaited, UserError, type UserErrorCode } from '../errors.js';

/** Refusals say why and leave everything as it was; they are told apart from failures by their exit code. */
const refusals: readonly UserErrorCode[] = [
  'busy',
  'skill-missing',
  'tasks-missing',
  'tasks-too-few',
  'tasks-unconfirmed',
  'made-elsewhere',
  'run-not-resumable',
  'proposal-stale',
  'proposal-not-adoptable',
  'proposal-missing',
  'error-budget-empty',
  'nothing-to-undo',
  'skill-changed',
  'usage',
  'scores-malformed',
  'workspace-untrusted',
  'leads-outside',
  'schedule-refused',
  'record-missing',
  'record-malformed',
  'record-other-model',
  'environment-refused',
  'target-unfit',
  'model-refused',
  'model-not-chosen',
  'preferences-not-allowed',
  'prompt-not-allowed',
  'sessions-not-allowed',
  'sending-not-allowed',
];

/** How a command ends that threw: 1 failed, 2 refused, 3 waiting for answers by hand. */
export function exitCodeOf(error: unknown): 1 | 2 | 3 {
  if (error instanceof AnswersAwaited) return 3;
  return error instanceof UserError && refusals.includes(error.code) ? 2 : 1;
}
