import { UserError } from '../../errors.js';
import { createHandoffModel, handoffProvider } from '../../models/handoff/handoffModel.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { ModelSpecs } from '../models/chooseModels.js';

/** Whether a person names somebody who answers by hand: `handoff`, or `handoff/name`. */
export function namesHandoff(spec: string): boolean {
  return spec === handoffProvider || spec.startsWith(`${handoffProvider}/`);
}

/** Whether one of the roles is answered by hand. */
export function namesByHand({ target, optimizer, judge }: ModelSpecs): boolean {
  return [target, optimizer, judge].some((spec) => spec !== undefined && namesHandoff(spec));
}

export function handoffModel(spec: string): LanguageModel {
  const name = spec === handoffProvider ? handoffProvider : spec.slice(handoffProvider.length + 1);
  if (/^[\w.-]{1,40}$/.test(name)) return createHandoffModel(name);
  throw new UserError(
    'model-not-chosen',
    `“${spec}” names nobody who answers.`,
    'Write handoff, or handoff/ and a name of letters, digits, dots and hyphens.',
  );
}
