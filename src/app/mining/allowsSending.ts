import { UserError } from '../../errors.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { allow, allowedOf, disallowAll, isAllowed, type ConsentRequest } from '../../storage/state/consents.js';
import { endUnconfirmedTraining, unconfirmedPlaces } from '../../storage/harvest/unconfirmedTraining.js';
import { shownName } from '../models/runModels.js';
import { userStore, type SendingQuestion, type StoreWorld, type World } from '../world.js';

/**
 * Asks whether words of past sessions may be sent to the optimizer model; a yes is remembered in the person's state for
 * that model at that address. That a source may be read says nothing about it. Nothing is asked where nothing leaves the
 * machine's own process.
 */
export async function refuseUnlessSendable(world: World, sessions: number, signal: AbortSignal): Promise<void> {
  const { optimizer } = await world.models(signal);
  if (await maySend(world, optimizer)) return;
  const question: SendingQuestion = { model: shownName(optimizer), address: optimizer.identity.endpoint, sessions };
  if ((await world.allowsSending?.(question, signal)) !== true) throw notAllowed(question);
  await allow(await userStore(world), consentTo(optimizer), signal);
}

/** Whether the person said yes to that already. Asks nobody. */
export async function maySend(world: World, optimizer: LanguageModel): Promise<boolean> {
  const { simulated, endpoint } = optimizer.identity;
  return (simulated && endpoint === 'embedded') || isAllowed(await userStore(world, 'look'), consentTo(optimizer));
}

/** To what words of sessions may be sent: models that miners ask, and nights of folders that learn from unconfirmed drafts. */
export interface SendingConsents {
  readonly models: number;
  readonly nights: number;
}

/** To how many of each they may be sent. */
export async function sendingAllowed(world: StoreWorld): Promise<SendingConsents> {
  const store = await userStore(world, 'look');
  return { models: await allowedOf(store, sending), nights: await unconfirmedPlaces(store) };
}

/** Takes all of that back; gives what it was. */
export async function forbidSending(world: StoreWorld, signal: AbortSignal): Promise<SendingConsents> {
  const before = await sendingAllowed(world);
  if (before.models > 0) await disallowAll(await userStore(world), sending, signal);
  if (before.nights > 0) await endUnconfirmedTraining(await userStore(world), signal);
  return before;
}

const sending = 'sending sessions to a model';

function consentTo({ identity: { provider, endpoint, model } }: LanguageModel): ConsentRequest {
  return { what: sending, content: JSON.stringify([provider, endpoint, model]) };
}

function notAllowed({ model }: SendingQuestion): UserError {
  return new UserError(
    'sending-not-allowed',
    `Your sessions are not sent to ${model} without your word.`,
    'Look at what would be sent (on the command line with --dry-run), then allow it (--allow-sending), or mine without a model.',
  );
}
