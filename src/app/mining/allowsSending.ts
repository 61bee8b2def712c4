import { UserError } from '../../errors.js';
import { allow, isAllowed, type ConsentRequest } from '../../storage/state/consents.js';
import { shownName } from '../models/runModels.js';
import { userStore, type SendingQuestion, type World } from '../world.js';

/**
 * Asks whether words of past sessions may be sent to the optimizer model; a yes is remembered in the person's state for
 * that model at that address. That a source may be read says nothing about it. Nothing is asked where nothing leaves the
 * machine's own process.
 */
export async function refuseUnlessSendable(world: World, sessions: number, signal: AbortSignal): Promise<void> {
  const { optimizer } = await world.models(signal);
  const { identity } = optimizer;
  if (identity.simulated && identity.endpoint === 'embedded') return;
  const consent: ConsentRequest = {
    what: 'sending sessions to a model',
    content: JSON.stringify([identity.provider, identity.endpoint, identity.model]),
  };
  if (await isAllowed(await userStore(world, 'look'), consent)) return;
  const question: SendingQuestion = { model: shownName(optimizer), address: identity.endpoint, sessions };
  if ((await world.allowsSending?.(question, signal)) !== true) throw notAllowed(question);
  await allow(await userStore(world), consent, signal);
}

function notAllowed({ model }: SendingQuestion): UserError {
  return new UserError(
    'sending-not-allowed',
    `Your sessions are not sent to ${model} without your word.`,
    'Look at what would be sent (on the command line with --dry-run), then allow it (--allow-sending), or mine without a model.',
  );
}
