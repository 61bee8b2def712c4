import { AnswersAwaited, ModelError } from '../../errors.js';
import { ownCure } from '../../wording/ownCure.js';
import { exactText } from '../../wording/shownText.js';
import { modelWords, type RunCommandOptions } from '../commandLine.js';
import { longerContextCure } from './longerContext.js';

/** A run as it was typed. */
export interface TypedRun extends RunCommandOptions {
  /** True where no run is named. */
  readonly resume?: string | true;
  readonly consolidate?: boolean;
}

/** With the models that were typed: a server that was given by its address is not found by its name. */
export function resumeCommand(skill: string, options: TypedRun, waits?: string): string {
  // One of several that wait, or the one that was named, need not be the newest.
  const run = waits ?? (typeof options.resume === 'string' ? options.resume : undefined);
  const which = run === undefined ? '' : ` ${exactText(run)}`;
  return `“whetstone optimize ${exactText(skill)} --resume${which}${modelWords(options)}”`;
}

/**
 * A model that ended a run: what is answered is kept, so the cure ends with what is typed to go on. `options` name the models
 * of the run, also where nobody typed them.
 */
export function withResumeCommand(
  error: unknown,
  { skill, typed, options }: { readonly skill: string; readonly typed: TypedRun; readonly options: TypedRun },
): unknown {
  const command = resumeCommand(skill, typed, error instanceof AnswersAwaited ? error.runId : undefined);
  if (error instanceof AnswersAwaited)
    return new AnswersAwaited(error.message, `Answer as INDEX.md there says, then ${command} goes on.`, error);
  if (!(error instanceof ModelError)) return error;
  const cure =
    error.kind === 'given-up'
      ? 'Check the connection, or choose another model.'
      : ownCure(error.cure ?? '', 'terminal');
  // With another model a new run begins: one that goes on asks those that it was begun with.
  if (error.kind === 'model-not-found' && cure.startsWith('Choose ')) return error;
  const goesOn = `Then ${command} goes on: what was answered is kept and not paid again.`;
  const whole = longerContextCure(cure, { skill, options, goesOn }) ?? `${cure} ${goesOn}`.trim();
  return new ModelError(error.kind, error.message, { cure: whole, cause: error });
}
