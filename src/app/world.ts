import { UserError } from '../errors.js';
import { lookAtUserStore, openUserStore, type UserStore } from '../storage/state/store.js';
import { makeUserState, userStateFolder } from '../storage/state/userState.js';
import type { DoctorReport } from '../models/doctor/doctor.js';
import type { PriceOverrides } from '../models/prices.js';
import type { Servers } from '../models/wrappers/serverPlaces.js';
import type { AttemptRunner } from '../ports/attemptRunner.js';
import type { Clock } from '../ports/clock.js';
import type { LanguageModel, ModelRole } from '../ports/languageModel.js';
import type { RegisteredEnvironment } from '../ports/environment.js';
import type { ProgramConsent } from '../ports/programs.js';
import type { SpendCap } from '../ports/spend.js';

/** A prompt of the workspace, before it is said to a model for the first time. */
export interface PromptToAllow {
  readonly name: string;
  /** As it is shown to the person. */
  readonly path: string;
  readonly file: string;
  readonly text: string;
  readonly shipped: string;
}

/** Wishes of the workspace, before they are said to a model for the first time. */
export interface PreferencesToAllow {
  /** As it is shown to the person: a file of the workspace, or its settings. */
  readonly source: string;
  readonly text: string;
}

/** Words of past sessions, before they are sent to a model for the first time. */
export interface SendingQuestion {
  /** As people read it. */
  readonly model: string;
  readonly address: string;
  /** How many sessions it is about now. */
  readonly sessions: number;
}

/** Where the sandbox for programs lies. */
export interface SandboxPlace {
  /** The bundle of its helper process. */
  readonly helper: string;
  /** Where the editor has ripgrep, in case that the system has none. */
  readonly ripgrep?: readonly string[] | undefined;
}

/** What a face brings along: the machine it runs on, and what the person chose there. */
export interface World {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly clock: Clock;
  /** False in a workspace that the person does not trust: there nothing is written, not even state. */
  readonly trusted: () => boolean;
  /** The models as chosen, bare: the use cases put cache, retry, rate, budget and journal around them. */
  readonly models: (signal: AbortSignal) => Promise<Readonly<Record<ModelRole, LanguageModel>>>;
  /** Where attempts and judgements are made; in this process where it is missing. */
  readonly attempts?: AttemptRunner | undefined;
  /** The target as the person named it; undefined where a face has other ways to choose. */
  readonly target?: (() => string | undefined) | undefined;
  /** Whether one of them is answered by hand. */
  readonly byHand?: (() => boolean) | undefined;
  /** Looks at the endpoints of the chosen models; `around` is put around each that is asked, so that it is paid for. */
  readonly examine?:
    | ((around: (model: LanguageModel) => LanguageModel, signal: AbortSignal) => Promise<readonly DoctorReport[]>)
    | undefined;
  /** Asks the person whether a program may run; a yes is remembered by the use cases, for exactly that content. */
  readonly consent: ProgramConsent;
  /** What the sandbox for programs needs that only the face knows; programs run without one where it is missing. */
  readonly sandbox?: SandboxPlace | undefined;
  /** True where `consent` puts the question to a person: a night never does, for nobody is there to answer. */
  readonly interactive?: boolean | undefined;
  /** Shows the person a prompt of the workspace that takes the place of ours, and asks whether it may; no without it. */
  readonly allowsPrompt?: ((prompt: PromptToAllow, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Shows the person what the workspace wishes in their name, and asks whether it is said; no without it. */
  readonly allowsPreferences?: ((preferences: PreferencesToAllow, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Asks whether words of past sessions may be sent to a model; no without it. */
  readonly allowsSending?: ((question: SendingQuestion, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Environments that other extensions registered. */
  readonly environments?: (() => readonly RegisteredEnvironment[]) | undefined;
  /** The keys in use, by value: they are taken out of every text that is sent or written. */
  readonly secrets?: (() => Promise<readonly string[]>) | undefined;
  /** What the person says that models cost; wins over the table. */
  readonly prices?: (() => PriceOverrides) | undefined;
  /** The places at the servers of models, which all runs of the process share; each run has its own without it. */
  readonly servers?: Servers | undefined;
  readonly caps: () => { readonly day: SpendCap; readonly month: SpendCap };
  /** Called with sentences that the person should see once, such as where state is kept. */
  readonly tell: (note: string) => void;
}

/** Where the state of the user is found. */
export type StoreWorld = Pick<World, 'environment' | 'platform' | 'home' | 'clock' | 'trusted'>;

/** The same, and where the sandbox for programs lies. */
export type SandboxWorld = StoreWorld & Pick<World, 'sandbox'>;

/** The state of the user whose machine it is; made at first use, but not by a look. */
export async function userStore(world: StoreWorld, purpose: 'look' | 'work' = 'work'): Promise<UserStore> {
  if (purpose === 'look') return lookAtUserStore(userStateFolder(world), world.clock);
  refuseUntrustedWrite(world);
  return openUserStore(await makeUserState(world), world.clock);
}

/** Throws in a workspace that the person does not trust; asked before anything is made or written. */
export function refuseUntrustedWrite({ trusted }: Pick<World, 'trusted'>): void {
  if (trusted()) return;
  throw new UserError(
    'workspace-untrusted',
    'This workspace is not trusted, so nothing is written here.',
    'Trust the workspace, then try again.',
  );
}
