import os from 'node:os';
import { UserError } from '../../errors.js';
import type { AgentConsent, AgentPrograms } from '../../ports/agentPrograms.js';
import type { Workplaces } from '../../ports/workplace.js';
import { FailedCall } from '../wrappers/failedCall.js';
import type { AgentKind, AgentLogin, AgentPerson, FoundLogin } from './agentKind.js';

/** What an agent program is found and asked through. */
export interface AgentSources {
  readonly programs: AgentPrograms;
  readonly consent: AgentConsent;
  readonly environment: AgentPerson['environment'];
  readonly now?: (() => number) | undefined;
  /** Where they work in a folder; undefined where nothing here has a place for that. */
  readonly workplaces?: Workplaces | undefined;
  /** Keeps what a program told while it worked, without secrets, for a person to look at; gives what it is found by. */
  readonly keepLines?: ((lines: readonly string[]) => Promise<string>) | undefined;
}

export function agentPerson({ environment, programs }: Pick<AgentSources, 'environment' | 'programs'>): AgentPerson {
  const home = environment['HOME'] ?? environment['USERPROFILE'] ?? os.homedir();
  return { environment, home, read: (file) => programs.readOwn(file) };
}

/** A call under way must not outlive its token by much. */
const leastMs = 60_000;

/** Why a login cannot be used, and what to do; never with anything of what it holds. */
interface LoginTrouble {
  readonly why: string;
  readonly cure: string;
}

/** The login that there is, or what is wrong with it. Hands nothing over. */
export async function usableLogin(
  kind: AgentKind,
  sources: AgentSources,
  model: string | undefined,
): Promise<FoundLogin | LoginTrouble> {
  const found = await kind.login(agentPerson(sources), model);
  if (found === undefined) return { why: 'there is no login', cure: `Log in: ${kind.logIn}` };
  const now = sources.now?.() ?? Date.now();
  if (found.until !== undefined && found.until <= now + leastMs) {
    return { why: 'the login has run out', cure: renewal(kind) };
  }
  return mistakeIn(kind, found) ?? found;
}

function mistakeIn(kind: AgentKind, found: FoundLogin): LoginTrouble | undefined {
  if (!found.handOver().secrets.every(isToken)) {
    return { why: 'the login cannot be read', cure: `Log in again: ${kind.logIn}` };
  }
  if (found.server === undefined || isWebAddress(found.server)) return undefined;
  const why = `${kind.serverNamedBy} holds no address of a server`;
  return { why, cure: 'Give an address that begins with http:// or https://, or none.' };
}

const longestToken = 16 * 1024;

/** No header and no variable can hold a control character. */
function isToken(secret: string): boolean {
  return secret.length <= longestToken && !/\p{Cc}/u.test(secret);
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/u.test(new URL(address).protocol);
}

/**
 * What is handed over for one call, found anew each time: the program renews its own login, and never here. Throws where
 * there is none, where it has run out, and where the person has not allowed that it is used.
 */
export async function currentLogin(
  kind: AgentKind,
  sources: AgentSources,
  signal: AbortSignal,
  model: string | undefined,
): Promise<AgentLogin> {
  const found = await usableLogin(kind, sources, model);
  if ('why' in found) throw noLogin(`${kind.label} cannot be asked: ${found.why}.`, found.cure);
  if (found.kept !== true || (await sources.consent.allows(kind.id, signal))) return found.handOver();
  const { message, cure } = notAllowed(kind);
  throw noLogin(message, cure);
}

/** Only the program itself may renew its login: what it is handed here cannot. */
function renewal({ commands, logIn }: AgentKind): string {
  return `Start “${commands[0] ?? ''}” once, which renews it, or log in again: ${logIn}`;
}

function noLogin(what: string, cure: string): FailedCall {
  return new FailedCall('auth', what, { cure, charged: false, sent: false });
}

/** Why nobody can be asked at night: the login has not been allowed, and no key takes its place. */
export function personMissing(
  kind: AgentKind,
  { environment, consent }: Pick<AgentSources, 'environment' | 'consent'>,
): UserError | undefined {
  if (kind.waysIn.some((name) => (environment[name] ?? '') !== '')) return undefined;
  return consent.isAllowed(kind.id) === true ? undefined : notAllowed(kind);
}

/** As a refusal: nothing is wrong, and the person may say yes. */
export function notAllowed({ label }: AgentKind): UserError {
  return new UserError(
    'model-refused',
    `You have not allowed Whetstone to use your login to ${label}.`,
    'Choose the model once more with “Whetstone: Choose Model” and allow it (--allow-login on the command line), or set an API key.',
  );
}

/** A variable that is set, with its value. */
export function variable(person: AgentPerson, ...names: readonly string[]): readonly [string, string] | undefined {
  for (const name of names) {
    const value = person.environment[name] ?? '';
    if (value !== '') return [name, value];
  }
  return undefined;
}

/** Those of the variables that are set. */
export function variables(person: AgentPerson, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap((name) => [variable(person, name) ?? []].filter((each) => each.length > 0)));
}
