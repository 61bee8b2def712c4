import type { AttemptRunner } from '../../ports/attemptRunner.js';
import type { LanguageModel, ModelRequest } from '../../ports/languageModel.js';
import { replyKey, type KeySalt } from './replyKey.js';

interface RunnerOptions {
  readonly runner: AttemptRunner;
  readonly runId: string;
  /** As the reply is stored under. */
  readonly salt?: KeySalt | undefined;
}

/** In this process, as ever. */
export const inThisProcess: AttemptRunner = { run: ({ request }, here, signal) => here(request, signal) };

/**
 * Lets a runner make each physical call. It stands nearest to the adapter: what it is given is redacted, reserved and
 * written down, and a call that came to nothing comes back to whoever asks again.
 */
export function withRunner(model: LanguageModel, { runner, runId, salt }: RunnerOptions): LanguageModel {
  const { identity, workJudge } = model;
  const made =
    (here: LanguageModel['complete']): LanguageModel['complete'] =>
    (request, signal) =>
      runner.run({ runId, model: identity, key: () => keyOf(request), request, workJudge }, here, signal);
  // How long it may take is said on the way here, and is no part of the name of a reply.
  const keyOf = ({ timeoutMs: _wait, restMs: _rest, ...asked }: ModelRequest): string =>
    replyKey(identity, asked, salt);
  return {
    identity,
    takesMore: model.takesMore,
    complete: made((request, signal) => model.complete(request, signal)),
    once: model.once === undefined ? undefined : made(model.once),
  };
}
