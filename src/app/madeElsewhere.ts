import { isHandoff } from '../models/handoff/handoffModel.js';
import type { AttemptRunner } from '../ports/attemptRunner.js';
import type { LanguageModel, ModelRole } from '../ports/languageModel.js';
import { english } from '../wording/translate.js';

type Models = Readonly<Record<ModelRole, LanguageModel>>;

/** The roles whose calls others make; the optimizer's are made here, and so is what a person answers. */
export function rolesElsewhere(models: Models, attempts: AttemptRunner | undefined): readonly ('target' | 'judge')[] {
  if (attempts?.place === undefined) return [];
  return (['target', 'judge'] as const).filter((role) => {
    const { identity } = models[role];
    return !isHandoff(identity) && attempts.takes?.(identity) !== false;
  });
}

/** Attempts and judgements that other machines make need no server here, and are not bound to what one machine bears. */
export function madeElsewhere(models: Models, attempts: AttemptRunner | undefined): Models {
  const reach = attempts?.reach;
  if (reach === undefined) return models;
  const elsewhere = (role: 'target' | 'judge'): LanguageModel => {
    const model = models[role];
    return { ...model, isElsewhere: true, atOnce: undefined, reach: (signal) => reach(model.identity, role, signal) };
  };
  return rolesElsewhere(models, attempts).reduce((all, role) => ({ ...all, [role]: elsewhere(role) }), models);
}

/** What a person is told of where calls are made; nothing where all of them are made here. */
export function elsewhereLine(models: Models, attempts: AttemptRunner | undefined): string | undefined {
  const place = attempts?.place ?? '';
  const [first, second] = rolesElsewhere(models, attempts);
  if (second !== undefined) return english('Attempts and judgements are made by the workers at {0}.', place);
  if (first === 'target') return english('Attempts are made by the workers at {0}.', place);
  return first === 'judge' ? english('Judgements are made by the workers at {0}.', place) : undefined;
}
